/** The system refuses once: a few places here; `npm run test:deep` sweeps n from 1 to 30 for each kind. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type FailureKind, withFailure } from './failing-system.ts'

function strace(): boolean {
  try {
    execFileSync('strace', ['-e', 'trace=none', 'true'], { stdio: 'pipe' })
    return true
  } catch {
    console.log('skipped F38 on the program: strace is not here, or may not trace')
    return false
  }
}

const places: readonly (readonly [kind: FailureKind, nth: number])[] = [
  ['write', 25],
  ['sync', 4],
  ['rename', 2],
  ['open', 12],
  ['read', 4],
  ['connect', 3],
]

test.skipIf(!strace()).each(places)('F38 the %s number %i fails: nothing acknowledged is lost', async (kind, nth) => {
  const figures = await withFailure(kind, nth)
  expect(figures).toEqual({ ...figures, runs: 1, wrong: [] })
})
