/** A thousand streams of every kind at once: each complete one byte for byte, no broken one with a clean end. */
import { expect, test } from 'vitest'
import { mixedRun } from './mixed-run.ts'

const streams = Number(process.env.POINTSMAN_MIXED_STREAMS ?? 1_000)

test(`${streams} mixed streams arrive as they were sent`, async () => {
  const figures = await mixedRun(streams, 40)
  expect(figures.wrong).toEqual([])
  expect(figures.complete + figures.broken + figures.left).toBe(streams)
  expect(Math.min(figures.complete, figures.broken, figures.left)).toBeGreaterThan(streams / 50)
})
