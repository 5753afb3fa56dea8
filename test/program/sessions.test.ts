/** Conversations stay where their cache is warm: bindings, inheriting, pinning, order changes (routing §5). */
import { afterEach, describe, expect, test } from 'vitest'
import { sourceId } from '../../src/shared/ids.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { type Rig, startRig } from './start-core.ts'

const open: Rig[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()))
})
const accounts = ['codex-team', 'codex-personal'] as const

async function start(sources: readonly string[] = accounts): Promise<Rig> {
  const rig = await startRig({ sources })
  open.push(rig)
  for (const id of accounts) rig.practice.setWindows(id, [])
  return rig
}

/** Who served, by the label in the answer. */
async function serve(rig: Rig, thread: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await rig.call('/codex/v1/responses', response(), {
    headers: { ...codexCli(thread).headers, ...headers },
  })
  expect(answer.status).toBe(200)
  return /practice answer from ([^:"]+):/.exec(answer.text)?.[1] ?? answer.text
}

function drag(rig: Rig, order: readonly string[], tiers: readonly (readonly string[])[] = [order]): void {
  const pool = rig.core.api.sources.picture.pools.find('gpt-5.5')?.pool
  if (pool === undefined) throw new Error('no pool')
  const backends = tiers.map((tier) => tier.map((id) => `${id}:gpt-5.5`))
  rig.core.api.sources.arrange(
    { poolId: pool.id, tiers: backends as never, disabled: [], strategy: null, options: {} },
    null,
  )
}

const reasonOf = async (rig: Rig, rows: number) => (await rig.latest(rows)).decision?.reason

test('a changed order moves only new conversations', async () => {
  const rig = await start()
  expect(await serve(rig, 'old')).toBe('Codex, team')
  drag(rig, ['codex-personal', 'codex-team'])
  expect(await serve(rig, 'old')).toBe('Codex, team')
  expect(await reasonOf(rig, 2)).toBe('affinity')
  expect(await serve(rig, 'new')).toBe('Codex, personal')
  drag(rig, [], [['codex-personal'], ['codex-team']])
  expect(await serve(rig, 'old')).toBe('Codex, team')
})

test('a lower tier is used only while nothing above it can', async () => {
  const rig = await start()
  drag(rig, [], [['codex-personal'], ['codex-team']])
  expect(await serve(rig, 'one')).toBe('Codex, personal')
  rig.practice.script('codex-personal', { reply: { kind: 'error', error: 'spent' } })
  expect(await serve(rig, 'two')).toBe('Codex, team')
})

test('a bound account that is spent is left for the request only: the binding stays', async () => {
  const rig = await start()
  expect(await serve(rig, 'thread')).toBe('Codex, team')
  rig.practice.script('codex-team', { reply: { kind: 'error', error: 'spent' } })
  expect(await serve(rig, 'thread')).toBe('Codex, personal')
  expect(await serve(rig, 'thread')).toBe('Codex, personal')
  expect(await reasonOf(rig, 3)).toBe('failover')
  rig.core.api.conditions.forgetWindows(sourceId('codex-team'))
  expect(await serve(rig, 'thread')).toBe('Codex, team')
})

test('a bound account that is switched off is chosen anew, for good', async () => {
  const rig = await start()
  expect(await serve(rig, 'thread')).toBe('Codex, team')
  await rig.add('codex-team', { active: false })
  expect(await serve(rig, 'thread')).toBe('Codex, personal')
  expect(await reasonOf(rig, 2)).toBe('rebind:disabled')
  await rig.add('codex-team', { active: true })
  expect(await serve(rig, 'thread')).toBe('Codex, personal')
  expect(await reasonOf(rig, 3)).toBe('affinity')
})

test('parallel first requests of one conversation agree on an account', async () => {
  const rig = await start()
  for (let round = 0; round < 10; round += 1) {
    drag(rig, round % 2 === 0 ? ['codex-team', 'codex-personal'] : ['codex-personal', 'codex-team'])
    const served = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        if (index === 4)
          drag(rig, round % 2 === 1 ? ['codex-team', 'codex-personal'] : ['codex-personal', 'codex-team'])
        return serve(rig, `thread ${round}`)
      }),
    )
    expect(new Set(served).size).toBe(1)
  }
})

test('a binding that no account could serve is released', async () => {
  const rig = await start()
  for (const id of accounts) rig.practice.script(id, { reply: { kind: 'error', error: 'server-error' } })
  const failed = await rig.call('/codex/v1/responses', response(), codexCli('thread'))
  expect(failed.status).toBe(500)
  expect(rig.core.api.bindings.size).toBe(0)
})

test('a binding is not left behind by an answer that was refused as final', async () => {
  const rig = await start()
  rig.practice.script('codex-team', { reply: { kind: 'error', error: 'safety' } })
  expect((await rig.call('/codex/v1/responses', response(), codexCli('thread'))).status).toBe(400)
  await rig.rows(1)
  expect(rig.core.api.bindings.size).toBe(0)
})

describe('a child conversation', () => {
  test('inherits its parent’s account', async () => {
    const rig = await start()
    expect(await serve(rig, 'parent')).toBe('Codex, team')
    drag(rig, ['codex-personal', 'codex-team'])
    expect(await serve(rig, 'child', { 'x-codex-parent-thread-id': 'parent' })).toBe('Codex, team')
    expect(await reasonOf(rig, 2)).toBe('inherit')
  })

  test('is ranked where inheriting is off, or where its parent’s account can not serve', async () => {
    const rig = await start()
    expect(await serve(rig, 'parent')).toBe('Codex, team')
    drag(rig, ['codex-personal', 'codex-team'])
    rig.set({ inherit: false })
    expect(await serve(rig, 'child', { 'x-codex-parent-thread-id': 'parent' })).toBe('Codex, personal')
    rig.set({ inherit: true })
    await rig.add('codex-team', { active: false })
    expect(await serve(rig, 'second child', { 'x-codex-parent-thread-id': 'parent' })).toBe('Codex, personal')
  })
})

test('an account’s own address pins to it and neither reads nor writes a binding', async () => {
  const rig = await start()
  expect(await serve(rig, 'thread')).toBe('Codex, team')
  const pinned = await rig.call('/codex-personal/v1/responses', response(), codexCli('thread'))
  expect(pinned.text).toContain('Codex, personal')
  expect(await reasonOf(rig, 2)).toBe('pinned')
  expect(await serve(rig, 'thread')).toBe('Codex, team')
  rig.practice.script('codex-personal', { reply: { kind: 'error', error: 'spent' } })
  const spent = await rig.call('/codex-personal/v1/responses', response(), codexCli('thread'))
  expect(spent.status).toBe(429)
})

test('bindings outlive a restart', async () => {
  const rig = await start()
  expect(await serve(rig, 'thread')).toBe('Codex, team')
  drag(rig, ['codex-personal', 'codex-team'])
  const binding = rig.core.api.bindings.all()
  const again = await startRig({ dataDir: rig.dataDir }).catch((cause: unknown) => cause)
  expect(String(again)).toContain('already uses')
  await rig.core.stop()
  const second = await startRig({ dataDir: rig.dataDir })
  expect(second.core.api.bindings.all()).toEqual(binding)
  await second.close()
})

describe('genuine clients only', () => {
  test('a Claude subscription serves genuine Claude Code and nothing else; a joined profile serves the rest', async () => {
    const rig = await startRig({ sources: ['claude-work'] })
    open.push(rig)
    const plain = { headers: { 'anthropic-version': '2023-06-01' } }
    const alone = await rig.call('/claude/v1/messages', message(), plain)
    expect([alone.status, alone.headers['x-pointsman-error'], alone.headers['x-should-retry']]).toEqual([
      503,
      'none_available',
      'false',
    ])
    expect(alone.text).toContain('genuine Claude Code only')
    expect(rig.practice.seen({ origin: 'claude' }).length).toBe(0)
    expect((await rig.call('/claude/v1/messages', message(), claudeCode())).status).toBe(200)
    await rig.add('anthropic-key')
    const other = await rig.call('/claude/v1/messages', message(), plain)
    expect(other.text).toContain('Anthropic key')
  })

  test('`codex-only` serves the Codex CLI and nothing else', async () => {
    const rig = await start(['codex-team'])
    await rig.add('codex-team', { serves: 'codex-only' })
    expect((await rig.call('/codex/v1/responses', response({ stream: false }))).status).toBe(503)
    expect(await serve(rig, 'thread')).toBe('Codex, team')
  })
})

test('a model that no source lists goes through to the vendor’s accounts, and is a 404 elsewhere', async () => {
  const rig = await start([...accounts, 'openai-key'])
  const ask = response({ model: 'gpt-9-brand-new' })
  expect((await rig.call('/codex/v1/responses', ask, codexCli())).text).toContain('gpt-9-brand-new')
  expect((await rig.latest()).decision?.trail.find((step) => step.stage === 'candidates')?.because).toBe(
    'unlisted-model',
  )
  for (const address of ['any', 'openai-key', 'nowhere']) {
    const answer = await rig.call(`/${address}/v1/responses`, { ...ask, stream: false }, codexCli())
    expect([address, answer.status, answer.headers['x-pointsman-error']]).toEqual([address, 404, 'model_not_served'])
  }
})
