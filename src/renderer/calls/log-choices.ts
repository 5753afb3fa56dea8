/** What the person narrowed the log down to; kept while other tabs are looked at. */
import { create } from 'zustand'
import type { Filter, Order } from './call-types.ts'

export const spans = ['always', 'hour', 'today', 'day', 'week', 'month'] as const
export type TimeSpan = (typeof spans)[number]

export interface LogChoices {
  readonly text: string
  readonly sourceId: string | null
  readonly model: string | null
  readonly keyId: string | null
  readonly outcome: NonNullable<Filter['outcome']> | null
  readonly span: TimeSpan
  /** Where the span began when it was chosen: a bound that moved along would move the rows. */
  readonly fromMs: number | null
  readonly order: Order
}

export const noFilter = {
  text: '',
  sourceId: null,
  model: null,
  keyId: null,
  outcome: null,
  span: 'always',
  fromMs: null,
} as const satisfies Partial<LogChoices>

export const useLogChoices = create<LogChoices>()(() => ({ ...noFilter, order: 'newest' }))

export const chooseInLog = (change: Partial<LogChoices>): void => useLogChoices.setState(change)

const hourMs = 3_600_000

export function startOf(span: TimeSpan, nowMs: number): number | null {
  switch (span) {
    case 'always':
      return null
    case 'hour':
      return nowMs - hourMs
    case 'today':
      return new Date(nowMs).setHours(0, 0, 0, 0)
    case 'day':
      return nowMs - 24 * hourMs
    case 'week':
      return nowMs - 7 * 24 * hourMs
    case 'month':
      return nowMs - 30 * 24 * hourMs
  }
}

export const chooseSpan = (span: TimeSpan): void => chooseInLog({ span, fromMs: startOf(span, Date.now()) })

export function filterOf({ text, sourceId, model, keyId, outcome, fromMs }: LogChoices): Filter {
  const wanted = text.trim()
  return {
    ...(wanted === '' ? {} : { text: wanted.slice(0, 200) }),
    ...(sourceId === null ? {} : { sourceId }),
    ...(model === null ? {} : { model }),
    ...(keyId === null ? {} : { keyId }),
    ...(outcome === null ? {} : { outcome }),
    ...(fromMs === null ? {} : { fromMs }),
  }
}

export const isNarrowed = (choices: LogChoices): boolean => Object.keys(filterOf(choices)).length > 0
