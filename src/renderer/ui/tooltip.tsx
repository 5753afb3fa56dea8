/** A tooltip for something that can be focused: by hover and by keyboard focus. */
import type { ReactNode } from 'react'
import { Focusable, Tooltip, TooltipTrigger } from 'react-aria-components'
import '../styles/tooltip.css'

export interface TipProps {
  readonly text: string
  /** One React Aria button or link. */
  readonly children: ReactNode
}

export function Tip({ text, children }: TipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={100}>
      {children}
      <Tooltip className="tooltip" offset={6}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  )
}

/** Words with more behind them, such as a countdown with its date: dotted, focusable, no button. */
export function Hint({ text, children }: TipProps) {
  return (
    <TooltipTrigger delay={300} closeDelay={100}>
      <Focusable>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must open by keyboard too */}
        <span className="hint" role="note" tabIndex={0}>
          {children}
        </span>
      </Focusable>
      <Tooltip className="tooltip" offset={6}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  )
}
