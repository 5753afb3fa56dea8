/** What hosts lack: believed for an hour, bounded. */
import { expect, test } from 'vitest'
import { Lacking } from '../../src/main/state/lacking.ts'

test('is believed for an hour, of this place only', () => {
  let now = 0
  const places = new Lacking({ elapsedMs: () => now })
  places.note('one')
  now = 3_599_999
  expect([places.has('one'), places.has('two')]).toEqual([true, false])
  now = 3_600_000
  expect(places.has('one')).toBe(false)
})

test('the oldest are forgotten first', () => {
  const places = new Lacking({ elapsedMs: () => 0 })
  for (let n = 0; n < 257; n += 1) places.note(`place ${n}`)
  expect([places.has('place 0'), places.has('place 1'), places.has('place 256')]).toEqual([false, true, true])
})
