/** What few need, behind one line; its state is the browser's. */
import type { ReactNode } from 'react'
import '../styles/folded.css'

export interface FoldedProps {
  readonly title: string
  /** Where what is in it already says something. */
  readonly isOpen?: boolean
  readonly children: ReactNode
}

export function Folded({ title, isOpen = false, children }: FoldedProps) {
  return (
    <details className="folded" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
