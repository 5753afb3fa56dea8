/** Keeps what windows were read as: the last hour in memory, all of it in the store (routing §7, "History"). */
import type { SourceId } from '../../shared/ids.ts'
import type { Snapshot } from '../domain/quota.ts'
import { isNews, type Lost, renewals, type Sample } from '../domain/quota-history.ts'
import type { QuotaWitness } from './conditions.ts'

/** A little over the hour that a forecast looks at. */
export const recentMs = 75 * 60_000
const mostRecent = 200

export class QuotaHistory implements QuotaWitness {
  readonly #recent = new Map<string, readonly Sample[]>()
  #samples: Sample[] = []
  #lost: Lost[] = []

  constructor(recent: readonly Sample[]) {
    for (const sample of recent) this.#remember(sample)
  }

  observe(sourceId: SourceId, before: Snapshot, after: Snapshot): void {
    this.#lost.push(...renewals(sourceId, before, after))
    const known = new Set(before.readings)
    for (const reading of after.readings) {
      if (known.has(reading)) continue
      const last = this.recent(sourceId, reading.window).at(-1)
      if (!isNews(reading, last)) continue
      const { window, family, usedPercent, resetAtMs, source, readAtMs: atMs } = reading
      const sample: Sample = { sourceId, window, family, usedPercent, resetAtMs, source, atMs }
      this.#remember(sample)
      this.#samples.push(sample)
    }
  }

  /** Of the last hour, oldest first. */
  recent(sourceId: SourceId, window: string): readonly Sample[] {
    return this.#recent.get(`${sourceId}\n${window}`) ?? []
  }

  takeChanges(): { readonly samples: readonly Sample[]; readonly lost: readonly Lost[] } {
    const taken = { samples: this.#samples, lost: this.#lost }
    this.#samples = []
    this.#lost = []
    return taken
  }

  #remember(sample: Sample): void {
    const key = `${sample.sourceId}\n${sample.window}`
    const kept = (this.#recent.get(key) ?? []).filter((old, at, all) => {
      // The last one before the hour tells where the hour began.
      const next = all[at + 1]
      return sample.atMs - old.atMs <= recentMs || (next !== undefined && sample.atMs - next.atMs <= recentMs)
    })
    this.#recent.set(key, [...kept, sample].slice(-mostRecent))
  }
}
