/** The sources that exist at the simulated vendors, with their windows and what has been done to them. */
import type { ErrorName, OriginName } from './behaviour.ts'
import { afterCall, type PracticeWindow, renewed } from './windows.ts'

export type Fault = 'exhaust' | 'overload' | 'cut' | 'revoke' | 'slow' | 'none'

interface SourceCommon {
  readonly id: string
  readonly label: string
  fault: Fault
  /** Sessions whose prompt this source has cached, newest last. */
  readonly warm: Map<string, number>
}

export interface PracticeAccount extends SourceCommon {
  readonly kind: 'account'
  readonly provider: 'claude' | 'codex'
  readonly email: string
  readonly userId: string
  /** Organisation at Claude, workspace (`chatgpt-account-id`) at Codex. */
  readonly workspaceId: string
  readonly workspace: string
  /** The vendor's own word: `max`, `pro`, `business`, `plus`, … */
  readonly plan: string
  /** Claude only. */
  readonly rateLimitTier: string | null
  windows: readonly PracticeWindow[]
  /** The windows as they were before `exhaust`. */
  kept: readonly PracticeWindow[] | null
}

export interface PracticeKey extends SourceCommon {
  readonly kind: 'key'
  readonly origin: OriginName
  readonly key: string
  /** What every call is answered with, set by a fault. */
  refusal: ErrorName | null
}

export interface PracticeLocal extends SourceCommon {
  readonly kind: 'local'
  readonly origin: OriginName
}

export type PracticeSource = PracticeAccount | PracticeKey | PracticeLocal

const mostWarm = 500

export class World {
  readonly #sources = new Map<string, PracticeSource>()

  add<S extends PracticeSource>(source: S): S {
    if (this.#sources.has(source.id)) throw new Error(`the practice source ${source.id} exists already`)
    this.#sources.set(source.id, source)
    return source
  }

  all(): readonly PracticeSource[] {
    return [...this.#sources.values()]
  }

  find(id: string): PracticeSource | null {
    return this.#sources.get(id) ?? null
  }

  account(id: string): PracticeAccount {
    const source = this.#sources.get(id)
    if (source?.kind !== 'account') throw new Error(`no practice account ${id}`)
    return source
  }

  byKey(origin: OriginName, key: string | null): PracticeKey | null {
    for (const source of this.#sources.values()) {
      if (source.kind === 'key' && source.origin === origin && source.key === key) return source
    }
    return null
  }

  local(origin: OriginName): PracticeLocal | null {
    for (const source of this.#sources.values()) if (source.kind === 'local' && source.origin === origin) return source
    return null
  }
}

/** The account's windows as they stand now. */
export function windowsNow(account: PracticeAccount, nowMs: number): readonly PracticeWindow[] {
  account.windows = renewed(account.windows, nowMs)
  return account.windows
}

export function countCall(account: PracticeAccount, family: string | null, nowMs: number): void {
  account.windows = afterCall(windowsNow(account, nowMs), family, nowMs)
}

/** Tokens of this session's prompt that were cached here before this call; remembers `tokens` for the next one. */
export function cachedTokens(source: PracticeSource, session: string | null, tokens: number): number {
  if (session === null) return 0
  const before = source.warm.get(session) ?? 0
  source.warm.delete(session)
  source.warm.set(session, tokens)
  const oldest = source.warm.keys().next()
  if (source.warm.size > mostWarm && oldest.done !== true) source.warm.delete(oldest.value)
  return Math.min(before, tokens)
}
