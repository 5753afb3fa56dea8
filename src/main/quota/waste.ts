/** What was left of windows when they renewed: percent, and plan money where the plan's price is known; pure (routing §7). */
import type { SourceId } from '../../shared/ids.ts'
import { leftPercent } from '../domain/quota.ts'
import type { Lost } from '../domain/quota-history.ts'

const dayMs = 86_400_000
const weekMs = 7 * dayMs
/** Mean length of a month, for a price per month. */
const monthMs = (365.25 / 12) * dayMs

export interface Loss extends Lost {
  readonly lostPercent: number
  /** How old the last reading was at the reset: what was used after it isn't known. */
  readonly readBeforeMs: number
  /** Integer nano-USD; null without a price, and for windows inside a longer one. */
  readonly money: number | null
}

export interface WeekLoss {
  /** Monday 00:00 UTC. */
  readonly weekMs: number
  readonly sourceId: SourceId
  readonly window: string
  readonly resets: number
  /** Mean of what was left at each. */
  readonly lostPercent: number
  readonly money: number | null
}

/** `monthlyPrice`: nano-USD, null when the person has named none. */
export function lossOf(lost: Lost, monthlyPrice: number | null): Loss {
  const lostPercent = leftPercent(lost.usedPercent)
  const share = isLong(lost) && monthlyPrice !== null ? (lost.lengthMs ?? 0) / monthMs : null
  const money = share === null || monthlyPrice === null ? null : Math.round((monthlyPrice * share * lostPercent) / 100)
  return { ...lost, lostPercent, readBeforeMs: Math.max(0, lost.resetAtMs - lost.readAtMs), money }
}

/** The plan is paid for by its long window; five hours of it, or one model's share, are inside that. */
const isLong = ({ family, lengthMs }: Lost): boolean => family === null && (lengthMs ?? 0) >= weekMs

export function byWeek(losses: readonly Loss[]): readonly WeekLoss[] {
  const weeks = new Map<string, WeekLoss>()
  for (const { sourceId, window, resetAtMs, lostPercent, money } of losses) {
    const start = weekOf(resetAtMs)
    const key = `${start}\n${sourceId}\n${window}`
    const known = weeks.get(key) ?? { weekMs: start, sourceId, window, resets: 0, lostPercent: 0, money: null }
    const resets = known.resets + 1
    weeks.set(key, {
      ...known,
      resets,
      lostPercent: known.lostPercent + (lostPercent - known.lostPercent) / resets,
      money: money === null ? known.money : (known.money ?? 0) + money,
    })
  }
  return [...weeks.values()].sort((a, b) => b.weekMs - a.weekMs)
}

/** The epoch began on a Thursday. */
const weekOf = (atMs: number): number => Math.floor((atMs + 3 * dayMs) / weekMs) * weekMs - 3 * dayMs
