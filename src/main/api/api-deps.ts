/** What the contract's members work on, handed over by the composition root. */
import type { Refresher } from '../accounts/refresh.ts'
import type { SignIns } from '../accounts/sign-in-desk.ts'
import type { SourceDesk } from '../accounts/source-desk.ts'
import type { ClockSkew } from '../accounts/vendor-clock.ts'
import type { LedgerReader } from '../budget-ports.ts'
import type { Clients } from '../clients/connect.ts'
import type { Settings } from '../domain/settings.ts'
import type { View } from '../flow/view.ts'
import type { CallReader, Clock, ConfigStore, Digest, Log, Vault, VaultState, Web } from '../ports.ts'
import type { HostOverrides } from '../providers/index.ts'
import type { Poller } from '../quota/poller.ts'
import type { Announcer } from '../state/announcer.ts'
import type { Bindings } from '../state/bindings.ts'
import type { Budgets } from '../state/budgets.ts'
import type { Conditions } from '../state/conditions.ts'
import type { FinishedCalls } from '../state/finished-calls.ts'
import type { Gates } from '../state/gates.ts'
import type { Keys } from '../state/keys.ts'
import type { Owners } from '../state/owners.ts'
import type { QuotaHistory } from '../state/quota-history.ts'
import type { Sources } from '../state/sources.ts'

export type PracticeFault = 'exhaust' | 'overload' | 'cut' | 'revoke' | 'slow' | 'none'

/** The part of the simulator that a person may steer. */
export interface PracticeControl {
  fault(sourceId: string, fault: PracticeFault, options?: { readonly minutes?: number }): void
  state(): readonly {
    readonly sourceId: string
    readonly label: string
    readonly fault: PracticeFault
  }[]
}

/** A store that was damaged: what came back of it. */
export interface RepairedStore {
  readonly file: string
  /** Part of a sentence. */
  readonly because: string
  /** The damaged file as it was, beside the fresh one. */
  readonly asideName: string
  readonly rows: number
  readonly complete: boolean
}

export interface ApiDeps {
  readonly version: string
  /** The data plane's port. */
  readonly port: number
  readonly dataDir: string
  /** Null outside practice mode. */
  readonly practice: PracticeControl | null
  readonly clock: Clock
  readonly digest: Digest
  readonly log: Log
  readonly announcer: Announcer
  readonly sources: Sources
  readonly keys: Keys
  readonly budgets: Budgets
  readonly bindings: Bindings
  readonly conditions: Conditions
  readonly gates: Gates
  readonly owners: Owners
  /** The last hour of every window. */
  readonly history: QuotaHistory
  /** All of it, for charts. */
  readonly quotaLog: Pick<ConfigStore, 'quotaSamples' | 'quotaLost'>
  readonly calls: FinishedCalls
  readonly reader: CallReader & LedgerReader
  readonly vault: Vault & { setAside(): Promise<VaultState> }
  readonly desk: SourceDesk
  readonly signIns: SignIns
  readonly refresher: Refresher
  readonly poller: Poller
  readonly web: Web
  readonly hosts: HostOverrides
  readonly clients: Clients
  /** By the vendors' last answer; null before one came. */
  clockSkew(): ClockSkew | null
  /** The clock is too far ahead to say which calls are old. */
  keepsOldCalls(): boolean
  /** Stores that were damaged at the start or since. */
  repaired(): readonly RepairedStore[]
  view(): View
  settings(): Settings
  /** Durable when it returns. */
  changeSettings(next: Settings): void
  /** Taken for the next time the vault asks for its passphrase. */
  offerPassphrase(text: string): void
  /** Keeps the default key's file in step with a rotation. */
  saveDefaultKey(secret: string): void
  /** A one-time link to the window in a browser; null where there is none. */
  windowLink(): string | null
}
