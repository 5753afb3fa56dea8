/** What the outlook shows, as main says it; and where a window stands on the time line. */
import { type Client, client } from '../bridge/client.ts'
import { mirror } from '../state/mirror.ts'

export type Entry = Awaited<ReturnType<Client['quota']['calendar']>>[number]
export type Rehearsed = Awaited<ReturnType<Client['rehearsal']['run']>>

export const calendarMirror = mirror(['quota', 'accounts'], () => client.quota.calendar({}))
export const wasteMirror = mirror(['quota', 'accounts'], () => client.quota.waste({}))

const dayMs = 86_400_000

export interface Span {
  readonly fromMs: number
  readonly toMs: number
  /** Local midnights inside it. */
  readonly days: readonly number[]
}

/** From a day before now to a week after it: every window but the monthly ones fits. */
export function spanOf(nowMs: number): Span {
  const fromMs = nowMs - dayMs
  const toMs = nowMs + 8 * dayMs
  const first = new Date(fromMs)
  first.setHours(24, 0, 0, 0)
  const days: number[] = []
  for (const day = first; day.getTime() < toMs; day.setDate(day.getDate() + 1)) days.push(day.getTime())
  return { fromMs, toMs, days }
}

/** Share of the span, 0 to 100, cut at its ends. */
export const placeIn = ({ fromMs, toMs }: Span, atMs: number): number =>
  Math.min(100, Math.max(0, ((atMs - fromMs) / (toMs - fromMs)) * 100))
