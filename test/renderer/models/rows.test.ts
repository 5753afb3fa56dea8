/** Tiers and the rows that are dragged: the same thing in two shapes, and every move keeps every backend. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dividerKey,
  firstRows,
  isDivider,
  moved,
  placeOf,
  rowsOf,
  type Step,
  stepped,
  type Tiers,
  tiersOf,
} from '../../../src/renderer/models/rows.ts'

const id = (number: number): string => `source-${number}:model`
const steps: readonly Step[] = ['up', 'down', 'top', 'bottom', 'tier-above', 'tier-below', 'new-tier', 'remove-divider']

/** One to twelve backends, cut into tiers anywhere. */
const tiers: fc.Arbitrary<Tiers> = fc
  .array(fc.boolean(), { minLength: 1, maxLength: 12 })
  .map((cuts) => tiersOf(cuts.flatMap((cut, number) => (cut ? [dividerKey(1), id(number)] : [id(number)]))))

/** Lets a property pick rows by numbers that fit any list. */
const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 4 })
const at = <T>(list: readonly T[], number: number): T => list[number % list.length] as T

describe('tiers and rows', () => {
  it('are the same thing: there and back changes nothing', () => {
    fc.assert(
      fc.property(tiers, (made) => {
        expect(tiersOf(rowsOf(made))).toEqual(made)
      }),
    )
  })

  it('have one divider less than tiers, none at an end, no two together', () => {
    fc.assert(
      fc.property(tiers, (made) => {
        const rows = rowsOf(made)
        expect(rows.filter(isDivider)).toEqual(made.slice(1).map((_, index) => dividerKey(index + 1)))
        const idle = rows.filter((row, index) => isDivider(row) && isDivider(rows[index + 1] ?? dividerKey(0)))
        expect(idle).toEqual([])
        expect(isDivider(rows[0] ?? '')).toBe(false)
      }),
    )
  })
})

describe('a drop', () => {
  const drop = fc.record({ tiers, picks, target: fc.nat(), side: fc.constantFrom('before' as const, 'after' as const) })

  it('keeps every backend once, the others in their order, the dragged ones together', () => {
    fc.assert(
      fc.property(drop, ({ tiers: made, picks: numbers, target, side }) => {
        const rows = rowsOf(made)
        const keys = new Set(numbers.map((number) => at(rows, number)))
        const next = moved(rows, keys, at(rows, target), side)
        const stays = (key: string): boolean => !keys.has(key)
        expect([...tiersOf(next).flat()].sort()).toEqual([...made.flat()].sort())
        expect(next.filter(stays)).toEqual(rows.filter(stays))
        const first = next.findIndex((key) => keys.has(key))
        expect(next.slice(first, first + keys.size)).toEqual(rows.filter((key) => keys.has(key)))
      }),
    )
  })

  it('lands beside its target', () => {
    fc.assert(
      fc.property(drop, ({ tiers: made, picks: [number = 0], target, side }) => {
        const rows = rowsOf(made)
        const key = at(rows, number)
        const to = at(rows, target)
        if (key === to) return
        const next = moved(rows, new Set([key]), to, side)
        expect(next.indexOf(key) - next.indexOf(to)).toBe(side === 'before' ? -1 : 1)
      }),
    )
  })

  it('on itself or on something unknown changes nothing', () => {
    const rows = rowsOf([[id(1), id(2)], [id(3)]])
    expect(moved(rows, new Set([id(2)]), id(2), 'before')).toEqual(rows)
    expect(moved(rows, new Set([id(2)]), id(2), 'after')).toEqual(rows)
    expect(moved(rows, new Set([id(2)]), 'gone:model', 'after')).toEqual(rows)
  })
})

describe('a step', () => {
  const [a, b, c, d] = [id(1), id(2), id(3), id(4)]
  const start: Tiers = [
    [a, b],
    [c, d],
  ]
  const cases: readonly [string, Step, Tiers | null][] = [
    [a, 'up', null],
    [
      b,
      'up',
      [
        [b, a],
        [c, d],
      ],
    ],
    [b, 'down', [[a], [b, c, d]]],
    [c, 'up', [[a, b, c], [d]]],
    [d, 'down', null],
    [d, 'top', [[d, a, b], [c]]],
    [a, 'bottom', [[b], [c, d, a]]],
    [d, 'tier-above', [[a, b, d], [c]]],
    [a, 'tier-above', null],
    [a, 'tier-below', [[b], [a, c, d]]],
    [c, 'tier-below', [[a, b], [d], [c]]],
    [b, 'new-tier', [[a], [b], [c, d]]],
    [a, 'new-tier', null],
    [c, 'new-tier', null],
    [dividerKey(1), 'up', [[a], [b, c, d]]],
    [dividerKey(1), 'down', [[a, b, c], [d]]],
    [dividerKey(1), 'top', [[a, b, c, d]]],
    [dividerKey(1), 'remove-divider', [[a, b, c, d]]],
    ['gone:model', 'up', null],
  ]
  it.each(cases)('of %s: %s', (key, step, expected) => {
    expect(stepped(start, key, step)).toEqual(expected)
  })

  it('keeps every backend, and says so when nothing would change', () => {
    fc.assert(
      fc.property(tiers, fc.nat(), fc.constantFrom(...steps), (made, number, step) => {
        const key = at(rowsOf(made), number)
        if (step === 'remove-divider' && !isDivider(key)) return
        const next = stepped(made, key, step)
        expect([...(next ?? made).flat()].sort()).toEqual([...made.flat()].sort())
        expect(next).not.toEqual(made)
      }),
    )
  })

  it('up and down undo each other, away from what vanishes', () => {
    fc.assert(
      fc.property(tiers, fc.nat(), (made, number) => {
        const key = at(made.flat(), number)
        const up = stepped(made, key, 'up')
        if (up === null || up.length !== made.length) return
        expect(stepped(up, key, 'down')).toEqual(made)
      }),
    )
  })
})

describe('what is shown', () => {
  it('counts places without dividers', () => {
    expect(placeOf([[id(1), id(2)], [id(3)]], id(3))).toEqual({ place: 3, total: 3 })
  })

  it('cuts a long list after a backend', () => {
    const rows = rowsOf([[id(1), id(2)], [id(3)], [id(4)]])
    expect(firstRows(rows, 2)).toEqual([id(1), id(2)])
    expect(firstRows(rows, 3)).toEqual([id(1), id(2), dividerKey(1), id(3)])
    expect(firstRows(rows, 4)).toEqual(rows)
  })
})
