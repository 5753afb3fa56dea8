/** The rows of a pool: dragged by mouse or keyboard, moved by `Alt+↑/↓`; one flat list with dividers (stack-notes §4). */
import { type CSSProperties, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { DropIndicator, GridList, useDragAndDrop } from 'react-aria-components'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { BackendRow } from './backend-row.tsx'
import { DividerRow } from './divider-row.tsx'
import { drop, step } from './moves.ts'
import type { Backend, Pool } from './pools.ts'
import { firstRows, isDivider, moved, type RowKey, rowsOf, type Tiers, tiersOf } from './rows.ts'

export interface PoolListProps {
  readonly pool: Pool
  /** As shown, which may be ahead of what is saved. */
  readonly tiers: Tiers
}

/** Longer lists begin folded. */
export const mostShown = 8
export const isLong = (rows: readonly RowKey[]): boolean => rows.filter((key) => !isDivider(key)).length > mostShown + 2

/** Kept free for rows from the start, by the measures of `models.css`: they are drawn a moment after their list. */
export function roomFor(rows: readonly RowKey[]): CSSProperties {
  const dividers = rows.filter(isDivider).length
  return { '--rows': rows.length - dividers, '--dividers': dividers } as CSSProperties
}

export function PoolList({ pool, tiers }: PoolListProps) {
  const texts = useTexts()
  const { models } = texts
  const [isWhole, setWhole] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const wanted = useRef<RowKey | null>(null)
  const rows = rowsOf(tiers)
  const total = tiers.flat().length
  const canFold = isLong(rows)
  const shown = canFold && !isWhole ? firstRows(rows, mostShown) : rows
  const byId = new Map(pool.tiers.flat().map((backend) => [backend.backendId, backend]))
  const nameOf = (key: RowKey): string => visible(byId.get(key)?.sourceLabel ?? models.divider)

  // The row that was moved is another node's neighbour now and may have lost the focus on the way.
  const order = shown.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the order has changed
  useLayoutEffect(() => {
    const key = wanted.current
    wanted.current = null
    if (key !== null) box.current?.querySelector<HTMLElement>(`[role="row"][data-key="${CSS.escape(key)}"]`)?.focus()
  }, [order])

  const keepFocus = (key: RowKey): void => {
    wanted.current = key
  }
  const onKeyDownCapture = (event: KeyboardEvent<HTMLElement>): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    const row = (event.target as HTMLElement).closest<HTMLElement>('[role="row"]')
    const key = row?.dataset.key
    if (key === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (step(pool, key, event.key === 'ArrowUp' ? 'up' : 'down', texts)) keepFocus(key)
  }
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': nameOf(String(key)) })),
    getAllowedDropOperations: () => ['move'],
    onReorder: ({ keys, target }) => {
      if (target.dropPosition === 'on') return
      const dragged = new Set([...keys].map(String))
      const [first] = dragged
      const next = moved(rows, dragged, String(target.key), target.dropPosition)
      if (first !== undefined) drop(pool, first, tiersOf(next), texts)
    },
    renderDragPreview: ([item]) => <div className="drag-preview">{item?.['text/plain']}</div>,
    renderDropIndicator: (target) => <DropIndicator target={target} className="drop-line" />,
  })
  return (
    <div ref={box} className="pool-list" style={roomFor(shown)} onKeyDownCapture={onKeyDownCapture}>
      <GridList aria-label={models.list(visible(pool.model))} dragAndDropHooks={dragAndDropHooks} className="pool-rows">
        {shown.map((key) => rowFor(key))}
      </GridList>
      {canFold && (
        <Button kind="quiet" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
          {isWhole ? models.fewer : models.more(total - mostShown)}
        </Button>
      )}
    </div>
  )

  function rowFor(key: RowKey) {
    if (isDivider(key)) {
      const tier = rows.slice(0, rows.indexOf(key)).filter(isDivider).length + 2
      return <DividerRow key={key} pool={pool} rowKey={key} tier={tier} onMove={keepFocus} />
    }
    const backend: Backend | undefined = byId.get(key)
    if (backend === undefined) return null
    const place = tiers.flat().indexOf(key) + 1
    return <BackendRow key={key} pool={pool} backend={backend} place={place} total={total} onMove={keepFocus} />
  }
}
