/** Thoughts for Chat clients: for an hour, by owner, bounded. */
import { expect, test } from 'vitest'
import { KeptThoughts } from '../../src/main/state/kept-thoughts.ts'

const thought = (data: string) => [{ text: 't', opaque: { kind: 'signature' as const, data } }]

test('are found by their owner and nobody else, until an hour has passed', () => {
  let now = 0
  const kept = new KeptThoughts({ elapsedMs: () => now })
  kept.keep('key one', [['call_1', thought('A')]])
  expect([kept.of('key one'), kept.of('key two')]).toEqual([{ call_1: thought('A') }, {}])
  now = 3_599_999
  expect(Object.keys(kept.of('key one'))).toEqual(['call_1'])
  now = 3_600_000
  expect(kept.of('key one')).toEqual({})
})

test('are bounded: the oldest calls and the longest silent owners go first', () => {
  const kept = new KeptThoughts({ elapsedMs: () => 0 })
  for (let n = 0; n < 300; n += 1) kept.keep('owner', [[`call_${n}`, thought('A')]])
  const calls = Object.keys(kept.of('owner'))
  expect([calls.length, calls[0], calls.at(-1)]).toEqual([256, 'call_44', 'call_299'])
  for (let n = 0; n < 64; n += 1) kept.keep(`other ${n}`, [['c', thought('A')]])
  expect([kept.of('owner'), Object.keys(kept.of('other 63'))]).toEqual([{}, ['c']])
})
