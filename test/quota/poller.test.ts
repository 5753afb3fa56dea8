/** The poller over a hand-moved clock: what it reads, when, and what a read does to the account. */
import { describe, expect, test } from 'vitest'
import { healthy } from '../../src/main/domain/health.ts'
import type { Account } from '../../src/main/domain/source.ts'
import type { UpstreamFailure, WebAnswer } from '../../src/main/ports.ts'
import { Poller } from '../../src/main/quota/poller.ts'
import { Announcer } from '../../src/main/state/announcer.ts'
import { Conditions } from '../../src/main/state/conditions.ts'
import { WakeWatch } from '../../src/main/state/wake-watch.ts'
import {
  account,
  chance,
  codes,
  HandClock,
  HandLog,
  HandSources,
  HandWeb,
  hourMs,
  json,
  minuteMs,
  noHosts,
  oauth,
  settle,
  startMs,
  work,
} from '../accounts/kit.ts'

const codexAccount = (change: Partial<Account> = {}): Account =>
  account({ provider: 'codex', plan: 'plus', custody: 'pointsman', ...change })

const usage = (usedPercent: number, resetAtMs: number, plan = 'plus'): WebAnswer =>
  json(200, {
    plan_type: plan,
    rate_limit: {
      allowed: true,
      limit_reached: false,
      primary_window: { used_percent: usedPercent, limit_window_seconds: 18_000, reset_at: resetAtMs / 1_000 },
      secondary_window: null,
    },
  })

function rig(source: Account, answer: () => WebAnswer | UpstreamFailure) {
  const clock = new HandClock()
  const web = new HandWeb().otherwise(answer)
  const log = new HandLog()
  const sources = new HandSources(clock, source)
  const conditions = new Conditions(healthy, new Map(), clock, chance, new Announcer())
  const state = { vaultOpen: true }
  const poller = new Poller({
    ...{ clock, chance, log, web, sources, conditions, hosts: noHosts },
    tokenFor: async () => oauth(),
    vaultOpen: () => state.vaultOpen,
  })
  /** Lets time pass in steps, as a real clock does. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 5_000) {
      clock.advance(Math.min(5_000, left))
      await settle()
    }
  }
  return { clock, web, log, sources, conditions, poller, state, pass }
}

describe('a Codex account', () => {
  test('is read at the start and on each five-minute mark, by GET, under Pointsman’s own name', async () => {
    const { poller, web, pass, clock } = rig(codexAccount(), () => usage(20, startMs + 4 * hourMs))
    poller.start()
    await pass(11 * minuteMs)
    expect(web.requests.map(({ method, url }) => [method, url])).toEqual(
      Array(3).fill(['GET', 'https://chatgpt.com/backend-api/wham/usage']),
    )
    const names = web.requests[0]?.headers.filter((_, at) => at % 2 === 0)
    expect(names).not.toContain('user-agent')
    await poller.close()
    await pass(hourMs)
    expect([web.requests.length, clock.waiting]).toEqual([3, 0])
  })

  test('is read through its own proxy; one that can’t be used fails the read and nothing else', async () => {
    const proxy = 'http://proxy.test:8080'
    const failure = { kind: 'proxy', why: 'the proxy’s address is malformed' } as const
    const { poller, web, pass, log, conditions } = rig(codexAccount({ proxy }), () => failure)
    poller.start()
    await pass(5_000)
    expect(web.requests.map((request) => request.proxy)).toEqual([proxy])
    expect(log.lines).toEqual([{ event: 'usage-unread', source: work, why: failure.why }])
    expect([conditions.health.sources.size, conditions.snapshot(work).readings]).toEqual([0, []])
    await poller.close()
  })

  test('gives readings with their source and age', async () => {
    const { poller, conditions, pass } = rig(codexAccount(), () => usage(20, startMs + 4 * hourMs))
    poller.start()
    await pass(5_000)
    const [reading] = conditions.snapshot(work).readings
    expect(reading).toMatchObject({ window: 'five-hour', usedPercent: 20, source: 'poll' })
    await poller.close()
  })

  test('another plan drops saved windows and marks, and ends its rests', async () => {
    const { poller, conditions, pass, sources } = rig(codexAccount(), () => usage(5, startMs + 4 * hourMs, 'pro'))
    conditions.spend(work, [{ window: 'weekly', family: null, untilMs: startMs + 90 * hourMs, sinceMs: startMs }])
    conditions.apply(
      { sourceId: work, backendId: 'work:m' as never, host: 'h' },
      { kind: 'source-rests', because: 'billing', untilMs: null, sentence: 'No credits.' },
    )
    poller.start()
    await pass(5_000)
    expect(conditions.snapshot(work).spent).toEqual([])
    expect(conditions.health.sources.size).toBe(0)
    expect(sources.get(work)).toMatchObject({ plan: 'pro' })
    await poller.close()
  })

  const rests = [
    ['burst', true],
    ['billing', true],
    ['account-refused', true],
    ['cooldown', false],
    ['key-rejected', false],
  ] as const
  test.each(rests)('a reading with room ends a rest by %s: %s', async (because, ends) => {
    const { poller, conditions, pass } = rig(codexAccount(), () => usage(5, startMs + 4 * hourMs))
    const effect = { kind: 'source-rests', because, untilMs: startMs + 18 * 24 * hourMs, sentence: '.' } as const
    conditions.apply({ sourceId: work, backendId: 'work:m' as never, host: 'h' }, effect)
    poller.start()
    await pass(5_000)
    expect(conditions.health.sources.has(work)).toBe(true) // a refusal is believed for a minute
    await pass(5 * minuteMs)
    expect(conditions.health.sources.has(work)).toBe(!ends)
    await poller.close()
  })

  test('a mark is lifted by the next poll that shows room, and stays while it shows none', async () => {
    let used = 100
    const { poller, conditions, pass } = rig(codexAccount(), () => usage(used, startMs + 4 * hourMs))
    const spent = { window: 'five-hour', family: null, untilMs: startMs + 4 * hourMs, sinceMs: startMs }
    conditions.spend(work, [spent])
    poller.start()
    await pass(6 * minuteMs)
    expect(conditions.snapshot(work).spent).toEqual([spent])
    used = 0
    await pass(6 * minuteMs)
    expect(conditions.snapshot(work).spent).toEqual([])
    await poller.close()
  })

  test('F69 while reads fail the last values stay, nobody is signed out, and the wait grows', async () => {
    let answer = usage(20, startMs + 40 * hourMs)
    const { poller, conditions, pass, web, sources, log } = rig(codexAccount(), () => answer)
    poller.start()
    await pass(5_000)
    const before = conditions.snapshot(work)
    answer = json(401, { detail: 'Unauthorized' })
    await pass(60 * minuteMs)
    expect(conditions.snapshot(work)).toEqual(before)
    expect(sources.get(work)).toMatchObject({ signedOut: null })
    expect(web.requests.length).toBeLessThan(9)
    expect(log.events).toContain('usage-unread')
    expect(JSON.stringify(log.lines)).not.toContain(oauth().accessToken)
    await poller.close()
  })
})

describe('who is not read', () => {
  const quiet: readonly (readonly [string, Partial<Account>])[] = [
    ['a switched-off account', { active: false }],
    ['a signed-out account', { signedOut: { because: 'x', sinceMs: 0 } }],
    ['a Claude account on a setup token', { provider: 'claude', custody: 'setup-token' }],
  ]
  test.each(quiet)('%s', async (_name, change) => {
    const { poller, web, pass } = rig(codexAccount(change), () => usage(20, startMs + hourMs))
    poller.start()
    poller.watch()
    await pass(hourMs)
    expect(web.requests).toEqual([])
    await poller.close()
  })

  test('nobody while the vault is locked; then at once', async () => {
    const { poller, web, pass, state } = rig(codexAccount(), () => usage(20, startMs + 40 * hourMs))
    state.vaultOpen = false
    poller.start()
    await pass(20 * minuteMs)
    expect(web.requests.length).toBe(0)
    state.vaultOpen = true
    await pass(20_000)
    expect(web.requests.length).toBe(1)
    await poller.close()
  })
})

describe('a Claude account', () => {
  const claude = account({ provider: 'claude', custody: 'pointsman' })
  const body = json(200, { limits: [{ kind: 'session', percent: 40, resets_at: null, scope: null }] })

  test('is read only while somebody looks, at most every ten minutes', async () => {
    const { poller, web, pass } = rig(claude, () => body)
    poller.start()
    await pass(hourMs)
    expect(web.requests.length).toBe(0)
    const stop = poller.watch()
    await pass(25 * minuteMs)
    expect(web.requests.length).toBe(3)
    stop()
    stop()
    await pass(hourMs)
    expect(web.requests.length).toBe(3)
    await poller.close()
  })

  test('a refresh by hand reads at once, once a minute, and not against the vendor’s limit', async () => {
    let answer = body
    const { poller, web, clock } = rig(claude, () => answer)
    poller.start()
    expect(await poller.refresh(work)).toBe(null)
    expect(codes(await poller.refresh(work))).toBe('too_soon')
    clock.advance(minuteMs)
    answer = json(429, {}, ['retry-after', '1600'])
    expect(codes(await poller.refresh(work))).toBe('usage_unreadable')
    clock.advance(2 * minuteMs)
    const refused = await poller.refresh(work)
    expect(refused?.sentence).toContain('its vendor asks to wait until 2026-11-30 08:27 UTC')
    expect(web.requests.length).toBe(2)
    await poller.close()
  })
})

describe('after sleep or a jump of the clock', () => {
  const wall = (ms: number) => (clock: HandClock) => {
    clock.wallMs += ms
  }
  const jumps: readonly (readonly [string, (clock: HandClock) => void, boolean])[] = [
    ['F24 a sleep that only the wall clock sees', wall(8 * hourMs), true],
    [
      'F24 a stopped process: both clocks went on',
      (clock) => {
        clock.wallMs += minuteMs
        clock.monotonicMs += minuteMs
      },
      true,
    ],
    ['F60 an hour forward', wall(hourMs), true],
    ['F60 an hour back', wall(-hourMs), true],
    ['F60 ten years forward', wall(87_600 * hourMs), true],
    ['a tick that is a few seconds late is none', wall(4_000), false],
  ]
  test.each(jumps)('%s', async (_name, jump, seen) => {
    const { poller, web, clock, pass } = rig(codexAccount(), () => usage(20, clock.wallMs + 4 * hourMs))
    let noticed = 0
    const watch = new WakeWatch(clock, () => {
      noticed += 1
      poller.jumped()
    })
    watch.start()
    poller.start()
    await pass(10_000)
    const before = web.requests.length
    jump(clock)
    await pass(15_000)
    expect(noticed).toBe(seen ? 1 : 0)
    // At most one read for each account.
    expect(web.requests.length - before).toBeLessThanOrEqual(1)
    watch.close()
    await poller.close()
  })
})
