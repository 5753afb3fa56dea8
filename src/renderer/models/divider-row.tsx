/** The line between two tiers; it is dragged like any row. */
import { GripVertical } from 'lucide-react'
import { Button as AriaButton, GridListItem } from 'react-aria-components'
import { useTexts } from '../text/texts.ts'
import type { Pool } from './pools.ts'
import { DividerMenu } from './row-menu.tsx'
import type { RowKey } from './rows.ts'

export interface DividerRowProps {
  readonly pool: Pool
  readonly rowKey: RowKey
  /** Counted from 1: the tier below the line. */
  readonly tier: number
  readonly onMove: (key: RowKey) => void
}

export function DividerRow({ pool, rowKey, tier, onMove }: DividerRowProps) {
  const { models: texts } = useTexts()
  const name = texts.dividerName(tier)
  return (
    <GridListItem id={rowKey} textValue={name} className="divider-row">
      <AriaButton slot="drag" className="row-handle" aria-label={texts.drag(name)}>
        <GripVertical size={16} aria-hidden="true" />
      </AriaButton>
      <span className="divider-text">{texts.divider}</span>
      <DividerMenu pool={pool} rowKey={rowKey} name={name} onMove={onMove} />
    </GridListItem>
  )
}
