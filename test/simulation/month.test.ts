/** The simulated month: under every strategy and load each granted token is used, lost or left, and each call counted. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { strategies } from '../../src/main/strategies/registry.ts'
import { loads, simulate } from './month.ts'
import { page } from './page.ts'

// Much to compute: a bound on a hang, not on the time it takes.
vi.setConfig({ testTimeout: 120_000 })

/** The short form; `npm run test:deep` runs the whole month. */
const deep = process.env.POINTSMAN_DEEP === '1'
const days = deep ? 30 : 8

describe.each(strategies.map(({ id }) => id))('%s', (strategy) => {
  test.each(loads)(`at %d %% of capacity over ${days} days: granted = used + lost + left in every window`, (load) => {
    const month = simulate(strategy, load, days)
    const entries = [...month.books.values()].flat()
    expect(entries.length).toBeGreaterThan(30)
    for (const { granted, used, lost, left, over, endsMs, beganMs } of entries) {
      expect(used + lost + left).toBe(granted)
      expect(Math.min(used, lost, left, over)).toBeGreaterThanOrEqual(0)
      expect(endsMs).toBeGreaterThan(beganMs)
    }
    // Each served token was counted once in a five-hour and once in a weekly window.
    for (const window of ['five-hour', 'weekly']) {
      const found = entries.filter((entry) => entry.window === window)
      expect(found.reduce((sum, { used, over }) => sum + used + over, 0)).toBe(month.served)
    }
    expect(month.calls).toBeGreaterThan(500)
    expect(month.served <= month.asked && (month.refused === 0) === (month.served === month.asked)).toBe(true)
    expect(month.coldStarts).toBeGreaterThanOrEqual(month.switches)
  })
})

test('the month is the same each time: nothing but the seed decides', () => {
  expect(simulate('latency', 90, 3)).toEqual(simulate('latency', 90, 3))
})

// The page shows the whole month, so only the whole month can be compared with it.
if (deep) {
  test('docs/strategies.md holds what the simulation says now', () => {
    expect(readFileSync(join(import.meta.dirname, '../../docs/strategies.md'), 'utf8')).toBe(page())
  })
}
