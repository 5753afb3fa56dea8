/** What stands where nothing is yet: what will be here, and the first step. */
import type { ReactNode } from 'react'
import '../styles/empty-state.css'

export interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <p className="empty-title">{title}</p>
      {children !== undefined && <p className="empty-text">{children}</p>}
      {action}
    </div>
  )
}
