/** Quota windows, percents and times as the tray and notifications say them; pure, the time zone is given. */
import type { QuotaWindow } from './outlook.ts'
import type { Texts } from './text.ts'

const dayMs = 24 * 3_600_000

export interface Wording {
  readonly texts: Texts
  readonly nowMs: number
  /** The system's where it is left out. */
  readonly timeZone?: string
}

/** `16:40` today, `Thu 07:00` within six days, `1 Dec` after that; the same rule as in the window. */
export function timeText(atMs: number, { texts, nowMs, timeZone }: Wording): string {
  const format = (options: Intl.DateTimeFormatOptions, ms = atMs): string =>
    new Intl.DateTimeFormat(texts.locale, { ...options, ...(timeZone === undefined ? {} : { timeZone }) }).format(ms)
  const day: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'numeric', day: 'numeric' }
  const clock = format({ hour: '2-digit', minute: '2-digit' })
  if (format(day) === format(day, nowMs)) return clock
  if (Math.abs(atMs - nowMs) < 6 * dayMs) return `${format({ weekday: 'short' })} ${clock}`
  return format({ day: 'numeric', month: 'short' })
}

/** What is left, whole percent; rounded so that 0 means none. */
export function leftPercent(usedPercent: number): number {
  const left = Math.max(0, 100 - Math.min(100, usedPercent))
  return left > 0 && left < 1 ? 1 : Math.floor(left)
}

/** `5 h`, `week`, `week Fable`; another name stays as it is. */
export function windowText({ window, family }: Pick<QuotaWindow, 'window' | 'family'>, { texts }: Wording): string {
  const [name = window] = window.split(':')
  const known = texts.windows[name] ?? name
  return family === null ? known : texts.family(known, family.charAt(0).toUpperCase() + family.slice(1))
}

/** `5 h 71 % left, resets 16:40`. */
export function windowLine(window: QuotaWindow, wording: Wording): string {
  const { texts, nowMs } = wording
  const { usedPercent, resetAtMs, state } = window
  const percent = state === 'spent' ? '0' : usedPercent === null ? texts.none : String(leftPercent(usedPercent))
  const text = texts.left(windowText(window, wording), percent)
  return resetAtMs === null || resetAtMs <= nowMs ? text : texts.until(text, timeText(resetAtMs, wording))
}

const longestLabel = 40

/** A foreign name on one line of a native menu: nothing that turns the text round, never endless (threats T4.8). */
export function nameText(label: string): string {
  const plain = label.replace(/[\p{C}\u2028\u2029]/gu, '').trim()
  const letters = [...plain]
  return letters.length > longestLabel ? `${letters.slice(0, longestLabel - 1).join('')}…` : plain
}
