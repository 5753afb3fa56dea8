/** What is listed while something is being written: dragged, moved by menu or `Alt+↑/↓`, taken out. */
import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button as AriaButton, DropIndicator, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import {
  isDivider,
  moved,
  placeOf,
  type RowKey,
  rowsOf,
  type Step,
  stepped,
  type Tiers,
  tiersOf,
} from '../models/rows.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { announce } from '../ui/announce.ts'

export interface DraftListProps {
  readonly tiers: Tiers
  /** The list's name; a rule's backends when left out. */
  readonly label?: string
  readonly nameOf: (key: string) => string
  /** What is told behind a name. */
  readonly tell?: (key: string) => ReactNode
  readonly onChange: (tiers: Tiers) => void
  /** Nothing can be taken out. */
  readonly isFixed?: boolean
  /** One list without tiers. */
  readonly isFlat?: boolean
}

const flatSteps: readonly Step[] = ['up', 'down', 'top', 'bottom']
const backendSteps: readonly Step[] = [...flatSteps, 'new-tier']
const dividerSteps: readonly Step[] = ['up', 'down', 'remove-divider']

export function DraftList(props: DraftListProps) {
  const { tiers, label, nameOf, tell, onChange, isFixed = false, isFlat = false } = props
  const { models, routes, ui } = useTexts()
  const rowSteps = isFlat ? flatSteps : backendSteps
  const box = useRef<HTMLDivElement>(null)
  const wanted = useRef<RowKey | null>(null)
  const rows = rowsOf(tiers)
  const textOf = (key: RowKey): string => (isDivider(key) ? models.divider : visible(nameOf(key)))
  const order = rows.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row keeps the focus once the order has changed
  useLayoutEffect(() => {
    const key = wanted.current
    wanted.current = null
    if (key !== null) box.current?.querySelector<HTMLElement>(`[role="row"][data-key="${CSS.escape(key)}"]`)?.focus()
  }, [order])
  const go = (key: RowKey, how: Step): void => {
    const next = stepped(tiers, key, how)
    if (next === null) return
    wanted.current = key
    const { place, total } = placeOf(next, key)
    if (!isDivider(key)) announce(models.moved(textOf(key), place, total))
    onChange(next)
  }
  const takeOut = (key: RowKey): void => onChange(tiersOf(rows.filter((row) => row !== key)))
  const onKeyDownCapture = (event: KeyboardEvent<HTMLElement>): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    const key = (event.target as HTMLElement).closest<HTMLElement>('[role="row"]')?.dataset.key
    if (key === undefined) return
    event.preventDefault()
    event.stopPropagation()
    go(key, event.key === 'ArrowUp' ? 'up' : 'down')
  }
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': textOf(String(key)) })),
    getAllowedDropOperations: () => ['move'],
    onReorder: ({ keys, target }) => {
      if (target.dropPosition === 'on') return
      onChange(tiersOf(moved(rows, new Set([...keys].map(String)), String(target.key), target.dropPosition)))
    },
    renderDragPreview: ([item]) => <div className="drag-preview">{item?.['text/plain']}</div>,
    renderDropIndicator: (target) => <DropIndicator target={target} className="drop-line" />,
  })
  return (
    <div ref={box} className="draft-list" onKeyDownCapture={onKeyDownCapture}>
      <GridList aria-label={label ?? routes.backends} dragAndDropHooks={dragAndDropHooks} className="pool-rows">
        {rows.map((key) => {
          const name = textOf(key)
          const steps = (isDivider(key) ? dividerSteps : rowSteps).map((each) => ({
            id: each,
            text: models.menu[each],
            isDisabled: stepped(tiers, key, each) === null,
            run: () => go(key, each),
          }))
          const out = { id: 'out', text: routes.takeOut, run: () => takeOut(key), isDanger: true }
          return (
            <GridListItem key={key} id={key} textValue={name} className={isDivider(key) ? 'divider-row' : 'draft-row'}>
              <AriaButton slot="drag" className="row-handle" aria-label={models.drag(name)}>
                <GripVertical size={16} aria-hidden="true" />
              </AriaButton>
              <span className={isDivider(key) ? 'divider-text' : 'draft-name'}>
                <bdi>{name}</bdi>
                {tell !== undefined && <span className="draft-told">{tell(key)}</span>}
              </span>
              <ActionMenu label={ui.moreFor(name)} actions={isDivider(key) || isFixed ? steps : [...steps, out]} />
            </GridListItem>
          )
        })}
      </GridList>
    </div>
  )
}
