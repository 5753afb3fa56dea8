/** MAG's strategies, sentence by sentence of its documentation. */
import { describe, expect, test } from 'vitest'
import { freshPace } from '../../src/main/domain/seat.ts'
import { freshRound } from '../../src/main/strategies/round-state.ts'
import { apiKey, ask, inHours, learner, nowMs, seat } from './kit.ts'

const keysOf = (...args: Parameters<typeof ask>): readonly string[] => ask(...args).keys

describe('ordered', () => {
  test('tries a pool in its order, whatever is known of the seats', () => {
    const seats = [seat('a', { used: 99 }), learner('b'), seat('c', { used: 1 }), apiKey('d')]
    expect(keysOf('ordered', seats)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('smart', () => {
  test('of those with quota to spare, the one whose allowance renews soonest goes first', () => {
    const seats = [seat('later', { soonMs: [inHours(90)] }), seat('sooner', { soonMs: [inHours(20)] })]
    expect(keysOf('smart', seats)).toEqual(['sooner', 'later'])
  })
  test('the biggest window decides — the week, not the five hours in it', () => {
    const seats = [seat('a', { soonMs: [inHours(90), inHours(1)] }), seat('b', { soonMs: [inHours(20), inHours(4)] })]
    expect(keysOf('smart', seats)).toEqual(['b', 'a'])
  })
  test('the next window decides only when the bigger one renews in the same UTC hour', () => {
    const seats = [
      seat('a', { soonMs: [inHours(20) + 50 * 60_000, inHours(4)] }),
      seat('b', { soonMs: [inHours(20) + 5 * 60_000, inHours(2)] }),
      seat('c', { soonMs: [inHours(21), inHours(1)] }),
    ]
    expect(keysOf('smart', seats)).toEqual(['b', 'a', 'c'])
  })
  test('an account with no week goes by its five hours, ahead of every week but one renewing sooner', () => {
    const seats = [
      seat('week', { soonMs: [inHours(90), inHours(3)] }),
      seat('ending week', { soonMs: [inHours(1), inHours(3)] }),
      seat('five hours alone', { soonMs: [inHours(3)] }),
    ]
    expect(keysOf('smart', seats)).toEqual(['ending week', 'five hours alone', 'week'])
  })
  test('an absent window sorts after one that is there', () => {
    const seats = [
      apiKey('key'),
      seat('one', { soonMs: [inHours(90)] }),
      seat('two', { soonMs: [inHours(90), inHours(3)] }),
    ]
    expect(keysOf('smart', seats)).toEqual(['two', 'one', 'key'])
  })
  test('those alike stay in their order, keeping the prompt cache warm', () => {
    const seats = [seat('c'), seat('a'), seat('b')]
    expect(keysOf('smart', seats)).toEqual(['c', 'a', 'b'])
  })
  test('past 90 % used, whichever has the most left', () => {
    const seats = [seat('a', { used: 96, soonMs: [inHours(1)] }), seat('b', { used: 92 }), seat('c', { used: 89.9 })]
    expect(keysOf('smart', seats)).toEqual(['c', 'b', 'a'])
  })
  test('one all but used up only when nothing else can take it, one that goes on on its credits first of those', () => {
    const seats = [
      seat('used up', { used: 98 }),
      seat('credits', { used: 100, credits: true }),
      seat('low', { used: 97.9 }),
    ]
    expect(keysOf('smart', seats)).toEqual(['low', 'credits', 'used up'])
  })
  test('one not known that tells what it has left as it answers goes first', () => {
    expect(keysOf('smart', [seat('known'), learner('unknown'), apiKey('key')])).toEqual(['unknown', 'known', 'key'])
  })
  test('the shares may be set per pool', () => {
    const seats = [seat('a', { used: 60, soonMs: [inHours(1)] }), seat('b', { used: 40 })]
    expect(keysOf('smart', seats)).toEqual(['a', 'b'])
    expect(keysOf('smart', seats, freshRound, { lowShare: 50 })).toEqual(['b', 'a'])
  })
})

describe('rotate', () => {
  test('starts each request one further along the pool', () => {
    const seats = [seat('a'), seat('b'), seat('c')]
    let state = freshRound
    const firsts = Array.from({ length: 7 }, () => {
      const asked = ask('rotate', seats, state)
      state = asked.next
      return asked.keys.join('')
    })
    expect(firsts).toEqual(['abc', 'bca', 'cab', 'abc', 'bca', 'cab', 'abc'])
  })
})

describe('least-used', () => {
  test('by the share used, then by what was sent lately', () => {
    const seats = [
      seat('a', { used: 20, tokens: 9 }),
      seat('b', { used: 20, tokens: 3 }),
      seat('c', { used: 10, tokens: 99 }),
    ]
    expect(keysOf('least-used', seats)).toEqual(['c', 'b', 'a'])
  })
  test('other keys go by what was sent lately, as unused', () => {
    const seats = [seat('a', { used: 1 }), apiKey('k', { tokens: 7 }), apiKey('l', { tokens: 2 })]
    expect(keysOf('least-used', seats)).toEqual(['l', 'k', 'a'])
  })
  test('of those all but used up, one that goes on on its credits goes first', () => {
    const seats = [seat('a', { used: 98 }), seat('b', { used: 100, credits: true }), seat('c', { used: 97 })]
    expect(keysOf('least-used', seats)).toEqual(['c', 'b', 'a'])
  })
  test('credits count for nothing while there is allowance left', () => {
    const seats = [seat('a', { used: 30, credits: true }), seat('b', { used: 20 })]
    expect(keysOf('least-used', seats)).toEqual(['b', 'a'])
  })
})

describe('pace', () => {
  test('the most left per hour goes first: 90 % with two hours to go before 3 % with one', () => {
    const seats = [seat('nearly empty', { pace: 3 }), seat('full', { pace: 45 })]
    expect(keysOf('pace', seats)).toEqual(['full', 'nearly empty'])
  })
  test('80 % left with an hour to go before a fresh account', () => {
    expect(keysOf('pace', [seat('fresh', { pace: freshPace }), seat('a', { pace: 80 })])).toEqual(['a', 'fresh'])
  })
  test('paces alike within a tenth go by what was sent lately, then in their order', () => {
    const seats = [
      seat('a', { pace: 1, tokens: 5 }),
      seat('b', { pace: 0.95, tokens: 1 }),
      seat('c', { pace: 0.91, tokens: 5 }),
      seat('d', { pace: 0.5, tokens: 0 }),
    ]
    expect(keysOf('pace', seats)).toEqual(['b', 'a', 'c', 'd'])
  })
  test('bands are drawn from each band’s highest down, so three paces a twelfth apart don’t go round in a circle', () => {
    const seats = [
      seat('low', { pace: 0.84, tokens: 0 }),
      seat('middle', { pace: 0.92, tokens: 1 }),
      seat('high', { pace: 1, tokens: 2 }),
    ]
    expect(keysOf('pace', seats)).toEqual(['middle', 'high', 'low'])
  })
  test('one running low would not set a band’s top', () => {
    const seats = [
      seat('low', { used: 95, pace: 1.05 }),
      seat('a', { pace: 1, tokens: 2 }),
      seat('b', { pace: 0.91, tokens: 1 }),
    ]
    expect(keysOf('pace', seats)).toEqual(['b', 'a', 'low'])
  })
  test('one at 90 % of any window waits until the others can’t answer, one all but used up until nothing else can', () => {
    const seats = [
      seat('used up', { used: 99, pace: 50 }),
      seat('low', { used: 90, pace: 40 }),
      seat('lower', { used: 95, pace: 60 }),
      seat('fine', { used: 89, pace: 0.1 }),
      seat('credits', { used: 100, credits: true }),
    ]
    expect(keysOf('pace', seats)).toEqual(['fine', 'low', 'lower', 'credits', 'used up'])
  })
  test('one not known goes first while it isn’t', () => {
    expect(keysOf('pace', [seat('a', { pace: 99 }), learner('b')])).toEqual(['b', 'a'])
  })
  test('a key has no week', () => {
    expect(keysOf('pace', [apiKey('key'), seat('a', { pace: 0.01 })])).toEqual(['a', 'key'])
  })
})

describe('weighted', () => {
  const picks = (weights: Readonly<Record<string, number>>, count: number): string => {
    let state = freshRound
    const seats = Object.entries(weights).map(([key, weight]) => seat(key, { weight }))
    return Array.from({ length: count }, () => {
      const asked = ask('weighted', seats, state)
      state = asked.next
      return asked.keys[0]
    }).join('')
  }
  test('spreads smoothly: the heavy one is not sent all its share in a row', () => {
    expect(picks({ a: 5, b: 1, c: 1 }, 7)).toBe('aabacaa')
  })
  test('the one picked goes first, the others after it in their order, for failover', () => {
    const seats = [seat('a', { weight: 1 }), seat('b', { weight: 3 }), seat('c', { weight: 1 })]
    expect(keysOf('weighted', seats)).toEqual(['b', 'a', 'c'])
  })
  test('a weight below one counts as one', () => {
    expect(picks({ a: 0, b: -4 }, 4)).toBe('abab')
  })
  test('those resting are left out of the round; when every one rests, the order stays as listed', () => {
    expect(keysOf('weighted', [seat('a', { weight: 9, resting: true }), seat('b')])).toEqual(['b', 'a'])
    const resting = [seat('a', { resting: true }), seat('b', { weight: 9, resting: true })]
    expect(ask('weighted', resting)).toEqual({ keys: ['a', 'b'], next: freshRound })
  })
})

describe('free-first', () => {
  test('free seats in their order, then the paid ones in theirs', () => {
    const seats = [seat('a'), apiKey('b', { free: true }), seat('c'), apiKey('d', { free: true })]
    expect(keysOf('free-first', seats)).toEqual(['b', 'd', 'a', 'c'])
  })
  test('a free seat is not pushed behind a paid one for running low', () => {
    expect(keysOf('free-first', [seat('a', { used: 1 }), seat('b', { used: 99, free: true })])).toEqual(['b', 'a'])
  })
  test('on a pool without free models it behaves as in order', () => {
    expect(keysOf('free-first', [seat('b', { used: 99 }), seat('a')])).toEqual(['b', 'a'])
  })
})

test('the clock only enters where a strategy names it', () => {
  const seats = [seat('a', { soonMs: [inHours(9)] }), seat('b', { soonMs: [inHours(4)] })]
  for (const id of ['ordered', 'smart', 'least-used', 'pace', 'free-first']) {
    expect(keysOf(id, seats, freshRound, {}, nowMs + 1e9)).toEqual(keysOf(id, seats))
  }
})
