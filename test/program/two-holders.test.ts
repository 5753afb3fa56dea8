/** A hundred rounds of two programs, two processes, one login. */
import { expect, test } from 'vitest'
import { twoHolders } from './two-holders.ts'

test('F66 of two programs with one login exactly one renews it, a hundred times over, and the other says which', async () => {
  const { by, ...figures } = await twoHolders(100)
  expect(figures).toEqual({ rounds: 100, refreshes: 100, reuses: 0, wrong: [] })
  console.log(`the first program renewed ${by[0]} times, the second ${by[1]} times`)
})
