/** When usage is read, as tables: each row one rule of routing §7, "Polling". */
import { describe, expect, test } from 'vitest'
import type { Reading, Snapshot, Spent } from '../../src/main/domain/quota.ts'
import {
  afterFailure,
  afterSuccess,
  manualWaitMs,
  neverPolled,
  nextPoll,
  type PollHistory,
  type PollSubject,
} from '../../src/main/quota/schedule.ts'

const minute = 60_000
const hour = 60 * minute
/** On a five-minute mark. */
const noon = Date.UTC(2026, 10, 30, 12)

const read = (
  readAtMs: number,
  resetAtMs: number | null = noon + 3 * hour,
  source: Reading['source'] = 'poll',
): Reading => ({
  window: 'five-hour',
  usedPercent: 40,
  lengthMs: 5 * hour,
  resetAtMs,
  family: null,
  source,
  readAtMs,
})
const mark = (untilMs: number | null, sinceMs = noon): Spent => ({ window: 'weekly', family: null, untilMs, sinceMs })
const snapshot = (readings: readonly Reading[], spent: readonly Spent[] = []): Snapshot => ({ readings, spent })
const subject = (provider: 'claude' | 'codex', state: Snapshot, change: Partial<PollSubject> = {}): PollSubject => ({
  provider,
  snapshot: state,
  longRest: false,
  watched: false,
  ...change,
})
const polled = (lastMs: number, change: Partial<PollHistory> = {}): PollHistory => ({
  ...neverPolled,
  lastMs,
  ...change,
})

interface Row {
  readonly rule: string
  readonly subject: PollSubject
  readonly history: PollHistory
  readonly nowMs?: number
  readonly expected: ReturnType<typeof nextPoll>
}

const rows: readonly Row[] = [
  {
    rule: 'a Codex account that was never read is read now',
    subject: subject('codex', snapshot([])),
    history: neverPolled,
    expected: { atMs: noon, because: 'clock' },
  },
  {
    rule: 'Codex is read on the five-minute marks of the clock, not five minutes after the last read',
    subject: subject('codex', snapshot([read(noon - 2 * minute)])),
    history: polled(noon - 2 * minute),
    nowMs: noon - minute,
    expected: { atMs: noon, because: 'clock' },
  },
  {
    rule: 'a read exactly on a mark counts for that mark',
    subject: subject('codex', snapshot([read(noon)])),
    history: polled(noon),
    expected: { atMs: noon + 5 * minute, because: 'clock' },
  },
  {
    rule: 'a poll is skipped while the answers’ headers are fresh',
    subject: subject('codex', snapshot([read(noon + 6 * minute, noon + 3 * hour, 'header')])),
    history: polled(noon),
    nowMs: noon + 6 * minute,
    expected: { atMs: noon + 10 * minute, because: 'clock' },
  },
  {
    rule: 'but for no longer than 15 minutes',
    subject: subject('codex', snapshot([read(noon + 14 * minute, noon + 3 * hour, 'header')])),
    history: polled(noon),
    nowMs: noon + 14 * minute,
    expected: { atMs: noon + 15 * minute, because: 'clock' },
  },
  {
    rule: 'one window that the headers don’t tell of is reason enough to poll',
    subject: subject(
      'codex',
      snapshot([read(noon + 4 * minute, noon + 3 * hour, 'header'), { ...read(noon), window: 'weekly' }]),
    ),
    history: polled(noon),
    expected: { atMs: noon + 5 * minute, because: 'clock' },
  },
  {
    rule: 'an exhausted account is never skipped: its windows may reset early',
    subject: subject('codex', snapshot([read(noon + 4 * minute, noon + 3 * hour, 'header')], [mark(noon + 30 * hour)])),
    history: polled(noon),
    expected: { atMs: noon + 5 * minute, because: 'clock' },
  },
  {
    rule: 'Codex is read 30 s before a reset',
    subject: subject('codex', snapshot([read(noon, noon + 2 * minute)])),
    history: polled(noon),
    expected: { atMs: noon + 1.5 * minute, because: 'before-reset' },
  },
  {
    rule: 'and 30 s after it, also where the one before succeeded',
    subject: subject('codex', snapshot([read(noon + 1.5 * minute, noon + 2 * minute)])),
    history: polled(noon + 1.5 * minute),
    nowMs: noon + 1.5 * minute,
    expected: { atMs: noon + 2.5 * minute, because: 'after-reset' },
  },
  {
    rule: 'Claude is read once 30 s after a reset',
    subject: subject('claude', snapshot([read(noon - hour, noon + 2 * minute, 'header')])),
    history: neverPolled,
    expected: { atMs: noon + 2.5 * minute, because: 'after-reset' },
  },
  {
    rule: 'and not again for the same reset',
    subject: subject('claude', snapshot([read(noon - hour, noon - 2 * minute, 'header')])),
    history: polled(noon - minute),
    expected: null,
  },
  {
    rule: 'a reset that passed while the program was off is read about at once',
    subject: subject('claude', snapshot([read(noon - 9 * hour, noon - 5 * hour, 'header')])),
    history: neverPolled,
    expected: { atMs: noon - 5 * hour + 30_000, because: 'after-reset' },
  },
  {
    rule: 'a mark of an exhausted window is verified after its end',
    subject: subject('claude', snapshot([], [mark(noon + hour)])),
    history: polled(noon),
    expected: { atMs: noon + hour + 30_000, because: 'after-reset' },
  },
  {
    rule: 'Claude is not read while nobody looks, however old the data',
    subject: subject('claude', snapshot([read(noon - 9 * hour, null)])),
    history: neverPolled,
    expected: null,
  },
  {
    rule: 'while the window is open Claude is read once the data is older than 10 minutes',
    subject: subject('claude', snapshot([read(noon - 4 * minute)]), { watched: true }),
    history: neverPolled,
    expected: { atMs: noon + 6 * minute, because: 'watched' },
  },
  {
    rule: 'an account of which nothing is known is read when the window opens',
    subject: subject('claude', snapshot([]), { watched: true }),
    history: neverPolled,
    expected: { atMs: noon, because: 'watched' },
  },
  {
    rule: 'but at most every 10 minutes, also when the answer told nothing',
    subject: subject('claude', snapshot([]), { watched: true }),
    history: polled(noon - 3 * minute),
    expected: { atMs: noon + 7 * minute, because: 'watched' },
  },
  {
    rule: 'a limit that ends in over 24 h is looked at again every 6 h',
    subject: subject('claude', snapshot([], [mark(noon + 60 * hour)])),
    history: polled(noon),
    expected: { atMs: noon + 6 * hour, because: 'long-rest' },
  },
  {
    rule: 'a rest without an end too',
    subject: subject('claude', snapshot([]), { longRest: true }),
    history: polled(noon - 5 * hour),
    expected: { atMs: noon + hour, because: 'long-rest' },
  },
  {
    rule: 'back-off moves every plan',
    subject: subject('codex', snapshot([read(noon)])),
    history: polled(noon, { failures: 2, notBeforeMs: noon + 8 * minute }),
    expected: { atMs: noon + 8 * minute, because: 'clock' },
  },
  {
    rule: 'F60 a clock that was set back by ten years silences nobody',
    subject: subject('codex', snapshot([])),
    history: polled(noon + 87_600 * hour, { notBeforeMs: noon + 87_600 * hour }),
    expected: { atMs: noon + 18 * minute, because: 'clock' },
  },
]

describe('the next read', () => {
  test.each(rows)('$rule', (row) => {
    expect(nextPoll(row.subject, row.history, row.nowMs ?? noon)).toEqual(row.expected)
  })
})

describe('after a failure', () => {
  const chain = (limited: boolean, retryAfterMs: number | null, unit: number): readonly number[] => {
    const waits: number[] = []
    let history = neverPolled
    for (let round = 0; round < 7; round += 1) {
      history = afterFailure(history, limited, retryAfterMs, noon, unit)
      waits.push(Math.round(((history.notBeforeMs ?? 0) - noon) / 1_000))
    }
    return waits
  }
  const waits: readonly (readonly [string, boolean, number | null, number, readonly number[]])[] = [
    ['F69 the wait doubles from one minute to fifteen', false, null, 0.5, [60, 120, 240, 480, 900, 900, 900]],
    ['it is spread downwards by at most 20 %', false, null, 0, [48, 96, 192, 384, 720, 720, 720]],
    ['and upwards by less than 20 %', false, null, 0.999_999, [72, 144, 288, 576, 1_080, 1_080, 1_080]],
    ['a 429 with retry-after 0 waits at least five minutes', true, 0, 0.5, [300, 300, 300, 480, 900, 900, 900]],
    ['the vendor’s own time is honoured', true, 1_600_000, 0.5, [1_600, 1_600, 1_600, 1_600, 1_600, 1_600, 1_600]],
    ['up to a day', true, 18 * 24 * hour, 0.5, Array(7).fill(86_400)],
  ]
  test.each(waits)('%s', (_rule, limited, retryAfterMs, unit, expected) => {
    expect(chain(limited, retryAfterMs, unit)).toEqual(expected)
  })

  test('a success ends it', () => {
    const failed = afterFailure(neverPolled, true, 90_000, noon, 0.5)
    expect(afterSuccess(failed, noon + hour)).toEqual(polled(noon + hour))
  })
})

describe('a refresh by hand', () => {
  const cases: readonly (readonly [string, Partial<PollHistory>, number])[] = [
    ['may go when there was none', {}, 0],
    ['waits for the rest of a minute', { lastManualMs: noon - 20_000 }, 40_000],
    ['may go after a minute', { lastManualMs: noon - minute }, 0],
    ['need not wait for our own back-off', { notBeforeMs: noon + 8 * minute }, 0],
    ['waits for the vendor’s own limit', { notBeforeMs: noon + 8 * minute, vendorAsked: true }, 8 * minute],
    ['F60 may go when the last one lies in the future', { lastManualMs: noon + hour }, 0],
  ]
  test.each(cases)('%s', (_rule, change, expected) => {
    expect(manualWaitMs({ ...neverPolled, ...change }, noon)).toBe(expected)
  })
})
