/** Five rounds of what the long run does a thousand times. */
import { expect, test } from 'vitest'
import { refreshRounds } from './refresh-rounds.ts'

test('F61 100 calls that find their token expired make one renewal, five times over', async () => {
  expect(await refreshRounds(5, 100)).toEqual({ rounds: 5, calls: 500, refreshes: 5, wrong: [] })
})
