/** Buttons: one primary action in a place, plain ones beside it, quiet ones in rows, icons with a name. */
import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { Tip } from './tooltip.tsx'
import '../styles/button.css'

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly children: ReactNode
}

export function Button({ kind = 'plain', children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={`button button-${kind}`}>
      {children}
    </AriaButton>
  )
}

export interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children' | 'aria-label'> {
  /** Its name for everybody: read aloud, and shown as a tooltip. */
  readonly label: string
  readonly children: ReactNode
}

export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <Tip text={label}>
      <AriaButton {...rest} aria-label={label} className="button button-icon">
        {children}
      </AriaButton>
    </Tip>
  )
}
