/** Access keys: what a client presents, and what it may do (access.md). The key itself is never here. */
import type { BudgetId, KeyId, SourceId } from '../../shared/ids.ts'
import type { Operation } from './source.ts'

export type KeyState = 'pending' | 'active' | 'disabled' | 'expired' | 'revoked'

export type RoutePolicy =
  | { readonly mode: 'default' }
  | { readonly mode: 'strict'; readonly sources: readonly SourceId[] }
  | {
      readonly mode: 'preferred'
      readonly sources: readonly SourceId[]
      readonly fallback: 'default' | 'none' | { readonly sources: readonly SourceId[]; readonly strategy: string }
    }
  | { readonly mode: 'pool'; readonly sources: readonly SourceId[]; readonly strategy: string }

export interface AccessKey {
  readonly id: KeyId
  readonly label: string
  /** `pk_…last4`. */
  readonly preview: string
  /** The stored state; `expired` follows from `expiresAtMs` (see `keyState`). */
  readonly state: Exclude<KeyState, 'expired'>
  readonly expiresAtMs: number | null
  /** Null when explicitly unbound: it authenticates and is then refused. */
  readonly policy: RoutePolicy | null
  /** Null means every one. */
  readonly providers: readonly string[] | null
  readonly models: readonly string[] | null
  readonly operations: readonly Operation[] | null
  readonly serviceTiers: readonly string[] | null
  readonly concurrency: number | null
  readonly budgetId: BudgetId | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** The state that counts now: disabled beats expiry, revoked is final. */
export function keyState(key: AccessKey, nowMs: number): KeyState {
  if (key.state !== 'active') return key.state
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active'
}

/** Which state changes a person may make by hand. */
export function mayMove(from: KeyState, to: KeyState): boolean {
  if (from === 'revoked') return false
  switch (to) {
    case 'revoked':
      return true
    case 'active':
      return from === 'pending' || from === 'disabled'
    case 'disabled':
      return from === 'active' || from === 'expired'
    case 'pending':
    case 'expired':
      return false
  }
}
