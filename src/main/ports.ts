/**
 * What the core needs from the world, one sentence per method. Adapters implement these; nothing else knows Node,
 * SQLite, undici or the keychain. Bytes are `Uint8Array`; times are ms since the epoch unless they say otherwise.
 */
import type { CallId, CredentialRef, SourceId } from '../shared/ids.ts'
import type { AccessKey } from './domain/access-key.ts'
import type { CallRecord } from './domain/call.ts'
import type {
  CallDetail,
  CallFilter,
  CallPage,
  CallSummary,
  CallTotals,
  OpenCall,
  PageView,
  SavingState,
  StatsRange,
} from './domain/call-log.ts'
import type { Credential } from './domain/credential.ts'
import type { Health } from './domain/health.ts'
import type { Arrangement } from './domain/pool.ts'
import type { Snapshot } from './domain/quota.ts'
import type { HistoryRange, Lost, Sample } from './domain/quota-history.ts'
import type { RouteRule } from './domain/route-rule.ts'
import type { Binding, Owned } from './domain/session.ts'
import type { Settings } from './domain/settings.ts'
import type { Source } from './domain/source.ts'
import type { StateChange } from './domain/state-change.ts'

export type {
  CallDetail,
  CallFilter,
  CallPage,
  CallRow,
  CallSummary,
  CallTotals,
  OpenCall,
  PageView,
  SavingState,
  StatsRange,
} from './domain/call-log.ts'
export type { StateChange } from './domain/state-change.ts'

// ---- Time, chance, digests, log -----------------------------------------------------------------------------------

export interface Clock {
  /** Wall clock, for what is stored and shown. */
  nowMs(): number
  /** Monotonic clock, for durations. */
  elapsedMs(): number
  /** Calls `act` once after `delayMs`; the returned function cancels it. Never keeps the process alive. */
  after(delayMs: number, act: () => void): () => void
}

export interface Chance {
  /** Uniform in [0, 1). */
  unit(): number
  /** Cryptographically random bytes. */
  bytes(length: number): Uint8Array
}

export interface Digest {
  /** SHA-256, lower-case hex. */
  sha256(text: string): string
  /** HMAC-SHA-256 under the access keys' secret file, lower-case hex. */
  keyDigest(key: string): string
}

/** Structural AbortSignal. */
export interface Abort {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface Log {
  /** Something a person may want to know. */
  info(event: string, facts?: Readonly<Record<string, string | number | boolean | null>>): void
  /** Something that should not happen; returns the log id shown to the person. */
  fault(event: string, cause: unknown): string
}

// ---- The client's side --------------------------------------------------------------------------------------------

/** The request line and headers, before one body byte is read. */
export interface RequestHead {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** Name, value, name, value, … as sent, in order. */
  readonly rawHeaders: readonly string[]
  /** The port this listener is bound to. */
  readonly port: number
}

export type BodyProblem = 'too-large' | 'timeout' | 'incomplete' | 'gone' | 'no-room'

/** The body as it came: pieces, never joined. */
export interface Body {
  readonly pieces: readonly Uint8Array[]
  readonly length: number
}

/** One client request and the way to answer it. */
export interface Exchange {
  readonly head: RequestHead
  /** Fires when the client has gone before its answer was complete. */
  readonly gone: Abort
  /** Reads the body once, whole; stops at `limit` bytes. Resolves, never rejects. `watch` sees pieces that come one by one. */
  readBody(limit: number, watch?: (piece: Uint8Array) => void): Promise<Body | BodyProblem>
  /** Sends status and headers; flat name-value list as in `RequestHead`. */
  begin(status: number, headers: readonly string[]): void
  /** Sends bytes; false when the client is slow, then `onDrain` is called once it has caught up. */
  write(bytes: Uint8Array): boolean
  onDrain(resume: () => void): void
  /** Ends the answer cleanly. */
  end(last?: Uint8Array): void
  /** Breaks the answer off so that the client sees a cut, never a clean end. */
  cut(): void
}

export type DecodeProblem = 'unknown-encoding' | 'corrupt' | 'too-large'

export interface Inflate {
  /** Decodes a copy of an encoded body (gzip, br, deflate, zstd); `limit` bounds the decoded size. */
  decode(body: Body, encoding: string, limit: number): Promise<Body | DecodeProblem>
  /** Decodes a copy of a passing answer, bounded; gives up rather than hurt the stream (T6.2). Null: not known. */
  watch(encoding: string, onPlain: (bytes: Uint8Array) => void): InflateWatch | null
}

export interface InflateWatch {
  push(bytes: Uint8Array): void
  /** Resolves once everything pushed has been decoded: `broken` when corrupt or cut, `given-up` when too large. */
  end(): Promise<'whole' | 'broken' | 'given-up'>
}

// ---- The upstream's side ------------------------------------------------------------------------------------------

export interface UpstreamRequest {
  /** Scheme and authority. */
  readonly origin: string
  readonly path: string
  readonly method: string
  /** Flat name-value list. */
  readonly headers: readonly string[]
  readonly body: Body | null
  /** Proxy of the account, or null for the environment's. */
  readonly proxy: string | null
  /** How long to wait for the response head. */
  readonly headTimeoutMs: number
  /** How long the body may be silent before it counts as cut (F15). */
  readonly idleTimeoutMs: number
}

export type UpstreamFailure =
  | { readonly kind: 'unreachable' | 'tls-untrusted' | 'malformed' | 'proxy'; readonly why: string }
  /** The request may have been worked on: the connection went after sending, before any response byte. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'silent' }
  /** After the head: the body was cut. */
  | { readonly kind: 'cut' }
  /** `no-room`: this machine could open no connection; nothing was sent and no host is to blame. */
  | { readonly kind: 'no-room'; readonly why: string }

/** Called in this order: head, data…, then end or failure; after `abort` nothing more is called. */
export interface UpstreamObserver {
  head(status: number, headers: readonly string[]): void
  data(bytes: Uint8Array): void
  end(): void
  failed(failure: UpstreamFailure): void
}

export interface UpstreamExchange {
  pause(): void
  resume(): void
  /** Closes the connection at once; the observer hears nothing more. */
  abort(): void
}

export interface Upstream {
  /** Sends one request; never follows a redirect, never retries. */
  send(request: UpstreamRequest, observer: UpstreamObserver): UpstreamExchange
}

/** A small request of Pointsman's own (token, usage, models): whole answer, bounded, own user agent. */
export interface WebRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  /** Flat name-value list; `user-agent: pointsman/VERSION` is added. */
  readonly headers: readonly string[]
  readonly body: string | null
  readonly proxy: string | null
  readonly timeoutMs: number
}

export interface WebAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly text: string
}

export interface Web {
  /** Resolves with the answer, or with a failure that says whether the request may have been worked on. */
  fetch(request: WebRequest): Promise<WebAnswer | UpstreamFailure>
}

// ---- Vault and files ----------------------------------------------------------------------------------------------

export type VaultKind = 'keychain' | 'passphrase' | 'file' | 'memory'

export type VaultState =
  /** `unsaved` says why the newest change is only in memory so far; it is tried again each second (F37). */
  | { readonly kind: VaultKind; readonly state: 'open'; readonly unsaved?: string; readonly isOlder?: boolean }
  | {
      readonly kind: VaultKind
      readonly state: 'locked' | 'unavailable' | 'key-missing' | 'hung'
      readonly why: string
    }

export interface Vault {
  state(): VaultState
  /** Asks the keychain again: after unlocking, after installing one. */
  unlock(): Promise<VaultState>
  /**
   * The credential, null when there is none; throws `vault_damaged` when it can't be decrypted, and the state's own
   * problem (`vault_locked`, …) when there is one that can't be read now. From memory.
   */
  read(ref: CredentialRef): Credential | null
  /**
   * Resolves once it is safely on disk (temp, fsync, rename, fsync of the folder). Rejects with `vault_write_failed`
   * when the disk refuses: the credential is then served from memory and saved as soon as that is possible.
   */
  write(ref: CredentialRef, credential: Credential): Promise<void>
  remove(ref: CredentialRef): Promise<void>
}

export interface Files {
  /** Text of a file, or null when it is absent; retries a half-written JSON file by itself (codex §1.8). */
  readText(path: string): Promise<string | null>
}

// ---- Stores -------------------------------------------------------------------------------------------------------

/** An access key as stored: its digest beside it, never the key. */
export interface StoredKey {
  readonly key: AccessKey
  readonly digest: string
}

/** `pointsman.db`: small and precious. Every write is durable when it returns. */
export interface ConfigStore {
  sources(): readonly Source[]
  saveSource(source: Source): void
  removeSource(id: SourceId): void
  arrangements(): readonly Arrangement[]
  saveArrangement(arrangement: Arrangement): void
  routeRules(): readonly RouteRule[]
  saveRouteRule(rule: RouteRule): void
  removeRouteRule(id: string): void
  keys(): readonly StoredKey[]
  saveKey(...stored: readonly StoredKey[]): void
  settings(): Settings
  saveSettings(settings: Settings): void
  bindings(): readonly Binding[]
  quota(): ReadonlyMap<SourceId, Snapshot>
  /** Oldest first; of a longer range the newest part. */
  quotaSamples(range: HistoryRange): readonly Sample[]
  /** Windows that renewed with something left, by reset. */
  quotaLost(fromMs: number): readonly Lost[]
  owned(): readonly Owned[]
  health(): Health
  /** Written at most once a second and at shutdown, in one transaction. */
  saveState(state: StateChange): void
  close(): void
}

/** `calls.db`: grows, may be set aside without harm to the rest. */
export interface CallStore {
  /** The next id; sorts by time, unique across restarts. */
  nextId(startedMs: number): CallId
  /** Remembered in memory, written as an open row if still unfinished after 100 ms. */
  begin(call: OpenCall): void
  /** Queues the finished row; `released` runs once it is committed, or at once when the disk refuses (F36). */
  finish(record: CallRecord, released: () => void): void
  saving(): SavingState
  /** Commits what is queued, marks what is open as `interrupted`, closes the file. */
  close(): void
}

/** Reads for the window and the command line, off the data path. */
export interface CallReader {
  /** A page that has not been begun when `left` ends is not read: `store_unreadable`, which nobody hears. */
  page(limit: number, offset: number, filter: CallFilter, view?: PageView, left?: Abort): Promise<CallPage>
  get(id: CallId): Promise<CallDetail | null>
  stats(range: StatsRange): Promise<readonly CallTotals[]>
  summary(range: Pick<StatsRange, 'fromMs' | 'toMs'>): Promise<CallSummary>
  /** Whole calls newest first, those older than `before` (null: from the newest); empty at the end. */
  older(before: CallId | null, limit: number, filter?: CallFilter): Promise<readonly CallDetail[]>
  close(): Promise<void>
}
