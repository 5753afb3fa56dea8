/** A group of a tab: its heading with a count, one action at the right, and what belongs to it. */
import { type ReactNode, useId } from 'react'
import '../styles/section.css'

export interface SectionProps {
  readonly title: string
  readonly count?: number
  readonly action?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, count, action, children }: SectionProps) {
  const titleId = useId()
  return (
    <section className="section" aria-labelledby={titleId}>
      <div className="section-head">
        <h2 id={titleId} className="section-title">
          {title} {count !== undefined && <span className="section-count">{count}</span>}
        </h2>
        <div className="section-action">{action}</div>
      </div>
      {children}
    </section>
  )
}
