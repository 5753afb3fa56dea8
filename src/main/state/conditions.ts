/** Health and quota of every source: applies effects and readings, remembers what must be saved. */
import type { SourceId } from '../../shared/ids.ts'
import {
  applyEffect,
  beginProbe,
  forgetEntitlements,
  type Health,
  type HealthEffect,
  liftRests,
  type Subject,
} from '../domain/health.ts'
import { applyReadings, emptySnapshot, markSpent, type Reading, type Snapshot, type Spent } from '../domain/quota.ts'
import type { Chance, Clock } from '../ports.ts'
import type { Announcer } from './announcer.ts'

export class Conditions {
  readonly #clock: Clock
  readonly #chance: Chance
  readonly #announcer: Announcer
  #health: Health
  #quota: ReadonlyMap<SourceId, Snapshot>
  #healthChanged = false
  #quotaChanged = new Set<SourceId>()

  constructor(
    health: Health,
    quota: ReadonlyMap<SourceId, Snapshot>,
    clock: Clock,
    chance: Chance,
    announcer: Announcer,
  ) {
    this.#health = health
    this.#quota = quota
    this.#clock = clock
    this.#chance = chance
    this.#announcer = announcer
  }

  get health(): Health {
    return this.#health
  }

  get quota(): ReadonlyMap<SourceId, Snapshot> {
    return this.#quota
  }

  apply(subject: Subject, effect: HealthEffect): void {
    this.#setHealth(applyEffect(this.#health, subject, effect, this.#clock.nowMs(), this.#chance.unit()))
  }

  /** Lets the one half-open request of an open circuit begin. */
  probe(sourceId: SourceId): void {
    this.#setHealth(beginProbe(this.#health, sourceId, this.#clock.nowMs()))
  }

  /** New sign-in, new key, plan change, the user's wish: rests end, entitlements are learnt anew. */
  lift(sourceId: SourceId): void {
    this.#setHealth(forgetEntitlements(liftRests(this.#health, sourceId), sourceId))
  }

  spend(sourceId: SourceId, marks: readonly Spent[]): void {
    if (marks.length > 0) this.#setQuota(sourceId, markSpent(this.snapshot(sourceId), marks))
  }

  read(sourceId: SourceId, readings: readonly Reading[]): void {
    if (readings.length > 0) this.#setQuota(sourceId, applyReadings(this.snapshot(sourceId), readings))
  }

  snapshot(sourceId: SourceId): Snapshot {
    return this.#quota.get(sourceId) ?? emptySnapshot
  }

  /** Drops saved windows: a new sign-in or another plan makes them meaningless (routing §7). */
  forgetWindows(sourceId: SourceId): void {
    this.#setQuota(sourceId, emptySnapshot)
  }

  takeChanges(): { readonly health: Health | null; readonly quota: ReadonlyMap<SourceId, Snapshot> } {
    const health = this.#healthChanged ? this.#health : null
    const quota = new Map([...this.#quotaChanged].map((id) => [id, this.snapshot(id)]))
    this.#healthChanged = false
    this.#quotaChanged = new Set()
    return { health, quota }
  }

  #setHealth(next: Health): void {
    if (next === this.#health) return
    this.#health = next
    this.#healthChanged = true
    this.#announcer.changed('models')
  }

  #setQuota(sourceId: SourceId, next: Snapshot): void {
    this.#quota = new Map(this.#quota).set(sourceId, next)
    this.#quotaChanged.add(sourceId)
    this.#announcer.changed('quota')
  }
}
