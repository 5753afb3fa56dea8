/** A small label on an object. */
import type { ReactNode } from 'react'
import '../styles/badge.css'

export interface BadgeProps {
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad'
  readonly children: ReactNode
}

export function Badge({ tone = 'plain', children }: BadgeProps) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}
