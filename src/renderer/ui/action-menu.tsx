/** The actions of one object behind a button. */
import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { visible } from '../text/visible.ts'
import { IconButton } from './button.tsx'
import '../styles/menu.css'

export interface Action {
  readonly id: string
  readonly text: string
  readonly run: () => void
  readonly isDisabled?: boolean
  /** Set apart, in red. */
  readonly isDanger?: boolean
  /** A line stands above it. */
  readonly beginsGroup?: boolean
}

export interface ActionMenuProps {
  /** `More actions for Claude, work`. */
  readonly label: string
  readonly actions: readonly Action[]
  /** Instead of the three dots. */
  readonly children?: ReactNode
}

export function ActionMenu({ label, actions, children }: ActionMenuProps) {
  return (
    <MenuTrigger>
      <IconButton label={visible(label)}>{children ?? <Ellipsis size={16} aria-hidden="true" />}</IconButton>
      <Popover className="popover" placement="bottom end" offset={4}>
        <Menu
          className="menu"
          aria-label={visible(label)}
          disabledKeys={actions.filter(({ isDisabled }) => isDisabled === true).map(({ id }) => id)}
          onAction={(key) => actions.find(({ id }) => id === key)?.run()}
        >
          {actions.map(({ id, text, isDanger = false, beginsGroup = false }, index) => [
            (isDanger || beginsGroup) && index > 0 ? <Separator key={`${id} line`} className="menu-line" /> : null,
            <MenuItem key={id} id={id} textValue={text} className={isDanger ? 'menu-item is-danger' : 'menu-item'}>
              {text}
            </MenuItem>,
          ])}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
