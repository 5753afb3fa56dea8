/** Split and broken answers in small; `npm run test:deep` splits at every byte and sends 50,000 broken ones. */
import { expect, test } from 'vitest'
import { fuzzAnswers } from './fuzz-answers.ts'

test('answers split anywhere arrive unchanged in three dialects, and 1,000 broken ones fool nobody', async () => {
  const figures = await fuzzAnswers(61, 1_000, 500_000)
  expect(figures.wrong).toEqual([])
  expect(figures.splits).toBeGreaterThan(600)
  expect(Math.min(figures.whole, figures.refused)).toBeGreaterThan(100)
  expect(figures.cut).toBeGreaterThan(0)
})
