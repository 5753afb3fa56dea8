/** The log as a grid of which only the rows in sight exist; one of them may be open. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of our own, since only the rows in sight exist
// biome-ignore-all lint/a11y/useFocusableInteractive: of the grid, the row takes the focus
import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { useNow } from '../state/now.ts'
import { useTexts } from '../text/texts.ts'
import type { CallLog } from './call-log.ts'
import { CallLine, columns } from './call-row.tsx'
import type { Order } from './call-types.ts'
import { Explanation } from './explanation.tsx'
import { columnsWithOrder, nextPlace } from './grid-keys.ts'
import type { Names } from './names.ts'
import { boxHeight, type Layout, offsetAt, rowHeight, rowsInSight, scrollTopFor, topOf } from './scroll.ts'

export interface CallGridProps {
  readonly log: CallLog
  readonly names: Names
  readonly order: Order
  readonly onOrder: () => void
  readonly open: OpenCall | null
  readonly onOpen: (open: OpenCall | null) => void
  readonly turn: Turn
}

/** Another number: back to the top. */
export interface Turn {
  readonly number: number
  readonly takesFocus: boolean
}

export interface OpenCall {
  readonly id: string
  readonly place: number
}

const headHeight = 33
const rowsBeyond = 8

export function CallGrid({ log, names, order, onOrder, open, onOpen, turn }: CallGridProps) {
  const { calls: texts } = useTexts()
  const { rows, total } = useStore(log.store)
  const grid = useRef<HTMLDivElement>(null)
  const [scrollTop, setScrollTop] = useState(0)
  const [viewHeight, setViewHeight] = useState(0)
  const [openHeight, setOpenHeight] = useState(0)
  const [active, setActive] = useState(0)
  /** The row that is to have the focus once it exists. */
  const focusAt = useRef<number | null>(null)
  const todayMs = new Date(useNow(60_000)).setHours(0, 0, 0, 0)
  const count = total ?? 0
  const openAt = open === null || open.place >= count ? null : open.place
  const layout: Layout = { count, openAt, openHeight, viewHeight }
  const { first, end } = rowsInSight(scrollTop, layout, rowsBeyond)

  useEffect(() => log.look({ first, end }), [log, first, end])
  // Following means: nothing is being read, so the newest may take the first line.
  useEffect(() => log.follow(scrollTop < 1 && open === null && active === 0), [log, scrollTop, open, active])

  useLayoutEffect(() => {
    const box = grid.current
    if (box === null) return
    const measure = () => setViewHeight(Math.max(0, box.clientHeight - headHeight))
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    measure()
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    if (grid.current !== null) grid.current.scrollTop = 0
    setScrollTop(0)
    setActive(0)
    focusAt.current = turn.takesFocus ? 0 : null
  }, [turn])

  const reveal = (top: number, height: number, now: Layout = layout) => {
    const box = grid.current
    if (box === null) return
    box.scrollTop = scrollTopFor(top, height, box.scrollTop, now)
    setScrollTop(box.scrollTop)
  }

  // A call that was asked for by its address, or opened near the lower edge, comes into sight with its explanation.
  const openId = open?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it opens or its explanation grows, not while scrolling
  useLayoutEffect(() => {
    if (openAt === null || viewHeight === 0) return
    setActive(openAt)
    reveal(topOf(openAt, layout), rowHeight + openHeight)
  }, [openId, openAt, openHeight, viewHeight === 0])

  useLayoutEffect(() => {
    if (focusAt.current === null) return
    const row = grid.current?.querySelector<HTMLElement>(`[data-place="${focusAt.current}"]`)
    if (row === null || row === undefined) return
    focusAt.current = null
    row.focus({ preventScroll: true })
  })

  const goTo = (place: number) => {
    setActive(place)
    focusAt.current = place
    reveal(topOf(place, layout), rowHeight)
  }
  const toggle = (place: number) => {
    setActive(place)
    focusAt.current = place
    const call = rows.get(place)
    if (call === undefined || openAt === place) onOpen(null)
    else onOpen({ id: call.id, place })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isOnRow = (event.target as HTMLElement).dataset.place !== undefined
    if (event.key === 'Escape' && openAt !== null) {
      event.preventDefault()
      toggle(openAt)
    }
    if (!isOnRow || event.altKey || event.ctrlKey || event.metaKey) return
    const place = nextPlace(event.key, active, count, Math.max(1, Math.floor(viewHeight / rowHeight) - 1))
    if (place !== null) {
      event.preventDefault()
      goTo(place)
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      toggle(active)
    }
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-place]')
    // Marking a text to copy it is no press.
    if (row === null || String(getSelection() ?? '') !== '') return
    toggle(Number(row.dataset.place))
  }
  const measured = useCallback((height: number) => setOpenHeight(height), [])

  const shift = scrollTop - offsetAt(scrollTop, layout)
  const isActiveInSight = active >= first && active < end
  const places = Array.from({ length: end - first }, (_, step) => first + step)
  // What has the focus stays, out of sight, or the focus would be lost.
  if (!isActiveInSight && active < count) places.push(active)
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={texts.grid}
      aria-rowcount={count + 1 + (openAt === null ? 0 : 1)}
      aria-colcount={columns.length}
      aria-busy={total === null}
      className="call-grid"
      onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocus={({ target }) => {
        if (target.dataset.place !== undefined) setActive(Number(target.dataset.place))
      }}
    >
      <div role="rowgroup" className="call-head-group">
        <div role="row" aria-rowindex={1} className="call-head">
          {columns.map((column, index) => (
            <div
              key={column}
              role="columnheader"
              aria-colindex={index + 1}
              aria-sort={columnsWithOrder(column, order)}
              className={`call-cell cell-${column}`}
            >
              {column === 'time' ? (
                <button type="button" className="call-sort" onClick={onOrder} title={texts[`${order}First`]}>
                  {texts.columns.time}
                  {order === 'newest' ? (
                    <ArrowDown size={12} aria-hidden="true" />
                  ) : (
                    <ArrowUp size={12} aria-hidden="true" />
                  )}
                </button>
              ) : (
                texts.columns[column]
              )}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="call-body" style={{ height: boxHeight(layout) }}>
        {places.map((place) => {
          const call = rows.get(place)
          const isInSight = place >= first && place < end
          const top = isInSight ? topOf(place, layout) + shift : place < first ? -2 * rowHeight : boxHeight(layout)
          const isOpen = place === openAt
          const after = openAt !== null && place > openAt ? 1 : 0
          return (
            <Fragment key={place}>
              <CallLine
                place={place}
                rowIndex={place + 2 + after}
                call={call}
                keyLabel={call === undefined ? undefined : names.keys.get(call.keyId)}
                wantedLabel={
                  call?.stoodInFor == null ? undefined : (names.sources.get(call.stoodInFor) ?? call.stoodInFor)
                }
                top={top}
                todayMs={todayMs}
                isOpen={isOpen}
                canFocus={isActiveInSight ? place === active : place === Math.min(first + rowsBeyond, end - 1)}
              />
              {isOpen && open !== null && (
                <Explanation
                  id={open.id}
                  row={call?.id === open.id ? call : undefined}
                  names={names}
                  rowIndex={place + 3}
                  top={top + rowHeight}
                  onHeight={measured}
                />
              )}
            </Fragment>
          )
        })}
      </div>
    </div>
  )
}
