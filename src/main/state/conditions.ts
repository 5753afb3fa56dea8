/** Health and quota of every source: applies effects and readings, remembers what must be saved. */
import type { SourceId } from '../../shared/ids.ts'
import {
  applyEffect,
  beginProbe,
  forgetEntitlements,
  type Health,
  type HealthEffect,
  liftLimitRest,
  liftRests,
  type Subject,
} from '../domain/health.ts'
import {
  applyReadings,
  applyReport,
  emptySnapshot,
  liftEnded,
  markSpent,
  modelFamily,
  type Reading,
  type Snapshot,
  type Spent,
  type UsageReport,
} from '../domain/quota.ts'
import type { Chance, Clock } from '../ports.ts'
import type { Announcer } from './announcer.ts'

/** Hears of every change of what is measured; keeps history. */
export interface QuotaWitness {
  observe(sourceId: SourceId, before: Snapshot, after: Snapshot): void
}

export class Conditions {
  readonly #clock: Clock
  readonly #chance: Chance
  readonly #announcer: Announcer
  readonly #witness: QuotaWitness | null
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
    witness: QuotaWitness | null = null,
  ) {
    this.#health = health
    this.#quota = quota
    this.#clock = clock
    this.#chance = chance
    this.#announcer = announcer
    this.#witness = witness
  }

  get health(): Health {
    return this.#health
  }

  get quota(): ReadonlyMap<SourceId, Snapshot> {
    return this.#quota
  }

  apply(subject: Subject, effect: HealthEffect): void {
    if (effect.kind === 'served') this.#liftEnded(subject)
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

  /** A usage read: the whole picture, and evidence against rests that only a limit explains. */
  report(sourceId: SourceId, report: UsageReport): void {
    this.#setQuota(sourceId, applyReport(this.snapshot(sourceId), report))
    this.#setHealth(liftLimitRest(this.#health, sourceId, report, this.#clock.nowMs()))
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

  #liftEnded({ sourceId, backendId }: Subject): void {
    const before = this.snapshot(sourceId)
    const after = liftEnded(before, modelFamily(backendId.slice(sourceId.length)), this.#clock.nowMs())
    if (after !== before) this.#setQuota(sourceId, after)
  }

  #setHealth(next: Health): void {
    if (next === this.#health) return
    this.#health = next
    this.#healthChanged = true
    this.#announcer.changed('models')
  }

  #setQuota(sourceId: SourceId, next: Snapshot): void {
    this.#witness?.observe(sourceId, this.snapshot(sourceId), next)
    this.#quota = new Map(this.#quota).set(sourceId, next)
    this.#quotaChanged.add(sourceId)
    this.#announcer.changed('quota')
  }
}
