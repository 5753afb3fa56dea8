/** A killed process loses nothing that was acknowledged; `npm run test:deep` does the same at full length. */
import { expect, test } from 'vitest'
import { freshFolder, systemClock } from './ground.ts'
import { killLoop } from './kill-loop.ts'

test('F33 kill -9 at any moment loses no acknowledged call, mixes no settings and leaves both files sound', async () => {
  let state = 42
  const unit = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const report = await killLoop(freshFolder(), 20, unit, systemClock)
  expect(report).toEqual({ cycles: 20, acknowledged: report.acknowledged, lost: 0, damaged: 0, mixed: 0, leftOpen: 0 })
  expect(report.acknowledged).toBeGreaterThan(400)
})
