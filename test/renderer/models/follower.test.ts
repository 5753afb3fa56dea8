/** Who follows and when: from the router's own order and the forecast of the account that serves now. */
import { expect, it } from 'vitest'
import { followerOf } from '../../../src/renderer/models/follower.ts'
import type { Backend, Forecast, Pool } from '../../../src/renderer/models/pools.ts'

const backend = (sourceId: string, family: string | null = null) =>
  ({
    backendId: `${sourceId}:m`,
    sourceId,
    sourceLabel: sourceId.toUpperCase(),
    tightest: { window: 'weekly', family, resetAtMs: null },
  }) as Backend

const pool = (order: readonly string[], family: string | null = null): Pool =>
  ({ serving: { order }, tiers: [[backend('a', family), backend('b')], [backend('c')]] }) as unknown as Pool

const runsOut = (sourceId: string, ...ends: readonly (readonly [string | null, number | null])[]): Forecast =>
  ({ sourceId, windows: ends.map(([family, runsOutAtMs]) => ({ family, runsOutAtMs })) }) as unknown as Forecast

it.each([
  ['the first window to end counts', pool(['a:m', 'c:m']), [runsOut('a', [null, 9], [null, 5])], ['A', 'C', 5]],
  ['another family’s window doesn’t', pool(['a:m', 'b:m']), [runsOut('a', ['x', 5], [null, 9])], ['A', 'B', 9]],
  ['the model’s own does', pool(['a:m', 'b:m'], 'x'), [runsOut('a', ['x', 5], [null, 9])], ['A', 'B', 5]],
  ['what lasts until its reset has no follower', pool(['a:m', 'b:m']), [runsOut('a', [null, null])], null],
  ['nor has what stands alone', pool(['a:m']), [runsOut('a', [null, 5])], null],
  ['nor what isn’t measured', pool(['c:m', 'a:m']), [runsOut('a', [null, 5])], null],
  ['nobody serves, nobody follows', pool([]), [runsOut('a', [null, 5])], null],
] as const)('%s', (_, asked, forecasts, expected) => {
  const [now, next, atMs] = expected ?? []
  expect(followerOf(asked, forecasts)).toEqual(expected === null ? null : { now, next, atMs })
})
