/** The table of routing §6, row by row, over real HTTP: what each answer of an account leads to. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Behaviour, ErrorName } from '../../src/main/practice/practice.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { type Rig, startRig } from './start-core.ts'

const open: Rig[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()))
})

async function start(sources: readonly string[], settings = {}): Promise<Rig> {
  const rig = await startRig({ sources, settings })
  open.push(rig)
  return rig
}

const failing = (error: ErrorName): Behaviour => ({ reply: { kind: 'error', error } })
const claude = ['claude-work', 'claude-personal']
const codex = ['codex-team', 'codex-personal']
const askClaude = (rig: Rig, change = {}, session = 'session-one') =>
  rig.call('/claude/v1/messages', message(change), claudeCode(session))
const askCodex = (rig: Rig, change = {}, thread = 'thread-one') =>
  rig.call('/codex/v1/responses', response(change), codexCli(thread))
const attempts = async (rig: Rig, rows = 1) =>
  (await rig.latest(rows)).executions.map((one) => `${one.sourceId} ${one.status} ${one.because}`)
const rest = (rig: Rig, id: string) => rig.core.api.conditions.health.sources.get(sourceId(id))
const spent = (rig: Rig, id: string) => rig.core.api.conditions.snapshot(sourceId(id)).spent

describe('F7 a 429', () => {
  test('that names a window spends that window until its reset and does not count against the cap', async () => {
    const rig = await start(claude, { attempts: 1 })
    rig.practice.script('claude-work', failing('spent'))
    const answer = await askClaude(rig)
    expect(answer.status).toBe(200)
    expect(await attempts(rig)).toEqual(['claude-work 429 exhausted', 'claude-personal 200 done'])
    expect(spent(rig, 'claude-work').map((mark) => [mark.window, mark.family])).toEqual([['five-hour', null]])
    expect(rest(rig, 'claude-work')).toBeUndefined()
  })

  test('of Codex, `usage_limit_reached`, spends the account until `resets_at`, never as a burst', async () => {
    const rig = await start(codex)
    const resetsAt = Math.floor(Date.now() / 1_000) + 900
    const error = { type: 'usage_limit_reached', resets_at: resetsAt, resets_in_seconds: 900 }
    rig.practice.script('codex-team', {
      reply: { kind: 'status', status: 429, headers: ['retry-after', '1'], body: JSON.stringify({ error }) },
    })
    expect((await askCodex(rig)).status).toBe(200)
    expect(await attempts(rig)).toEqual(['codex-team 429 exhausted', 'codex-personal 200 done'])
    expect(spent(rig, 'codex-team').map((mark) => [mark.window, mark.untilMs])).toEqual([['unnamed', resetsAt * 1_000]])
  })

  test('of one model family rests that family only', async () => {
    const rig = await start(claude)
    rig.practice.script('claude-work', failing('spent-family'))
    expect((await askClaude(rig, { model: 'claude-fable-5-1' })).status).toBe(200)
    expect(spent(rig, 'claude-work').map((mark) => mark.family)).toEqual(['fable'])
    await askClaude(rig, { model: 'claude-opus-4-8' }, 'another')
    expect(await attempts(rig, 2)).toEqual(['claude-work 200 done'])
    await askClaude(rig, { model: 'claude-fable-5-1' }, 'a third')
    expect(await attempts(rig, 3)).toEqual(['claude-personal 200 done'])
  })

  test('without attribution and with a short `retry-after` waits once on the same account; quota stays', async () => {
    const rig = await start(claude)
    rig.practice.script('claude-work', {
      reply: {
        kind: 'status',
        status: 429,
        headers: ['retry-after', '1'],
        body: '{"error":{"type":"rate_limit_error"}}',
      },
    })
    expect((await askClaude(rig)).status).toBe(200)
    expect(await attempts(rig)).toEqual(['claude-work 429 burst', 'claude-work 200 done'])
    expect(spent(rig, 'claude-work')).toEqual([])
  })

  test('without attribution and with a long `retry-after` hops once, and returns the next one', async () => {
    const rig = await start([...claude, 'anthropic-key'])
    const burst: Behaviour = {
      reply: {
        kind: 'status',
        status: 429,
        headers: ['retry-after', '30'],
        body: '{"error":{"type":"rate_limit_error"}}',
      },
    }
    for (const source of [...claude, 'anthropic-key']) rig.practice.script(source, burst)
    const answer = await askClaude(rig)
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '30'])
    expect((await attempts(rig)).map((text) => text.split(' ').slice(1).join(' '))).toEqual(['429 burst', '429 burst'])
  })

  test('about the request itself is returned and nobody rests', async () => {
    const rig = await start(claude)
    rig.practice.script('claude-work', failing('long-context'))
    const answer = await askClaude(rig)
    expect(answer.status).toBe(429)
    expect(await attempts(rig)).toEqual(['claude-work 429 request-scoped'])
    expect([rest(rig, 'claude-work'), spent(rig, 'claude-work')]).toEqual([undefined, []])
  })
})

describe('F8 a 401', () => {
  for (const [ids, ask, origin] of [
    [claude, askClaude, 'claude'],
    [codex, askCodex, 'codex'],
  ] as const) {
    test(`of ${origin}: one refresh, one replay on the same account`, async () => {
      const rig = await start(ids)
      const [first = ''] = ids
      rig.practice.expireTokens(first)
      expect((await ask(rig)).status).toBe(200)
      expect(await attempts(rig)).toEqual([`${first} 401 unauthorised`, `${first} 200 done`])
      expect(rig.practice.tokens(first).refreshes).toBe(1)
    })

    test(`of ${origin}, a burst of 50 calls: one refresh`, async () => {
      const rig = await start(ids)
      const [first = ''] = ids
      rig.practice.expireTokens(first)
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(rig, {}, `session ${index}`)))
      expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(200))
      expect(rig.practice.tokens(first)).toMatchObject({ tokenRequests: 1, refreshes: 1, reuses: 0 })
    })

    test(`of ${origin} again after the refresh: signed out as a whole, the next account serves`, async () => {
      const rig = await start(ids)
      const [first = '', second = ''] = ids
      rig.practice.script(first, failing('expired'), failing('expired'))
      expect((await ask(rig)).status).toBe(200)
      expect(await attempts(rig)).toEqual([
        `${first} 401 unauthorised`,
        `${first} 401 signed-out`,
        `${second} 200 done`,
      ])
      const source = rig.core.api.sources.get(sourceId(first))
      expect(source?.type === 'subscription' && source.signedOut !== null).toBe(true)
    })
  }

  test('of an API key is `key-rejected` without a refresh', async () => {
    const rig = await start(['anthropic-key', 'claude-work'])
    rig.practice.script('anthropic-key', failing('unauthorised'))
    expect((await askClaude(rig)).status).toBe(200)
    expect(await attempts(rig)).toEqual(['anthropic-key 401 key-rejected', 'claude-work 200 done'])
    expect(rest(rig, 'anthropic-key')).toMatchObject({ because: 'key-rejected', untilMs: null })
  })

  for (const error of ['unauthorised', 'revoked', 'forbidden', 'deactivated'] as const) {
    test(`or 403 that our only account caused is never passed on as such (${error})`, async () => {
      const rig = await start(['claude-work'])
      rig.practice.usually('claude-work', failing(error))
      const answer = await askClaude(rig)
      expect(answer.status).toBe(503)
      expect(['needs_sign_in', 'account_refused']).toContain(answer.headers['x-pointsman-error'])
      expect(answer.text).not.toContain('practice.invalid')
    })
  }
})

describe('F9 other answers', () => {
  const rows: readonly (readonly [string, ErrorName, string, (rig: Rig) => unknown, unknown])[] = [
    [
      '402 and spend limits rest without a timer',
      'billing',
      '402 billing',
      (rig) => rest(rig, 'claude-work')?.untilMs,
      null,
    ],
    [
      'a web page as 403 is the host’s, not the account’s',
      'html-block',
      '403 host-refused',
      (rig) => rest(rig, 'claude-work'),
      undefined,
    ],
    [
      'a model this plan does not have: pair excluded, no cool-down',
      'model-not-entitled',
      '403 model-not-entitled',
      (rig) => [rest(rig, 'claude-work'), rig.core.api.conditions.health.notEntitled.size],
      [undefined, 1],
    ],
    [
      'a 529 rests the host',
      'overloaded',
      '529 overloaded',
      (rig) => [rest(rig, 'claude-work'), rig.core.api.conditions.health.hosts.size],
      [undefined, 1],
    ],
    [
      'a 500 cools the account down',
      'server-error',
      '500 server-error',
      (rig) => rest(rig, 'claude-work')?.because,
      'cooldown',
    ],
  ]
  for (const [name, error, expected, state, want] of rows) {
    test(name, async () => {
      const rig = await start(claude)
      rig.practice.script('claude-work', failing(error))
      rig.practice.script('claude-personal', failing('invalid'))
      await askClaude(rig)
      const [first, second] = await attempts(rig)
      expect([first, second?.startsWith('claude-personal')]).toEqual([`claude-work ${expected}`, true])
      expect(state(rig)).toEqual(want)
    })
  }

  for (const error of ['safety', 'invalid', 'context-too-long', 'too-large'] as const) {
    test(`${error} is final: returned as it is, never tried elsewhere, nobody rests`, async () => {
      const rig = await start(claude)
      rig.practice.script('claude-work', failing(error))
      const answer = await askClaude(rig)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect((await rig.latest()).executions.length).toBe(1)
      expect(rig.core.api.conditions.health.sources.size).toBe(0)
    })
  }

  test('a model that nobody knows is returned as the vendor’s 404', async () => {
    const rig = await start(claude)
    for (const source of claude) rig.practice.script(source, failing('model-unknown'))
    const answer = await askClaude(rig)
    expect([answer.status, JSON.parse(answer.text).error.type]).toEqual([404, 'not_found_error'])
    expect((await rig.latest()).executions.length).toBe(2)
  })

  test('three failures in a minute open the circuit, and one request at a time tries it again', async () => {
    const rig = await start(['claude-work'])
    rig.practice.script('claude-work', failing('server-error'), failing('server-error'), failing('server-error'))
    for (let call = 0; call < 3; call += 1) await askClaude(rig)
    expect(rig.core.api.conditions.health.circuits.get(sourceId('claude-work'))?.kind).toBe('open')
    expect((await askClaude(rig)).status).toBe(200)
    expect(rig.core.api.conditions.health.circuits.get(sourceId('claude-work'))).toBeUndefined()
  })
})
