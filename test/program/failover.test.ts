/** The promise of the router as the issue says it: failures go unseen with a second account, and pass untouched without. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../src/main/practice/practice.ts'
import { fiveHour } from '../../src/main/practice/practice.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { id, type Rig, startRig, until } from './start-core.ts'

const open: Rig[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()))
})

async function start(...sources: string[]): Promise<Rig> {
  const rig = await startRig({ sources })
  open.push(rig)
  return rig
}

const overloadInside: Behaviour = {
  reply: { kind: 'vendor', content: { fail: { afterEvents: 1, error: 'overloaded' } } },
}
const failures: readonly { readonly name: string; readonly behaviour: Behaviour; readonly because: string }[] = [
  { name: 'a 429 with a spent window', behaviour: { reply: { kind: 'error', error: 'spent' } }, because: 'exhausted' },
  { name: 'a 503', behaviour: { reply: { kind: 'status', status: 503, body: '{}' } }, because: 'overloaded' },
  { name: 'a 500', behaviour: { reply: { kind: 'error', error: 'server-error' } }, because: 'server-error' },
  {
    name: 'a reset before the first byte',
    behaviour: { reply: { kind: 'no-head', end: 'reset' } },
    because: 'lost',
  },
  { name: 'an overload event inside a 200', behaviour: overloadInside, because: 'overloaded' },
]

describe('with two accounts the client never sees the first one fail', () => {
  for (const { name, behaviour, because } of failures) {
    test(`${name}, on a Codex account`, async () => {
      const rig = await start('codex-team', 'codex-personal')
      rig.practice.script('codex-team', behaviour)
      const answer = await rig.call('/codex/v1/responses', response(), codexCli())
      expect([answer.status, answer.end]).toEqual([200, 'whole'])
      expect(answer.text).toContain('Codex, personal')
      const { call, executions, decision } = await rig.latest()
      expect(executions.map((one) => [one.sourceId, one.because, one.outcome === 'done'])).toEqual([
        ['codex-team', because, false],
        ['codex-personal', 'done', true],
      ])
      expect([call.outcome, call.attempts, call.sourceId]).toEqual(['done', 2, 'codex-personal'])
      expect(decision?.sentence).toContain('after Codex, team (')
    })

    test(`${name}, on a Claude account`, async () => {
      const rig = await start('claude-work', 'claude-personal')
      rig.practice.script('claude-work', behaviour)
      const answer = await rig.call('/claude/v1/messages', message({ stream: true }), claudeCode())
      expect([answer.status, answer.end]).toEqual([200, 'whole'])
      expect(answer.text.match(/message_start"/g)?.length).toBe(1)
      const { executions } = await rig.latest()
      expect(executions.map((one) => [one.sourceId, one.because])).toEqual([
        ['claude-work', because],
        ['claude-personal', 'done'],
      ])
    })
  }

  test('an overload event on one host moves on to a joined profile on another host', async () => {
    const rig = await start('codex-team')
    await rig.add('openai-key', { createdAtMs: 5_000 })
    const pool = rig.core.api.sources.picture.pools.find('gpt-5.5')?.pool
    expect(pool?.places.map((place) => place.backend.source.id)).toEqual(['openai-key', 'codex-team'])
    rig.core.api.sources.arrange(
      {
        poolId: pool?.id ?? ('' as never),
        tiers: [['codex-team:gpt-5.5', 'openai-key:gpt-5.5'] as never],
        disabled: [],
        strategy: null,
        options: {},
      },
      null,
    )
    rig.practice.script('codex-team', overloadInside)
    const answer = await rig.call('/codex/v1/responses', response(), codexCli())
    expect(answer.text).toContain('OpenAI key')
    const { executions } = await rig.latest()
    expect(executions.map((one) => [one.sourceId, one.because])).toEqual([
      ['codex-team', 'overloaded'],
      ['openai-key', 'done'],
    ])
  })
})

describe('a spent account', () => {
  test('rests until its reset and not longer, and comes back by itself', async () => {
    const rig = await start('codex-team', 'codex-personal')
    const resetAtMs = Math.ceil((Date.now() + 1_500) / 1_000) * 1_000
    rig.practice.setWindows('codex-team', [fiveHour(100, resetAtMs, 0, 1)])
    rig.practice.setWindows('codex-personal', [fiveHour(1, Date.now(), 3_600_000, 0)])
    const served = async (): Promise<string> => {
      const answer = await rig.call('/codex/v1/responses', response(), {})
      expect(answer.status).toBe(200)
      return answer.text.includes('Codex, team') ? 'team' : 'personal'
    }
    expect(await served()).toBe('personal')
    const [mark] = rig.core.api.conditions.snapshot(id('codex-team')).spent
    expect(mark?.untilMs).toBe(resetAtMs)
    const seenAtMs: number[] = []
    await until(async () => {
      const who = await served()
      seenAtMs.push(Date.now())
      return who === 'team' ? true : null
    }, 'the account serves again')
    expect(seenAtMs.at(-1)).toBeGreaterThanOrEqual(resetAtMs)
    const asked = rig.practice.seen({ sourceId: 'codex-team', operation: 'generate' }).length
    expect(asked).toBe(2)
  })

  test('comes back before its reset once a reading shows room', async () => {
    const rig = await start('codex-team', 'codex-personal')
    rig.practice.script('codex-team', { reply: { kind: 'error', error: 'spent' } })
    const first = await rig.call('/codex/v1/responses', response())
    expect(first.text).toContain('Codex, personal')
    const spentMark = rig.core.api.conditions.snapshot(id('codex-team')).spent[0]
    expect(spentMark?.untilMs).toBeGreaterThan(Date.now())
    rig.core.api.conditions.read(id('codex-team'), [
      {
        window: spentMark?.window ?? '',
        usedPercent: 40,
        lengthMs: 5 * 3_600_000,
        resetAtMs: Date.now() + 3_600_000,
        family: null,
        source: 'poll',
        readAtMs: Date.now() + 1,
      },
    ])
    const second = await rig.call('/codex/v1/responses', response())
    expect(second.text).toContain('Codex, team')
  })
})

describe('with one account every answer reaches the client as if there were no router', () => {
  const passed: readonly { readonly name: string; readonly status: number; readonly behaviour: Behaviour }[] = [
    ...(['spent', 'overloaded', 'server-error', 'timeout', 'invalid', 'safety', 'billing'] as const).map((error) => ({
      name: `the vendor’s ${error}`,
      status: 0,
      behaviour: { reply: { kind: 'error', error } } as Behaviour,
    })),
    { name: 'a 503 in words nobody knows', status: 503, behaviour: odd(503) },
    { name: 'a 418 in words nobody knows', status: 418, behaviour: odd(418) },
  ]
  for (const { name, behaviour } of passed) {
    test(name, async () => {
      const rig = await start('claude-work')
      rig.practice.usually('claude-work', behaviour)
      const body = message()
      const through = await rig.call('/claude/v1/messages', body, claudeCode())
      const direct = await straight(rig, '/v1/messages', body)
      expect([through.status, normal(through.text), through.end]).toEqual([direct.status, normal(direct.text), 'whole'])
      for (const header of ['retry-after', 'content-type', 'anthropic-ratelimit-unified-status', 'x-should-retry']) {
        expect([header, through.headers[header]]).toEqual([header, direct.headers[header]])
      }
    })
  }

  test('F10 an overload event as the first event of a 200 stream', async () => {
    const rig = await start('claude-work')
    rig.practice.usually('claude-work', overloadInside)
    const body = message({ stream: true })
    const through = await rig.call('/claude/v1/messages', body, claudeCode())
    const direct = await straight(rig, '/v1/messages', body)
    expect([through.status, normal(through.text), through.end]).toEqual([200, normal(direct.text), 'whole'])
    const { call } = await rig.latest()
    expect(call.outcome).toBe('failed')
  })

  test('F5 a reset before the first byte is a reset', async () => {
    const rig = await start('claude-work')
    rig.practice.script('claude-work', { reply: { kind: 'no-head', end: 'reset' } })
    const answer = await rig.call('/claude/v1/messages', message(), claudeCode())
    expect([answer.status, answer.end]).toEqual([0, 'ECONNRESET'])
    const { call, executions } = await rig.latest()
    expect([call.outcome, executions.map((one) => one.outcome)]).toEqual(['unknown-outcome', ['unknown-outcome']])
  })
})

function odd(status: number): Behaviour {
  return { reply: { kind: 'status', status, headers: ['content-type', 'text/x-odd'], body: 'an \u0000 odd \xff body' } }
}

/** Ids that differ from request to request. */
const normal = (text: string): string =>
  text.replace(/practice_\d{8}/g, 'practice_N').replace(/"resets_(at|in_seconds)":\d+/g, '"resets"')

async function straight(rig: Rig, path: string, body: object): ReturnType<typeof fetchWhole> {
  const credential = rig.core.api.vault.read('credential/claude-work' as never)
  if (credential?.kind !== 'oauth') throw new Error('the account has no login')
  return fetchWhole(`${rig.practice.origins.claude}${path}`, body, credential.accessToken)
}

async function fetchWhole(
  url: string,
  body: object,
  token: string,
): Promise<{ status: number; text: string; headers: Record<string, string | undefined> }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      ...claudeCode('another session').headers,
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'anthropic-beta': 'oauth-2025-04-20',
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) }
}
