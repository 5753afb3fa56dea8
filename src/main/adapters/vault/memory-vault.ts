/** A vault that forgets everything at the end: practice, tests, and whoever wants no secret on disk. */
import type { CredentialRef } from '../../../shared/ids.ts'
import type { Credential } from '../../domain/credential.ts'
import type { VaultState } from '../../ports.ts'
import { credentialOf, secretOf } from './credential-bytes.ts'
import type { OpenedVault } from './opened-vault.ts'
import type { Secret } from './secret.ts'

const state: VaultState = { kind: 'memory', state: 'open' }

export function memoryVault(): OpenedVault {
  const secrets = new Map<CredentialRef, Secret>()
  let generation = 0
  const forget = (ref: CredentialRef): void => {
    secrets.get(ref)?.close()
    secrets.delete(ref)
    generation += 1
  }
  return {
    state: () => state,
    unlock: async () => state,
    read(ref): Credential | null {
      const secret = secrets.get(ref)
      return secret === undefined ? null : credentialOf(secret)
    },
    async write(ref, credential) {
      forget(ref)
      secrets.set(ref, secretOf(credential))
    },
    async remove(ref) {
      forget(ref)
    },
    generation: () => generation,
    rotateKey: async () => {},
    setAside: async () => state,
    async close() {
      for (const secret of secrets.values()) secret.close()
      secrets.clear()
    },
  }
}
