/** The clock jumps under the program; `npm run test:deep` also waits until it has noticed each jump. */
import { expect, test } from 'vitest'
import { clockJumps, everyJump } from './clock-jumps.ts'

test('F60 the wall clock jumps by an hour and by ten years: every call is served, none lasts a negative time', async () => {
  const figures = await clockJumps(everyJump, false)
  expect(figures).toEqual({ ...figures, jumps: everyJump.length, wrong: [] })
  expect(figures.calls).toBe(everyJump.length * 12)
})
