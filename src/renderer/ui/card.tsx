/** A white panel: one object of the list that it stands in. */
import { type ReactNode, useId } from 'react'
import { visible } from '../text/visible.ts'
import '../styles/card.css'

export interface CardProps {
  /** Read as the card's name. */
  readonly title: string
  readonly mark?: ReactNode
  readonly subtitle?: ReactNode
  /** State and menu, at the right of the title. */
  readonly aside?: ReactNode
  readonly foot?: ReactNode
  readonly children?: ReactNode
  readonly isDimmed?: boolean
}

export function Card({ title, mark, subtitle, aside, foot, children, isDimmed = false }: CardProps) {
  const titleId = useId()
  return (
    <article className={isDimmed ? 'card is-dimmed' : 'card'} aria-labelledby={titleId}>
      <header className="card-head">
        {mark}
        <div className="card-titles">
          <h3 id={titleId} className="card-title">
            {visible(title)}
          </h3>
          {subtitle !== undefined && <p className="card-subtitle">{subtitle}</p>}
        </div>
        <div className="card-aside">{aside}</div>
      </header>
      {children !== undefined && children !== false && <div className="card-body">{children}</div>}
      {foot !== undefined && <footer className="card-foot">{foot}</footer>}
    </article>
  )
}
