/** Where rows of one height stand in a scrolled box, also when there are more of them than a box can be high. */

export const rowHeight = 28

/** Chromium caps an element near 33.5 million px; beyond this, the scrollbar moves by more than it shows. */
const mostPixels = 30_000_000

export interface Layout {
  readonly count: number
  /** The row below which an explanation stands, and how high that is. */
  readonly openAt: number | null
  readonly openHeight: number
  /** Of the part where rows are seen. */
  readonly viewHeight: number
}

/** As high as everything would be. */
const fullHeight = ({ count, openAt, openHeight }: Layout): number =>
  count * rowHeight + (openAt === null ? 0 : openHeight)

/** As high as the box is made. */
export const boxHeight = (layout: Layout): number => Math.min(fullHeight(layout), mostPixels)

/** How many pixels of rows pass for one pixel of the scrollbar. */
function scale(layout: Layout): number {
  const seen = boxHeight(layout) - layout.viewHeight
  return seen <= 0 ? 1 : Math.max(1, (fullHeight(layout) - layout.viewHeight) / seen)
}

/** The place within all rows that a scrollbar stands for, and back. */
export const offsetAt = (scrollTop: number, layout: Layout): number => scrollTop * scale(layout)
export const scrollTopAt = (offset: number, layout: Layout): number => offset / scale(layout)

/** Upper edge of a row within all rows. */
export const topOf = (index: number, { openAt, openHeight }: Layout): number =>
  index * rowHeight + (openAt !== null && index > openAt ? openHeight : 0)

export interface Span {
  readonly first: number
  /** Not part of it any more. */
  readonly end: number
}

/** The rows in sight, and some on either side. */
export function rowsInSight(scrollTop: number, layout: Layout, more: number): Span {
  const from = offsetAt(scrollTop, layout)
  const first = Math.max(0, indexAt(from, layout) - more)
  const end = Math.min(layout.count, indexAt(from + layout.viewHeight, layout) + 1 + more)
  return { first: Math.min(first, end), end }
}

function indexAt(offset: number, { openAt, openHeight }: Layout): number {
  const below = openAt === null ? Number.POSITIVE_INFINITY : (openAt + 1) * rowHeight
  if (offset < below) return Math.floor(offset / rowHeight)
  return Math.max(openAt ?? 0, Math.floor((offset - openHeight) / rowHeight))
}

/** Where to scroll so that a stretch of all rows is in sight, its beginning rather than its end. */
export function scrollTopFor(top: number, height: number, scrollTop: number, layout: Layout): number {
  const offset = offsetAt(scrollTop, layout)
  if (top < offset || height > layout.viewHeight) return scrollTopAt(top, layout)
  if (top + height > offset + layout.viewHeight) return scrollTopAt(top + height - layout.viewHeight, layout)
  return scrollTop
}
