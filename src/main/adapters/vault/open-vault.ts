/** Opens the vault of the kind that was asked for. No kind ever falls back to another. */
import type { Vault, VaultState } from '../../ports.ts'
import { keyFile } from './key-file.ts'
import type { KeyStore } from './key-store.ts'
import { memoryVault } from './memory-vault.ts'
import { StoredVault, type StoredVaultOptions } from './stored-vault.ts'

export interface OpenedVault extends Vault {
  /** Counts every change; lower than it once was means that an older file was put back (T5.3). */
  generation(): number
  /** Moves the vault to a new key: stored, read back, re-encrypted; the old key goes at the next clean start. */
  rotateKey(): Promise<void>
  /** Only when the key is missing: renames the vault file aside, deleting nothing, and begins an empty one. */
  setAside(): Promise<VaultState>
  /** Saves what is unsaved, if it can, and overwrites the secrets in memory. */
  close(): Promise<void>
}

export type VaultOptions = { readonly kind: 'memory' } | (Omit<StoredVaultOptions, 'limitMs'> & StoreChoice)

type StoreChoice = { readonly kind: 'file'; readonly keyFile: string }

export async function openVault(options: VaultOptions): Promise<OpenedVault> {
  if (options.kind === 'memory') return memoryVault()
  return openStoredVault(storeFor(options), { ...options, limitMs: 10_000 })
}

export async function openStoredVault(store: KeyStore, options: StoredVaultOptions): Promise<OpenedVault> {
  const vault = new StoredVault(store, options)
  await vault.unlock()
  return vault
}

function storeFor(options: StoreChoice & { readonly folder: string }): KeyStore {
  return keyFile({ path: options.keyFile, folder: options.folder })
}
