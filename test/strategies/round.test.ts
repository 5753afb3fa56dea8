/** The weighted round is exact over each cycle, also when affinity keeps conversations elsewhere. */
import { describe, expect, test } from 'vitest'
import { Rounds } from '../../src/main/state/rounds.ts'
import { freshRound, type RoundState } from '../../src/main/strategies/round-state.ts'
import { moveRound, round, settle } from '../../src/main/strategies/weighted.ts'
import { random } from './kit.ts'

const keys = ['a', 'b', 'c', 'd']
const awake = keys.map(() => false)

/** Runs `count` requests; `keeper` may keep a request at another seat than the picked one. */
function run(weights: readonly number[], count: number, keeper: (picked: string) => string): Record<string, number> {
  const served: Record<string, number> = Object.fromEntries(keys.map((key) => [key, 0]))
  let state: RoundState = freshRound
  for (let n = 0; n < count; n += 1) {
    const { picked, next } = round(state, keys, weights, awake)
    const kept = keeper(keys[picked]!)
    state = moveRound(next, keys[picked]!, kept)
    served[kept] = served[kept]! + 1
  }
  return served
}

test.each([[[1, 1, 1, 1]], [[5, 1, 1, 2]], [[7, 3, 2, 9]], [[1, 1_000, 1, 1]]])(
  'each cycle serves every seat exactly its weight: %j',
  (weights) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const cycles = 3
    expect(run(weights, cycles * total, (picked) => picked)).toEqual(
      Object.fromEntries(keys.map((key, index) => [key, cycles * weights[index]!])),
    )
  },
)

test('conversations kept elsewhere count: the new ones make up the share, exactly', () => {
  const weights = [3, 1, 2, 2]
  const next = random(7)
  let left = 40
  // 40 requests are kept at d by affinity, whatever is picked; the others go where the round says.
  const served = run(weights, 240, (picked) => {
    if (left === 0 || next() < 0.5) return picked
    left -= 1
    return 'd'
  })
  expect(served).toEqual({ a: 90, b: 30, c: 60, d: 60 })
})

test('when every one rests nothing is picked and nothing charged', () => {
  expect(round(freshRound, keys, [1, 1, 1, 1], [true, true, true, true])).toEqual({ picked: -1, next: freshRound })
})

test('one resting is left out and comes back without a backlog', () => {
  let state: RoundState = freshRound
  for (let n = 0; n < 10; n += 1) state = round(state, ['a', 'b'], [1, 1], [false, true]).next
  const picks = Array.from({ length: 4 }, () => {
    const { picked, next } = round(state, ['a', 'b'], [1, 1], [false, false])
    state = next
    return picked
  })
  expect(picks).toEqual([0, 1, 0, 1])
})

describe('settling a request', () => {
  const { next } = round(freshRound, keys, [2, 1, 1, 1], awake)
  test('the picked seat serves: as the strategy left it', () => expect(settle(freshRound, next, 'a', 'a')).toBe(next))
  test('another of the round serves: charged to that one', () => {
    expect(settle(freshRound, next, 'a', 'b').charges).toEqual(
      new Map([
        ['a', 2],
        ['b', -4],
        ['c', 1],
        ['d', 1],
      ]),
    )
  })
  test('a seat outside the round serves: nobody is charged, but turns go on', () => {
    const turned = { ...next, turn: 1 }
    expect(settle(freshRound, turned, 'a', null)).toEqual({ ...freshRound, turn: 1 })
  })
  test('what was to be learnt of a seat that does not serve is still to be learnt', () => {
    const learnt = { ...next, learntAtMs: new Map([['a', 5]]) }
    expect(settle(freshRound, learnt, 'a', 'b').learntAtMs).toEqual(new Map())
    expect(settle(freshRound, learnt, 'a', 'a').learntAtMs).toEqual(new Map([['a', 5]]))
  })
})

describe('the owner of rounds', () => {
  const turnOf = (rounds: Rounds) => {
    const { picked, next } = round(rounds.get('p'), ['a', 'b'], [1, 1], [false, false])
    return { scope: 'p', next, seat: ['a', 'b'][picked]!, seats: new Set(['a', 'b']) }
  }
  test('reading a round changes nothing; a commit does, and draws a new number', () => {
    let unit = 0
    const rounds = new Rounds({ unit: () => (unit += 0.1) })
    expect([turnOf(rounds).seat, turnOf(rounds).seat]).toEqual(['a', 'a'])
    rounds.commit(turnOf(rounds))
    expect([turnOf(rounds).seat, rounds.get('p').draw]).toEqual(['b', 0.1])
  })
  test('a request served by the next in line is charged to that one, also when others came between', () => {
    const rounds = new Rounds({ unit: () => 0.5 })
    const failed = turnOf(rounds)
    rounds.commit(failed)
    rounds.commit(turnOf(rounds))
    rounds.moveTo(failed, 'b')
    expect(rounds.get('p').charges).toEqual(
      new Map([
        ['a', 2],
        ['b', -2],
      ]),
    )
    rounds.moveTo(failed, 'stranger')
    expect(rounds.get('p').charges).toEqual(
      new Map([
        ['a', 2],
        ['b', -2],
      ]),
    )
  })
  test('forget drops the named rounds, and every one with none named', () => {
    const rounds = new Rounds({ unit: () => 0.5 })
    const other = { ...turnOf(rounds), scope: 'q' }
    rounds.commit(turnOf(rounds))
    rounds.commit(other)
    rounds.forget('p')
    expect([rounds.get('p'), rounds.get('q').charge]).toEqual([freshRound, 2])
    rounds.forget()
    expect(rounds.get('q')).toBe(freshRound)
  })
})
