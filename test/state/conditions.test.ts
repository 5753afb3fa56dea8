/** Health and quota of each source: rests that grow, circuits that open, marks that lift on evidence (routing §6, §7). */
import { describe, expect, test } from 'vitest'
import { healthy, type Subject } from '../../src/main/domain/health.ts'
import type { Reading } from '../../src/main/domain/quota.ts'
import { Announcer } from '../../src/main/state/announcer.ts'
import { Conditions } from '../../src/main/state/conditions.ts'
import { sourceId } from '../../src/shared/ids.ts'

const a = sourceId('a')
const subject: Subject = { sourceId: a, backendId: 'a:m' as never, host: 'https://host.test' }

function made(unit = 0.5) {
  let nowMs = 1_000_000
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} }
  const conditions = new Conditions(
    healthy,
    new Map(),
    clock,
    { unit: () => unit, bytes: () => new Uint8Array() },
    new Announcer(),
  )
  const fail = (): void => conditions.apply(subject, { kind: 'source-failed', sentence: 'It failed.' })
  return { conditions, fail, turn: (byMs: number) => (nowMs += byMs), now: () => nowMs }
}

describe('a failing source rests 5 s, then twice as long each time, up to 5 min', () => {
  test('the lengths', () => {
    const { conditions, fail, now } = made()
    const lengths: number[] = []
    for (let n = 0; n < 9; n += 1) {
      fail()
      lengths.push((conditions.health.sources.get(a)?.untilMs ?? 0) - now())
    }
    expect(lengths).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300].map((seconds) => seconds * 1_000))
  })

  test('spread by a fifth either way', () => {
    const length = (unit: number): number => {
      const { conditions, fail, now } = made(unit)
      fail()
      return (conditions.health.sources.get(a)?.untilMs ?? 0) - now()
    }
    expect([length(0), length(0.5), length(1)]).toEqual([4_000, 5_000, 6_000])
  })

  test('an answer ends it all', () => {
    const { conditions, fail } = made()
    for (let n = 0; n < 3; n += 1) fail()
    conditions.apply(subject, { kind: 'host-rests', sentence: 'x' })
    conditions.apply(subject, { kind: 'not-entitled' })
    conditions.apply(subject, { kind: 'served' })
    const { sources, hosts, circuits, notEntitled } = conditions.health
    expect([sources.size, hosts.size, circuits.size, notEntitled.size]).toEqual([0, 0, 0, 0])
  })
})

test('a host rests 5 s to 60 s, and only that host', () => {
  const { conditions, now } = made()
  const lengths: number[] = []
  for (let n = 0; n < 6; n += 1) {
    conditions.apply(subject, { kind: 'host-rests', sentence: 'Overloaded.' })
    lengths.push((conditions.health.hosts.get(subject.host)?.untilMs ?? 0) - now())
  }
  expect(lengths).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  expect([conditions.health.sources.size, conditions.health.hosts.size]).toEqual([0, 1])
})

describe('a circuit', () => {
  const kind = (conditions: Conditions) => conditions.health.circuits.get(a)?.kind

  test('opens after three failures within a minute, not with a minute between them', () => {
    const quick = made()
    quick.fail()
    quick.fail()
    expect(kind(quick.conditions)).toBe('closed')
    quick.fail()
    expect(kind(quick.conditions)).toBe('open')
    const slow = made()
    for (let n = 0; n < 5; n += 1) {
      slow.fail()
      slow.turn(31_000)
    }
    expect(kind(slow.conditions)).toBe('closed')
  })

  test('lets one trial through once it is due; a failed trial opens it again, an answer closes it', () => {
    const { conditions, fail, turn } = made()
    for (let n = 0; n < 3; n += 1) fail()
    conditions.probe(a)
    expect(kind(conditions)).toBe('open')
    turn(20_000)
    conditions.probe(a)
    expect(kind(conditions)).toBe('half-open')
    const trial = conditions.health
    conditions.probe(a)
    expect(conditions.health).toBe(trial)
    fail()
    expect(conditions.health.circuits.get(a)).toMatchObject({ kind: 'open', opened: 2 })
    turn(40_000)
    conditions.probe(a)
    conditions.apply(subject, { kind: 'served' })
    expect(kind(conditions)).toBeUndefined()
  })
})

test('a model that is not offered is asked for again after an hour, or at once after a new sign-in', () => {
  const { conditions, now } = made()
  conditions.apply(subject, { kind: 'not-entitled' })
  expect(conditions.health.notEntitled.get(subject.backendId)).toBe(now() + 3_600_000)
  conditions.lift(a)
  expect(conditions.health.notEntitled.size).toBe(0)
})

describe('a spent window', () => {
  const mark = (atMs: number) => ({ window: 'five-hour', family: null, untilMs: atMs + 60_000, sinceMs: atMs })
  const reading = (usedPercent: number, readAtMs: number, window = 'five-hour'): Reading => ({
    window,
    usedPercent,
    lengthMs: null,
    resetAtMs: readAtMs + 60_000,
    family: null,
    source: 'poll',
    readAtMs,
  })

  for (const [name, read, lifted] of [
    ['a newer reading with room lifts it', (atMs: number) => reading(40, atMs + 1), true],
    ['a newer reading that is full does not', (atMs: number) => reading(100, atMs + 1), false],
    ['the reading of the refusal itself does not', (atMs: number) => reading(40, atMs), false],
    ['a reading of another window does not', (atMs: number) => reading(40, atMs + 1, 'weekly'), false],
  ] as const) {
    test(name, () => {
      const { conditions, now } = made()
      conditions.spend(a, [mark(now())])
      conditions.read(a, [read(now())])
      expect(conditions.snapshot(a).spent.length).toBe(lifted ? 0 : 1)
    })
  }

  test('a later mark of the same window replaces the earlier one', () => {
    const { conditions, now, turn } = made()
    conditions.spend(a, [mark(now())])
    turn(5)
    conditions.spend(a, [mark(now())])
    expect(conditions.snapshot(a).spent).toEqual([mark(now())])
  })
})

test('only what changed is handed over for saving, once', () => {
  const { conditions, fail, now } = made()
  expect(conditions.takeChanges()).toEqual({ health: null, quota: new Map() })
  fail()
  conditions.spend(a, [{ window: 'weekly', family: null, untilMs: null, sinceMs: now() }])
  const { health, quota } = conditions.takeChanges()
  expect([health?.sources.size, [...quota.keys()]]).toEqual([1, [a]])
  expect(conditions.takeChanges()).toEqual({ health: null, quota: new Map() })
})
