/** A sentence on the object that it is about, with the one action that helps. */
import type { ReactNode } from 'react'
import type { Problem } from '../bridge/problem.ts'
import { useTexts } from '../text/texts.ts'
import { Words } from './words.tsx'
import '../styles/notice.css'

export interface NoticeProps {
  readonly tone?: 'plain' | 'warn' | 'bad'
  readonly action?: ReactNode
  /** Read aloud when it appears. */
  readonly isAlert?: boolean
  readonly children: ReactNode
}

export function Notice({ tone = 'warn', action, isAlert = false, children }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`} role={isAlert ? 'alert' : undefined}>
      <p className="notice-text">{children}</p>
      {action}
    </div>
  )
}

/** What went wrong with the last thing tried here. */
export function ProblemNotice({ problem, action }: { readonly problem: Problem | null; readonly action?: ReactNode }) {
  const { said } = useTexts()
  if (problem === null) return null
  return (
    <Notice tone="bad" isAlert action={action}>
      <Words text={said.problemWithStep(problem)} />
    </Notice>
  )
}
