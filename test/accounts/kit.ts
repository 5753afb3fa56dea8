/** Ports for the account tests: a clock moved by hand, a vault in memory, a web that answers as told, a log that keeps all. */
import { createHash } from 'node:crypto'
import { Refresher } from '../../src/main/accounts/refresh.ts'
import type { SourceBook } from '../../src/main/accounts/source-book.ts'
import type { Credential, OAuthCredential } from '../../src/main/domain/credential.ts'
import type { Account, Source } from '../../src/main/domain/source.ts'
import type {
  Chance,
  Clock,
  Digest,
  Files,
  Log,
  UpstreamFailure,
  Vault,
  VaultState,
  Web,
  WebAnswer,
  WebRequest,
} from '../../src/main/ports.ts'
import type { HostOverrides } from '../../src/main/providers/provider.ts'
import { PointsmanError } from '../../src/shared/errors.ts'
import { type CredentialRef, credentialRef, type SourceId, sourceId } from '../../src/shared/ids.ts'
import { alone } from './alone.ts'

export const startMs = Date.UTC(2026, 10, 30, 8)
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const noHosts: HostOverrides = { claude: null, claudeAuth: null, codex: null, codexAuth: null }

export class HandClock implements Clock {
  wallMs = startMs
  monotonicMs = 0
  #timers: { dueMs: number; act: () => void }[] = []

  nowMs(): number {
    return this.wallMs
  }

  elapsedMs(): number {
    return this.monotonicMs
  }

  after(delayMs: number, act: () => void): () => void {
    const timer = { dueMs: this.monotonicMs + delayMs, act }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  get waiting(): number {
    return this.#timers.length
  }

  advance(ms: number): void {
    this.wallMs += ms
    this.monotonicMs += ms
    const due = this.#timers.filter((timer) => timer.dueMs <= this.monotonicMs)
    this.#timers = this.#timers.filter((timer) => timer.dueMs > this.monotonicMs)
    for (const timer of due) timer.act()
  }
}

/** Serves from memory at once; a write waits for `gate` when one is set, and rejects while `isFull`. */
export class HandVault implements Vault {
  readonly records = new Map<CredentialRef, Credential>()
  readonly writes: Credential[] = []
  isFull = false
  closed: VaultState | null = null
  gate: Promise<void> | null = null

  state(): VaultState {
    return this.closed ?? { kind: 'memory', state: 'open' }
  }

  async unlock(): Promise<VaultState> {
    return this.state()
  }

  read(ref: CredentialRef): Credential | null {
    return this.closed === null ? (this.records.get(ref) ?? null) : null
  }

  async write(ref: CredentialRef, credential: Credential): Promise<void> {
    this.records.set(ref, credential)
    this.writes.push(credential)
    const { gate } = this
    if (gate !== null) await gate
    if (this.isFull) throw new PointsmanError('vault_write_failed', { why: 'the disk is full' })
  }

  async remove(ref: CredentialRef): Promise<void> {
    this.records.delete(ref)
    if (this.isFull) throw new PointsmanError('vault_write_failed', { why: 'the disk is full' })
  }
}

export type Reply =
  | WebAnswer
  | UpstreamFailure
  | (() => WebAnswer | UpstreamFailure | Promise<WebAnswer | UpstreamFailure>)

export class HandWeb implements Web {
  readonly requests: WebRequest[] = []
  readonly #replies: Reply[]
  #else: (request: WebRequest) => WebAnswer | UpstreamFailure

  constructor(...replies: Reply[]) {
    this.#replies = replies
    this.#else = () => ({ kind: 'unreachable', why: 'no reply is left' })
  }

  next(...replies: Reply[]): this {
    this.#replies.push(...replies)
    return this
  }

  otherwise(answer: (request: WebRequest) => WebAnswer | UpstreamFailure): this {
    this.#else = answer
    return this
  }

  async fetch(request: WebRequest): Promise<WebAnswer | UpstreamFailure> {
    this.requests.push(request)
    const reply = this.#replies.shift()
    if (reply === undefined) return this.#else(request)
    return typeof reply === 'function' ? reply() : reply
  }
}

export class HandLog implements Log {
  readonly lines: unknown[] = []
  info(event: string, facts?: Readonly<Record<string, string | number | boolean | null>>): void {
    this.lines.push({ event, ...facts })
  }
  fault(event: string, cause: unknown): string {
    this.lines.push({ event, cause: cause instanceof Error ? `${cause.message} ${cause.stack}` : String(cause) })
    return 'log-1'
  }
  get events(): unknown[] {
    return this.lines.map((line) => (line as { event: unknown }).event)
  }
}

export class HandSources implements SourceBook {
  readonly map = new Map<SourceId, Source>()
  readonly #clock: Clock
  constructor(clock: Clock, ...sources: Source[]) {
    this.#clock = clock
    for (const source of sources) this.save(source)
  }
  get(id: SourceId): Source | undefined {
    return this.map.get(id)
  }
  all(): readonly Source[] {
    return [...this.map.values()]
  }
  save(source: Source): void {
    this.map.set(source.id, source)
  }
  remove(id: SourceId): void {
    if (!this.map.delete(id)) throw new PointsmanError('not_found', { what: id })
  }
  signedOut(id: SourceId, because: string): void {
    const source = this.map.get(id)
    if (source?.type !== 'subscription' || source.signedOut !== null) return
    this.save({ ...source, signedOut: { because, sinceMs: this.#clock.nowMs() } })
  }
}

export class HandFiles implements Files {
  readonly texts = new Map<string, string | Error>()
  reads = 0
  async readText(path: string): Promise<string | null> {
    this.reads += 1
    const text = this.texts.get(path)
    if (text instanceof Error) throw text
    return text ?? null
  }
}

export const digest: Digest = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  keyDigest: (key) => createHash('sha256').update(key).digest('hex'),
}

export const chance: Chance = { unit: () => 0.5, bytes: (length) => new Uint8Array(length) }

export function jwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`
}

export const codexClaims = (userId: string, accountId: string, more: object = {}): object => ({
  email: 'me@example.test',
  'https://api.openai.com/auth': {
    chatgpt_user_id: userId,
    chatgpt_account_id: accountId,
    chatgpt_plan_type: 'plus',
    ...more,
  },
})

export const json = (status: number, body: unknown, headers: readonly string[] = []): WebAnswer => ({
  status,
  headers,
  text: JSON.stringify(body),
})

export const work = sourceId('work')

export function account(change: Partial<Account> = {}): Account {
  const id = change.id ?? work
  return {
    type: 'subscription',
    provider: 'claude',
    id,
    label: 'Work',
    active: true,
    models: [],
    defaultModel: null,
    weight: 1,
    proxy: null,
    credentialRef: credentialRef(id),
    createdAtMs: startMs,
    updatedAtMs: startMs,
    identity: null,
    email: null,
    workspace: null,
    plan: null,
    custody: 'pointsman',
    path: null,
    serves: 'claude-code-only',
    reservePercent: 0,
    maySpendBeyondPlan: false,
    signedOut: null,
    ...change,
  }
}

export const oauth = (change: Partial<OAuthCredential> = {}): OAuthCredential => ({
  kind: 'oauth',
  accessToken: 'sk-ant-oat01-old',
  refreshToken: 'sk-ant-ort01-old',
  expiresAtMs: startMs + 8 * hourMs,
  accountId: null,
  fedramp: false,
  renewedAtMs: startMs,
  refreshStarted: null,
  ...change,
})

export const fresh = json(200, {
  access_token: 'sk-ant-oat01-new',
  refresh_token: 'sk-ant-ort01-new',
  expires_in: 28_800,
  token_type: 'Bearer',
})

/** One Claude account with a credential in the vault, and everything around it. */
export function bench(
  credential: OAuthCredential | null = oauth(),
  change: Partial<Account> = {},
  web = new HandWeb(),
) {
  const clock = new HandClock()
  const vault = new HandVault()
  const log = new HandLog()
  const files = new HandFiles()
  const source = account(change)
  const sources = new HandSources(clock, source)
  if (credential !== null) vault.records.set(credentialRef(source.id), credential)
  const parts = { web, clock, chance, digest, log, hosts: noHosts, sources, vault, files }
  const refresher = new Refresher({ ...parts, holders: alone })
  const stored = (): Credential | undefined => vault.records.get(credentialRef(source.id))
  const now = (): Account => sources.get(source.id) as Account
  return { clock, vault, log, files, source, sources, web, refresher, stored, now }
}

/** Lets everything that waits only for promises go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

/** Resolves from outside. */
export function gate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

export const expired = oauth({ expiresAtMs: startMs - 1 })
/** What `fresh` makes of it at the start. */
export const renewedNow = oauth({ accessToken: 'sk-ant-oat01-new', refreshToken: 'sk-ant-ort01-new' })

export const codes = (given: unknown): unknown => (given as { code?: unknown }).code
