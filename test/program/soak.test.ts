/** The soak in small; `npm run test:deep` asks 50,000 times and holds memory to 1 MB per 100,000 calls. */
import { expect, test } from 'vitest'
import { soak } from './soak.ts'

test('a thousand calls, of which one in twenty fails: every row, no fault, all descriptors back', async () => {
  const figures = await soak(1_000, 200)
  expect(figures).toMatchObject({ requests: 1_200, rows: 1_200, faultsLogged: 0, wrong: [] })
  expect(figures.complete).toBeGreaterThan(1_000)
  expect(figures.broken).toBeGreaterThan(20)
})
