/** `pointsman.db`: sources, pools, access keys, settings and remembered state; every write is durable (FULL). */

import { PointsmanError } from '../../../shared/errors.ts'
import type { SourceId } from '../../../shared/ids.ts'
import type { BudgetStore, StoredBalance } from '../../budget-ports.ts'
import type { ClientPlace, Connection } from '../../client-ports.ts'
import type { Budget } from '../../domain/budget.ts'
import type { Health } from '../../domain/health.ts'
import type { Arrangement } from '../../domain/pool.ts'
import type { Snapshot } from '../../domain/quota.ts'
import type { HistoryRange, Lost, Sample } from '../../domain/quota-history.ts'
import type { RouteRule } from '../../domain/route-rule.ts'
import type { Binding, Owned } from '../../domain/session.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Source } from '../../domain/source.ts'
import type { Clock, ConfigStore, StateChange, StoredKey } from '../../ports.ts'
import { accessKeyTable } from './config/access-key-table.ts'
import { bindingTable } from './config/binding-table.ts'
import { budgetTable } from './config/budget-table.ts'
import { connectionTable } from './config/connection-table.ts'
import { healthTable } from './config/health-table.ts'
import { ground } from './config/migrations/0010-ground.ts'
import { poolOptions } from './config/migrations/0020-pool-options.ts'
import { quotaHistory } from './config/migrations/0030-quota-history.ts'
import { bindingsAndOwners } from './config/migrations/0040-bindings-and-owners.ts'
import { clientConnection } from './config/migrations/0050-client-connection.ts'
import { budget } from './config/migrations/0060-budget.ts'
import { routeRule } from './config/migrations/0070-route-rule.ts'
import { ownedTable } from './config/owned-table.ts'
import { poolTable } from './config/pool-table.ts'
import { quotaHistoryTable } from './config/quota-history-table.ts'
import { quotaTable } from './config/quota-table.ts'
import { routeTable } from './config/route-table.ts'
import { settingTable } from './config/setting-table.ts'
import type { SkipRow } from './config/skipped.ts'
import { sourceTable } from './config/source-table.ts'
import type { StoreFile } from './database.ts'
import { refusalOf } from './disk-refusal.ts'
import type { Migration } from './migration.ts'
import { openStore } from './open-store.ts'
import type { OpenStore, Recovery } from './recovery.ts'

export const configMigrations: readonly Migration[] = [
  ground,
  poolOptions,
  quotaHistory,
  bindingsAndOwners,
  clientConnection,
  budget,
  routeRule,
]

export interface ConfigStoreOptions {
  readonly path: string
  readonly clock: Clock
  /** Told of each row that could not be read. */
  readonly onSkip?: SkipRow | undefined
}

const tablesOf = ({ database }: OpenStore) => ({
  source: sourceTable(database),
  pool: poolTable(database),
  route: routeTable(database),
  accessKey: accessKeyTable(database),
  setting: settingTable(database),
  binding: bindingTable(database),
  health: healthTable(database),
  quota: quotaTable(database),
  quotaHistory: quotaHistoryTable(database),
  connection: connectionTable(database),
  owned: ownedTable(database),
  budget: budgetTable(database),
})

type Tables = ReturnType<typeof tablesOf>

export class SqliteConfigStore implements ConfigStore, BudgetStore {
  readonly #file: StoreFile
  readonly #clock: Clock
  readonly #skip: SkipRow
  #store: OpenStore
  #opened: Tables
  /** The connection was given up after a disk error; the next use makes a new one. */
  #doubtful = false

  constructor({ path, clock, onSkip }: ConfigStoreOptions) {
    this.#file = {
      path,
      name: 'pointsman.db',
      synchronous: 'FULL',
      busyTimeoutMs: 1_000,
      migrations: configMigrations,
      shrinks: false,
      checkedAtOnceBytes: Number.POSITIVE_INFINITY,
    }
    this.#clock = clock
    this.#skip = onSkip ?? (() => {})
    this.#store = openStore(this.#file, clock)
    this.#opened = tablesOf(this.#store)
  }

  /** Set when the file was found damaged: what came back of it. */
  get recovery(): Recovery | null {
    return this.#store.recovery
  }

  sources(): readonly Source[] {
    return this.#tables().source.all(this.#skip)
  }

  saveSource(source: Source): void {
    this.#write((tables) => tables.source.save(source))
  }

  /** Takes with it what was remembered of the source, so that a later one of the same id begins afresh. */
  removeSource(id: SourceId): void {
    this.#write((tables) => {
      tables.source.remove(id)
      tables.binding.removeOf(id)
      tables.health.removeOf(id)
      tables.quota.removeOf(id)
      tables.quotaHistory.removeOf(id)
      tables.owned.removeOf(id)
    })
  }

  arrangements(): readonly Arrangement[] {
    return this.#tables().pool.all(this.#skip)
  }

  saveArrangement(arrangement: Arrangement): void {
    this.#write((tables) => tables.pool.save(arrangement))
  }

  routeRules(): readonly RouteRule[] {
    return this.#tables().route.all(this.#skip)
  }

  saveRouteRule(rule: RouteRule): void {
    this.#write((tables) => tables.route.save(rule))
  }

  removeRouteRule(id: string): void {
    this.#write((tables) => tables.route.remove(id))
  }

  connections(): readonly Connection[] {
    return this.#tables().connection.all(this.#skip)
  }

  saveConnection(connection: Connection): void {
    this.#write((tables) => tables.connection.save(connection))
  }

  removeConnection(place: ClientPlace): void {
    this.#write((tables) => tables.connection.remove(place))
  }

  keys(): readonly StoredKey[] {
    return this.#tables().accessKey.all(this.#skip)
  }

  /** All of them or none. */
  saveKey(...all: readonly StoredKey[]): void {
    this.#write((tables) => {
      for (const stored of all) tables.accessKey.save(stored)
    })
  }

  budgets(): readonly Budget[] {
    return this.#tables().budget.all(this.#skip)
  }

  saveBudget(budget: Budget): void {
    this.#write((tables) => tables.budget.save(budget))
  }

  balances(): readonly StoredBalance[] {
    return this.#tables().budget.balances()
  }

  settings(): Settings {
    return this.#tables().setting.read(this.#skip)
  }

  saveSettings(settings: Settings): void {
    this.#write((tables) => tables.setting.save(settings))
  }

  bindings(): readonly Binding[] {
    return this.#tables().binding.remembered(this.#clock.nowMs())
  }

  quota(): ReadonlyMap<SourceId, Snapshot> {
    return this.#tables().quota.all(this.#skip)
  }

  quotaSamples(range: HistoryRange): readonly Sample[] {
    return this.#tables().quotaHistory.samples(range)
  }

  quotaLost(fromMs: number): readonly Lost[] {
    return this.#tables().quotaHistory.lostSince(fromMs)
  }

  owned(): readonly Owned[] {
    return this.#tables().owned.all(this.#skip)
  }

  health(): Health {
    return this.#tables().health.read(this.#skip)
  }

  saveState({ bindings, unbound, quota, health, history, owned = [], balances = [] }: StateChange): void {
    this.#write((tables) => {
      for (const session of unbound) tables.binding.remove(session)
      for (const binding of bindings) tables.binding.save(binding)
      tables.binding.forgetUnused(this.#clock.nowMs())
      for (const [source, snapshot] of quota) tables.quota.save(source, snapshot)
      if (health !== null) tables.health.replace(health)
      const nowMs = this.#clock.nowMs()
      if (history !== undefined) tables.quotaHistory.save(history.samples, history.lost, nowMs)
      for (const one of owned) tables.owned.save(one)
      for (const balance of balances) tables.budget.saveBalance(balance)
      if (owned.length > 0) tables.owned.forgetOld(nowMs)
    })
  }

  close(): void {
    this.#store.database.close()
  }

  /** One transaction; a refusal of the disk becomes `store_write_failed` and leaves the file as it was. */
  #write(act: (tables: Tables) => void): void {
    try {
      const tables = this.#tables()
      this.#store.database.transaction(() => act(tables)).immediate()
    } catch (cause) {
      const refusal = refusalOf(cause)
      if (refusal.kind === 'other') throw cause
      // After a failed fsync the pages in memory prove nothing: the next use reads the disk again (F38).
      if (refusal.kind === 'io') {
        this.#doubtful = true
        this.close()
      }
      throw new PointsmanError('store_write_failed', { why: refusal.why }, { cause })
    }
  }

  #tables(): Tables {
    if (this.#doubtful) {
      this.#store = openStore(this.#file, this.#clock)
      this.#opened = tablesOf(this.#store)
      this.#doubtful = false
    }
    return this.#opened
  }
}
