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

/** Calls from this folder, or one inside it, go by a policy of their own. */
export interface FolderRule {
  /** Absolute. */
  readonly folder: string
  readonly policy: RoutePolicy
}

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
  /** The longest folder that fits wins; the folder itself is never stored with a call. */
  readonly folders?: readonly FolderRule[] | undefined
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** The policy for a call from these folders; several open ones must agree, or the key's own counts. */
export function policyFor({ policy, folders = [] }: AccessKey, from: readonly string[]): RoutePolicy | null {
  if (folders.length === 0 || from.length === 0 || policy === null) return policy
  const found = new Set(from.map((folder) => ruleFor(folders, folder)))
  const [only] = found
  return found.size === 1 && only !== undefined ? only.policy : policy
}

function ruleFor(rules: readonly FolderRule[], folder: string): FolderRule | undefined {
  const path = plainFolder(folder)
  let best: FolderRule | undefined
  for (const rule of rules) {
    const root = plainFolder(rule.folder)
    const fits = path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`)
    if (fits && root.length > plainFolder(best?.folder ?? '').length) best = rule
  }
  return best
}

/** One spelling: forward slashes, none at the end, a drive letter in lower case; with `..` in it, it fits nothing. */
export function plainFolder(text: string): string {
  const path = text
    .replaceAll('\\', '/')
    .replace(/\/+/g, '/')
    .replace(/^[A-Z]:/, (drive) => drive.toLowerCase())
  if (path.split('/').includes('..')) return ''
  return path.length > 1 ? path.replace(/\/$/, '') : path
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
