/** A thin meter with its name before and its value after; the value is text too. */
import type { ReactNode } from 'react'
import { Meter as AriaMeter, Label } from 'react-aria-components'
import '../styles/meter.css'

export interface MeterProps {
  readonly label: string
  /** 0 to 100: how much of the bar is filled. Null: not known, the bar stays empty. */
  readonly percent: number | null
  /** The value in words, also for screen readers. */
  readonly text: string
  readonly tone: 'good' | 'warn' | 'bad' | 'off'
  /** What stands behind the bar; `text` when left out. */
  readonly children?: ReactNode
}

export function Meter({ label, percent, text, tone, children }: MeterProps) {
  const filled = Math.min(100, Math.max(0, percent ?? 0))
  return (
    <AriaMeter className="meter" value={filled} valueLabel={text}>
      <Label className="meter-label">{label}</Label>
      <svg className={`meter-bar tone-${tone}`} aria-hidden="true">
        <rect className="meter-fill" width={`${filled}%`} height="100%" />
      </svg>
      <span className="meter-text">{children ?? text}</span>
    </AriaMeter>
  )
}
