/** Where a vault's 32-byte key is kept: the keychain, a passphrase-wrapped file, or a plain key file. */
import type { VaultKind } from '../../ports.ts'
import type { Secret } from './secret.ts'

export const keyBytes = 32

/** Why a store can't answer now; `because` is a clause for people, without secrets. */
export interface StoreRefusal {
  readonly kind: 'locked' | 'unavailable' | 'hung'
  readonly because: string
}

export type KeyFound = { readonly kind: 'found'; readonly key: Secret } | { readonly kind: 'absent' } | StoreRefusal
export type KeyDone = { readonly kind: 'done' } | StoreRefusal

export interface KeyStore {
  readonly kind: Exclude<VaultKind, 'memory'>
  /** The key; `absent` only when it is certain that the store is open and has none. */
  find(keyId: string): Promise<KeyFound>
  /** Resolves `done` once the store says so; the caller reads back. */
  keep(keyId: string, key: Secret): Promise<KeyDone>
  /** `done` also when there was none. */
  forget(keyId: string): Promise<KeyDone>
  /** Renames what the store keeps in the data folder, so that a new passphrase can begin; absent where there is none. */
  setAside?(mark: string): Promise<void>
}
