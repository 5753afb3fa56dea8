/** The shape of a provider descriptor: everything the router needs to know of one kind of upstream, as data and pure functions. */
import type { Credential } from '../domain/credential.ts'
import type { Answer, SignalRead } from '../domain/failure.ts'
import type { Reading } from '../domain/quota.ts'
import type { Dialect, Operation, ProviderKind, Source } from '../domain/source.ts'

/** Replaces scheme and authority of a vendor's hosts, for practice and tests; loopback only (architecture, "Hosts are fixed"). */
export interface HostOverrides {
  readonly claude: string | null
  readonly claudeAuth: string | null
  readonly codex: string | null
  readonly codexAuth: string | null
}

export interface Target {
  /** Scheme and authority. */
  readonly origin: string
  /** Path with query. */
  readonly path: string
}

/** One member of a comma list in one header: added when missing, or taken out. */
export interface ListEdit {
  readonly name: string
  readonly add: string | null
  readonly remove: string | null
}

/** Edits to the client's headers for this upstream, as data; names in lower case. `outboundHeaders` applies them. */
export interface HeaderEdits {
  /** Beginnings of names that never go to this upstream, on top of what is never sent anywhere. */
  readonly dropPrefixes: readonly string[]
  readonly list: ListEdit | null
  /** Headers added when the client sent none of that name. */
  readonly defaults: readonly (readonly [name: string, value: string])[]
  /** Exactly one credential set, added after stripping: name, value, name, value, … */
  credential(credential: Credential): readonly string[]
}

export interface Provider {
  readonly kind: ProviderKind
  /** Null when this upstream has no such operation in that dialect. `query` begins with `?` or is empty. */
  target(source: Source, dialect: Dialect, operation: Operation, query: string, hosts: HostOverrides): Target | null
  /** `dialect` is the one spoken upstream. */
  headers(source: Source, dialect: Dialect): HeaderEdits
  /** Whole window sets found in an answer's headers; an incomplete set gives nothing (routing §7). */
  readings(rawHeaders: readonly string[], nowMs: number): readonly Reading[]
  /** Reads what a negative answer means. */
  read(answer: Answer): SignalRead
  /** Also answers over a WebSocket at the same address (codex §2.5). */
  readonly sockets?: true
  /** Answers only as a stream and refuses `store: true`; a unary caller's answer is put together here (codex §2.3). */
  readonly streamOnly: boolean
}
