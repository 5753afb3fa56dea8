/** Where rows stand: every row is reached, none moves by rounding, also beyond what a box can be high. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boxHeight,
  type Layout,
  offsetAt,
  rowHeight,
  rowsInSight,
  scrollTopAt,
  scrollTopFor,
  topOf,
} from '../../../src/renderer/calls/scroll.ts'

const layouts: fc.Arbitrary<Layout> = fc
  .record({
    count: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1_000_000, max: 5_000_000 })),
    open: fc.option(fc.double({ min: 0, max: 0.999_999, noNaN: true })),
    openHeight: fc.integer({ min: 0, max: 900 }),
    viewHeight: fc.integer({ min: 28, max: 1_400 }),
  })
  .map(({ count, open, ...rest }) => ({ count, openAt: open === null ? null : Math.floor(open * count), ...rest }))

const most = (layout: Layout): number => Math.max(0, boxHeight(layout) - layout.viewHeight)

describe('in every layout', () => {
  test('the box is never higher than Chromium can make it', () => {
    fc.assert(fc.property(layouts, (layout) => boxHeight(layout) <= 30_000_000))
    expect(boxHeight({ count: 1_000_000, openAt: null, openHeight: 0, viewHeight: 500 })).toBe(28_000_000)
  })

  test('the scrollbar at its ends shows the first and the last row', () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        expect(rowsInSight(0, layout, 0).first).toBe(0)
        expect(rowsInSight(most(layout), layout, 0).end).toBe(layout.count)
      }),
    )
  })

  test('the rows in sight cover the view and are few', () => {
    fc.assert(
      fc.property(layouts, fc.double({ min: 0, max: 1, noNaN: true }), (layout, share) => {
        const scrollTop = share * most(layout)
        const { first, end } = rowsInSight(scrollTop, layout, 0)
        const from = offsetAt(scrollTop, layout)
        expect(topOf(first, layout)).toBeLessThanOrEqual(from + 1e-6)
        if (end < layout.count) expect(topOf(end, layout)).toBeGreaterThanOrEqual(from + layout.viewHeight - 1e-6)
        expect(end - first).toBeLessThanOrEqual(layout.viewHeight / rowHeight + 3)
      }),
    )
  })

  test('any row can be scrolled to', () => {
    fc.assert(
      fc.property(layouts, fc.double({ min: 0, max: 0.999_999, noNaN: true }), (layout, share) => {
        const place = Math.floor(share * layout.count)
        const top = topOf(place, layout)
        const scrollTop = Math.min(most(layout), Math.max(0, scrollTopFor(top, rowHeight, 0, layout)))
        const offset = offsetAt(scrollTop, layout)
        expect(top).toBeGreaterThanOrEqual(offset - 1e-3)
        expect(top + rowHeight).toBeLessThanOrEqual(offset + layout.viewHeight + 1e-3)
        expect(scrollTopAt(offset, layout)).toBeCloseTo(scrollTop, 3)
      }),
    )
  })

  test('what is in sight already is not scrolled', () => {
    const layout = { count: 100, openAt: null, openHeight: 0, viewHeight: 280 }
    expect(scrollTopFor(topOf(12, layout), rowHeight, 300, layout)).toBe(300)
  })
})
