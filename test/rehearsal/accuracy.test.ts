/** A rehearsal against the truth: the same simulated days, really lived under the other strategy. */
import { describe, expect, test, vi } from 'vitest'
import { strategies } from '../../src/main/strategies/registry.ts'
import { type Logged, logOf, rehearsed } from './kit.ts'

// Much to compute: a bound on a hang, not on the time it takes.
vi.setConfig({ testTimeout: 120_000 })

const deep = process.env.POINTSMAN_DEEP === '1'
const days = deep ? 30 : 10
const others = deep ? strategies.map(({ id }) => id) : ['smart', 'weighted', 'reset-first']
const truths = new Map<string, Logged>()
/** What really happens; each month is lived once. */
function lived(strategy: string, load: number): Logged {
  const name = `${strategy} ${load}`
  const found = truths.get(name) ?? logOf(strategy, load, days)
  truths.set(name, found)
  return found
}
const weeklyLost = (month: Logged['month']): number => {
  const ended = [...month.books.values()].flat().filter(({ window, left }) => window === 'weekly' && left === 0)
  return ended.reduce((sum, { lost, granted }) => sum + (100 * lost) / granted, 0) / ended.length
}

describe.each([
  { strategy: 'weighted', load: 60 },
  { strategy: 'ordered', load: 90 },
  { strategy: 'smart', load: 100 },
])(`${days} days lived under $strategy at $load %`, ({ strategy, load }) => {
  const { log, month } = lived(strategy, load)

  test('rehearsed as they were, they come out as they were, but for a few calls in a hundred', async () => {
    const result = await rehearsed(log)
    expect(result.calls).toBe(month.calls)
    const { served, refused, switches, coldStarts } = result.actual
    expect({ served, refused, switches, coldStarts }).toEqual({
      served: month.calls - month.refused,
      refused: month.refused,
      switches: month.switches,
      coldStarts: month.coldStarts,
    })
    expect(result.moved / result.calls).toBeLessThan(0.04)
    expect(Math.abs(result.would.refused - month.refused) / month.calls).toBeLessThan(0.01)
  })

  test.each(others)('rehearsed under %s they come near what that strategy really does', async (other) => {
    const result = await rehearsed(log, { strategy: other })
    const truth = lived(other, load).month
    expect(Math.abs(result.would.refused - truth.refused) / truth.calls).toBeLessThan(0.03)
    expect(Math.abs(result.would.coldStarts - truth.coldStarts) / truth.calls).toBeLessThan(0.03)
    const weekly = result.windows.find(({ window }) => window === 'weekly')
    expect(Math.abs((weekly?.wouldLostPercent ?? 0) - weeklyLost(truth))).toBeLessThan(8)
  })
})

test('a rehearsal comes out the same each time', async () => {
  const { log } = logOf('ordered', 90, 4)
  expect(await rehearsed(log, { strategy: 'latency' })).toEqual(await rehearsed(log, { strategy: 'latency' }))
})
