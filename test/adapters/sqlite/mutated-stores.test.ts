/** Altered store files: 120 here, 10,000 in `npm run test:deep`. */
import { expect, test } from 'vitest'
import { sequence } from '../../program/sequence.ts'
import { freshFolder } from './ground.ts'
import { mutateStores } from './mutated-stores.ts'

const files = process.env.POINTSMAN_DEEP === undefined ? 120 : 10_000

test(`F40 F46 ${files} altered stores open soundly or are refused in our words`, () => {
  const figures = mutateStores(freshFolder(), files, sequence(5))
  expect(figures).toEqual({ ...figures, files, wrong: [] })
  expect(Math.min(figures.unnoticed, figures.salvaged)).toBeGreaterThan(files / 20)
})
