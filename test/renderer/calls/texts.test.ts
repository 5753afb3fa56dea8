/** CSV cells, moments and money, slots of the charts, keys of the grid: tables. */
import { expect, test } from 'vitest'
import { callFormat } from '../../../src/renderer/calls/call-formatting.ts'
import { lastOf, slotsOf, summed } from '../../../src/renderer/calls/chart-data.ts'
import { csvCell } from '../../../src/renderer/calls/csv.ts'
import { nextPlace } from '../../../src/renderer/calls/grid-keys.ts'
import { filterOf, isNarrowed, noFilter, startOf } from '../../../src/renderer/calls/log-choices.ts'

test.each([
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(1)', `"'@SUM(1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r1', `"'\r1"`],
  ['  =1', `"'  =1"`],
  ['＝1', `"'＝1"`],
  ['say "hi", twice', '"say ""hi"", twice"'],
  ['a=b', '"a=b"'],
  ['', '""'],
  [null, '""'],
  [-1, '"-1"'],
  [12.5, '"12.5"'],
])('T4.6 the CSV cell of %j is quoted and is no formula', (cell, expected) => {
  expect(csvCell(cell)).toBe(expected)
})

test('times, money and shares are short and have their unit', () => {
  const format = callFormat('en-GB')
  expect([0.4, 310, 999.4, 999.6, 1_940, 99_949, 99_960, 185_000].map(format.took)).toEqual([
    '0 ms',
    '310 ms',
    '999 ms',
    '1.0 s',
    '1.9 s',
    '99.9 s',
    '1 min 40 s',
    '3 min 5 s',
  ])
  expect([0, 2_600, 4_200_000, 310_000_000, 38_400_000_000].map(format.money)).toEqual([
    '$0.00',
    '< $0.0001',
    '$0.0042',
    '$0.31',
    '$38.40',
  ])
  // All of them is said of all of them only.
  expect([1, 0.999, 0.5, 0].map(format.percent)).toEqual(['100 %', '99 %', '50 %', '0 %'])
  expect([0, 48_210, 1_234_567].map(format.count)).toEqual(['0', '48,210', '1.2m'])
})

test('charted sums and readings fall into whole slots of local time, the present one last', () => {
  const hourMs = 3_600_000
  const slots = slotsOf('day', 100.5 * hourMs, 0)
  expect([slots.slotsMs.length, slots.slotsMs.at(-1), slots.toMs]).toEqual([24, 100 * hourMs, 101 * hourMs])
  expect(slotsOf('month', 100.5 * hourMs, 2 * hourMs).slotsMs.at(-1)).toBe(94 * hourMs)
  const total = { failed: 0, inputTokens: 0, outputTokens: 0, cost: 0 }
  const totals = [
    { ...total, slotMs: 100 * hourMs, calls: 2 },
    { ...total, slotMs: 100 * hourMs, calls: 3 },
  ]
  expect(summed(totals, slots, ({ calls }) => calls).slice(-2)).toEqual([0, 5])
  const samples = [
    { atMs: 100.1 * hourMs, usedPercent: 10 },
    { atMs: 100.2 * hourMs, usedPercent: 12 },
  ]
  expect(lastOf(samples, slots).slice(-2)).toEqual([null, 12])
})

test.each([
  ['ArrowDown', 3, 4],
  ['ArrowDown', 9, 9],
  ['ArrowUp', 0, 0],
  ['PageDown', 7, 9],
  ['PageUp', 5, 1],
  ['Home', 5, 0],
  ['End', 0, 9],
  ['a', 0, null],
])('%s in row %i of ten leads to %s', (key, from, to) => {
  expect(nextPlace(key, from, 10, 4)).toBe(to)
})

test('a filter holds only what was chosen', () => {
  const none = { ...noFilter, order: 'newest' } as const
  expect([filterOf(none), isNarrowed(none)]).toEqual([{}, false])
  expect(filterOf({ ...none, text: ' x ', model: 'gpt-5.5', outcome: 'open', fromMs: 5 })).toEqual({
    text: 'x',
    model: 'gpt-5.5',
    outcome: 'open',
    fromMs: 5,
  })
  expect(startOf('hour', 7_200_000)).toBe(3_600_000)
})
