/** Nothing left: the truthful refusal, and the optional wait for the earliest reset (routing §6). */
import { afterEach, describe, expect, test } from 'vitest'
import type { Settings } from '../../src/main/domain/settings.ts'
import { fiveHour } from '../../src/main/practice/practice.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { id, type Rig, startRig, until } from './start-core.ts'

const open: Rig[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()))
})

async function start(settings: Partial<Settings>, ...sources: readonly string[]): Promise<Rig> {
  const rig = await startRig({ sources, settings })
  open.push(rig)
  return rig
}

/** The vendor's window is full and renews then; it is told in whole seconds. */
const full = (rig: Rig, source: string, fromNowMs: number): number => {
  const resetAtMs = Math.ceil((Date.now() + fromNowMs) / 1_000) * 1_000
  rig.practice.setWindows(source, [fiveHour(100, resetAtMs, 0, 1)])
  return resetAtMs
}

const spend = (rig: Rig, source: string, untilMs: number): void =>
  rig.core.api.conditions.spend(id(source), [{ window: 'weekly', family: null, untilMs, sinceMs: Date.now() }])

describe('without waiting', () => {
  test('one clear error: every account, its reason, the earliest change, a truthful retry-after', async () => {
    const rig = await start({}, 'claude-work', 'claude-personal')
    const now = Date.now()
    spend(rig, 'claude-work', now + 7_200_000)
    spend(rig, 'claude-personal', now + 90_000_000)
    const answer = await rig.call('/claude/v1/messages', message(), claudeCode())
    const { error } = JSON.parse(answer.text)
    expect([answer.status, error.type, answer.headers['x-should-retry']]).toEqual([429, 'rate_limit_error', 'false'])
    expect(Math.abs(Number(answer.headers['retry-after']) - 7_200)).toBeLessThanOrEqual(1)
    const labels = ['claude-work', 'claude-personal'].map((source) => rig.core.api.sources.get(id(source))?.label ?? '')
    for (const label of labels) expect(error.message).toContain(label)
    expect(error.message).toContain(new Date(now + 7_200_000).toISOString().slice(11, 16))
    expect(answer.text).not.toContain('@')
  })
})

describe('with waiting', () => {
  const settings = { waitForResetMs: 20_000 }

  test('a call is held until the first account renews, then served as if nothing had been', async () => {
    const rig = await start(settings, 'codex-team', 'codex-personal')
    for (const source of ['codex-team', 'codex-personal']) rig.practice.setWindows(source, [])
    spend(rig, 'codex-team', Date.now() + 3_600_000)
    const untilMs = Date.now() + 700
    spend(rig, 'codex-personal', untilMs)
    let firstByteMs = 0
    const answer = await rig.call('/codex/v1/responses', response(), {
      ...codexCli(),
      onData: () => {
        firstByteMs ||= Date.now()
      },
    })
    expect([answer.status, answer.end, answer.text.includes('Codex, personal')]).toEqual([200, 'whole', true])
    // Nothing was sent to anybody meanwhile, and no byte to the client.
    expect(firstByteMs).toBeGreaterThanOrEqual(untilMs)
    expect(rig.practice.seen({ operation: 'generate' }).length).toBe(1)
    const { decision } = await rig.latest()
    expect(decision?.trail.filter(({ because }) => because === 'waits-for-reset').length).toBe(1)
  })

  test('also where the vendor only now says that the last one is spent', async () => {
    const rig = await start(settings, 'codex-team', 'codex-personal')
    full(rig, 'codex-team', 3_600_000)
    const resetAtMs = full(rig, 'codex-personal', 1_000)
    const answer = await rig.call('/codex/v1/responses', response(), codexCli())
    expect([answer.status, answer.end, answer.text.includes('Codex, personal')]).toEqual([200, 'whole', true])
    expect(Date.now()).toBeGreaterThanOrEqual(resetAtMs)
    const { executions } = await rig.latest()
    expect(executions.map(({ sourceId, because }) => [sourceId, because])).toEqual([
      ['codex-team', 'exhausted'],
      ['codex-personal', 'exhausted'],
      ['codex-personal', 'done'],
    ])
  })

  test('with one account alone too', async () => {
    const rig = await start(settings, 'codex-team')
    full(rig, 'codex-team', 1_000)
    const answer = await rig.call('/codex/v1/responses', response(), codexCli())
    expect([answer.status, answer.end]).toEqual([200, 'whole'])
  })

  test('evidence ends the wait before the reset', async () => {
    const rig = await start(settings, 'codex-team', 'codex-personal')
    for (const source of ['codex-team', 'codex-personal']) {
      rig.practice.setWindows(source, [])
      spend(rig, source, Date.now() + 15_000)
    }
    const answer = rig.call('/codex/v1/responses', response(), codexCli())
    await until(async () => {
      const { rows } = await rig.core.api.reader.page(1, 0, {})
      return rows.length > 0 ? true : null
    }, 'the call is held')
    rig.core.api.conditions.forgetWindows(id('codex-team'))
    const { status, text } = await answer
    expect([status, text.includes('Codex, team')]).toEqual([200, true])
  })

  test('nobody waits longer than the person allows: the refusal comes at once', async () => {
    const rig = await start({ waitForResetMs: 5_000 }, 'codex-team', 'codex-personal')
    for (const source of ['codex-team', 'codex-personal']) spend(rig, source, Date.now() + 60_000)
    const { text } = await rig.call('/codex/v1/responses', response(), codexCli())
    expect(text).toContain('response.failed')
    const { decision } = await rig.latest()
    expect(decision?.trail.some(({ because }) => because === 'waits-for-reset')).toBe(false)
  })

  test('a client that leaves is let go, with its slot', async () => {
    const rig = await start(settings, 'codex-team', 'codex-personal')
    for (const source of ['codex-team', 'codex-personal']) spend(rig, source, Date.now() + 15_000)
    const key = rig.newKey('one at a time', { concurrency: 1 })
    const leaving = new AbortController()
    const request = (signal: AbortSignal | null) =>
      fetch(`http://127.0.0.1:${rig.core.port}/codex/v1/responses`, {
        method: 'POST',
        headers: { ...codexCli().headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(response()),
        signal,
      }).catch(() => null)
    const held = request(leaving.signal)
    const isOpen = async () => {
      const { rows } = await rig.core.api.reader.page(10, 0, {})
      return rows.some(({ outcome }) => outcome === null) ? true : null
    }
    await until(isOpen, 'the call is held')
    leaving.abort()
    await held
    const [row] = await rig.rows(1)
    expect(row?.outcome).toBe('client-left')
    rig.set({ waitForResetMs: 0 })
    const next = await request(null)
    expect([next?.status, (await next?.text())?.includes('response.failed')]).toEqual([200, true])
  })
})

describe('shadow mode', () => {
  test('serves in listed order and keeps what routing would have done in the decision', async () => {
    const rig = await start({ shadow: true, defaultStrategy: 'least-used' }, 'codex-team', 'codex-personal')
    const reading = (usedPercent: number) => ({
      ...{ window: 'weekly', usedPercent, lengthMs: 604_800_000, resetAtMs: Date.now() + 3_600_000, family: null },
      ...{ source: 'poll' as const, readAtMs: Date.now() },
    })
    rig.core.api.conditions.read(id('codex-team'), [reading(80)])
    rig.core.api.conditions.read(id('codex-personal'), [reading(5)])
    const answer = await rig.call('/codex/v1/responses', response(), codexCli())
    expect(answer.text).toContain('Codex, team')
    const { decision } = await rig.latest()
    expect([decision?.strategy, decision?.shadow?.backendId, decision?.shadow?.strategy]).toEqual([
      'ordered',
      'codex-personal:gpt-5.5',
      'least-used',
    ])
  })
})

describe('state of an earlier answer', () => {
  const ofProfile = (name: string) => ({ previous_response_id: name, store: true })

  test('goes to the profile that made it, whatever the order says now; without it the turn ends in the vendor’s own error', async () => {
    const rig = await start({})
    await rig.add('openai-key', { createdAtMs: 1 })
    await rig.add('codex-team')
    const first = await rig.call('/codex/v1/responses', response({ stream: true, store: true }))
    const made = /"id":"(resp_[\w-]+)"/.exec(first.text)?.[1] ?? ''
    expect(made).not.toBe('')
    expect(rig.practice.seen({ operation: 'generate' })[0]?.sourceId).toBe('openai-key')

    const pool = rig.core.api.sources.picture.pools.find('gpt-5.5')?.pool
    const order = ['codex-team:gpt-5.5', 'openai-key:gpt-5.5'] as never[]
    rig.core.api.sources.arrange({ ...rig.core.api.sources.arrangement(pool!.id), tiers: [order] }, null)
    rig.practice.forgetSeen()
    await rig.call('/codex/v1/responses', response(ofProfile(made)))
    expect(rig.practice.seen({ operation: 'generate' }).map(({ sourceId }) => sourceId)).toEqual(['openai-key'])

    const profile = rig.core.api.sources.get(id('openai-key'))!
    rig.core.api.sources.save({ ...profile, active: false })
    const lost = await rig.call('/codex/v1/responses', response(ofProfile(made)))
    expect([lost.status, JSON.parse(lost.text).error.code]).toEqual([400, 'previous_response_not_found'])
  })

  test('a turn’s token stays with its account and is left out elsewhere', async () => {
    const rig = await start({}, 'codex-team', 'codex-personal')
    const first = await rig.call('/codex/v1/responses', response(), codexCli('turn'))
    const token = first.headers['x-codex-turn-state'] ?? ''
    const withToken = { headers: { ...codexCli('turn').headers, 'x-codex-turn-state': token } }
    rig.practice.forgetSeen()
    await rig.call('/codex/v1/responses', response(), withToken)
    rig.practice.script('codex-team', { reply: { kind: 'error', error: 'spent' } })
    const moved = await rig.call('/codex/v1/responses', response(), withToken)
    expect([moved.status, moved.text.includes('Codex, personal')]).toEqual([200, true])
    const sent = rig.practice
      .seen({ operation: 'generate' })
      .map(({ sourceId, rawHeaders }) => [sourceId, rawHeaders.includes(token)])
    expect(sent).toEqual([
      ['codex-team', true],
      ['codex-team', true],
      ['codex-personal', false],
    ])
  })
})
