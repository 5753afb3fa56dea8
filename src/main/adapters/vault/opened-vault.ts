/** A vault of any kind as its owner has it: beyond reading and writing, its keys and its end. */
import type { Vault, VaultState } from '../../ports.ts'

export interface OpenedVault extends Vault {
  /** Counts the changes on disk; lower than it once was means that an older file was put back (T5.3). */
  generation(): number
  /** Moves the vault to a new key: stored, read back, re-encrypted; the old key goes at the next clean start. */
  rotateKey(): Promise<void>
  /** When key or passphrase is lost: renames the vault file aside, deleting nothing, and begins an empty one. */
  setAside(): Promise<VaultState>
  /** Saves what is unsaved, if it can, and overwrites the secrets in memory. */
  close(): Promise<void>
}
