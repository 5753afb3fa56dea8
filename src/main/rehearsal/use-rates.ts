/** What the log teaches of each window: how much of it a token takes, and whether it renews at fixed times. */
import { nominalMs } from '../domain/allowance.ts'
import { type LoggedCall, sourceOf } from './logged-call.ts'

/** Resets that are this close are one and the same: vendors state them to the second or as seconds from now. */
export const sameResetMs = 120_000

interface Seen {
  resetAtMs: number | null
  usedPercent: number
  /** The source's tokens of the calls since an earlier one saw it; grows as earlier calls are read. */
  tokens: number
  /** Sums over all pairs of readings of one and the same window. */
  sumPercent: number
  sumTokens: number
  /** Changes of the reset by whole lengths, and by anything else. */
  whole: number
  other: number
}

/** What is known of one window of one source. */
export interface WindowRate {
  /** Percent per token; null where the log can't tell. */
  readonly rate: number | null
  /** It renews at fixed times; otherwise it begins with its first use. */
  readonly isFixed: boolean
}

export class UseRates {
  readonly #sources = new Map<string, Map<string, Seen>>()

  /** Calls come newest first. */
  learn({ seats, served, tokens }: LoggedCall): void {
    const server = served === null ? undefined : this.#sources.get(sourceOf(served))
    if (server !== undefined && tokens !== null) for (const seen of server.values()) seen.tokens += tokens
    for (const { sourceId, windows, place } of seats) {
      // What stands in for an excluded one was not measured.
      if (place === null) continue
      const known = this.#sources.get(sourceId) ?? new Map<string, Seen>()
      this.#sources.set(sourceId, known)
      for (const { window, usedPercent, resetAtMs, lengthMs } of windows) {
        const later = known.get(window)
        if (later === undefined) known.set(window, firstSeen(usedPercent, resetAtMs))
        else compare(later, usedPercent, resetAtMs, lengthMs ?? nominalMs(window))
      }
    }
  }

  of(sourceId: string, window: string): WindowRate {
    const seen = this.#sources.get(sourceId)?.get(window)
    const rate = seen === undefined || seen.sumTokens === 0 ? 0 : seen.sumPercent / seen.sumTokens
    const isFixed = seen === undefined || seen.whole + seen.other === 0 ? window !== 'five-hour' : seen.other === 0
    return { rate: rate === 0 ? null : rate, isFixed }
  }
}

const firstSeen = (usedPercent: number, resetAtMs: number | null): Seen => ({
  ...{ resetAtMs, usedPercent, tokens: 0, sumPercent: 0, sumTokens: 0, whole: 0, other: 0 },
})

/** `later` becomes the earlier reading; what lay between them counts where both are of one window. */
function compare(later: Seen, usedPercent: number, resetAtMs: number | null, lengthMs: number): void {
  const gap = resetAtMs === null || later.resetAtMs === null ? null : Math.abs(later.resetAtMs - resetAtMs)
  if (gap !== null && gap <= sameResetMs) {
    if (later.usedPercent >= usedPercent) {
      later.sumPercent += later.usedPercent - usedPercent
      later.sumTokens += later.tokens
    }
  } else if (gap !== null) {
    const rest = gap % lengthMs
    if (Math.min(rest, lengthMs - rest) <= sameResetMs) later.whole += 1
    else later.other += 1
  } else if (resetAtMs !== null || later.resetAtMs !== null) later.other += 1
  later.resetAtMs = resetAtMs
  later.usedPercent = usedPercent
  later.tokens = 0
}
