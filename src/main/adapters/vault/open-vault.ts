/** Opens the vault of the kind that was asked for. No kind ever falls back to another. */
import type { StartHelper } from './helper-process.ts'
import { keyFile } from './key-file.ts'
import type { KeyStore } from './key-store.ts'
import { keychain } from './keychain.ts'
import { memoryVault } from './memory-vault.ts'
import type { OpenedVault } from './opened-vault.ts'
import { type AskPassphrase, passphraseFile } from './passphrase.ts'
import { StoredVault, type StoredVaultOptions } from './stored-vault.ts'

export type VaultOptions = { readonly kind: 'memory' } | (StoreChoice & StoredVaultOptions & Limits)

type StoreChoice =
  | { readonly kind: 'keychain'; readonly startHelper: StartHelper }
  | { readonly kind: 'passphrase'; readonly askPassphrase: AskPassphrase }
  | { readonly kind: 'file'; readonly keyFile: string }

interface Limits {
  /** How long a start waits for the keychain before it goes on without; a later answer is still taken. */
  readonly patienceMs?: number
  /** How long one question to the keychain may take before its helper is killed. */
  readonly limitMs?: number
}

/** Never rejects because a store can't be used: then the state says why, and writes are refused. */
export async function openVault(options: VaultOptions): Promise<OpenedVault> {
  if (options.kind === 'memory') return memoryVault()
  return openWith(storeOf(options), options, options.kind === 'keychain' ? (options.patienceMs ?? 1_500) : null)
}

async function openWith(store: KeyStore, options: StoredVaultOptions, patienceMs: number | null): Promise<OpenedVault> {
  const vault = new StoredVault(store, options)
  const opened = vault.unlock()
  if (patienceMs === null) {
    await opened
    return vault
  }
  const patience = Promise.withResolvers<void>()
  const cancel = options.clock.after(patienceMs, patience.resolve)
  await Promise.race([opened, patience.promise])
  cancel()
  return vault
}

function storeOf(options: Exclude<VaultOptions, { kind: 'memory' }>): KeyStore {
  const { folder, clock, limitMs = 10_000 } = options
  switch (options.kind) {
    case 'keychain':
      return keychain({ startHelper: options.startHelper, clock, limitMs })
    case 'passphrase':
      return passphraseFile({ folder, ask: options.askPassphrase })
    case 'file':
      return keyFile({ path: options.keyFile, folder })
  }
}
