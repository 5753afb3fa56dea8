/** Builds the part that connects the clients, from files, vault and stores. */
import { homedir } from 'node:os'
import type { CredentialRef } from '../../shared/ids.ts'
import { clientFiles } from '../adapters/files/client-files.ts'
import type { ConnectionStore, Keepsakes } from '../client-ports.ts'
import { Clients } from '../clients/connect.ts'
import type { Clock, Digest, Log, Vault } from '../ports.ts'
import type { Keys } from '../state/keys.ts'

interface Parts {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly vault: Vault
  readonly store: ConnectionStore
  readonly keys: Keys
  readonly clock: Clock
  readonly digest: Digest
  readonly log: Log
  address(): string
}

/** What a crash left between journal and write is settled in the background. */
export function connectClients({ environment, vault, log, ...parts }: Parts): Clients {
  const files = clientFiles({ environment, home: homedir() })
  const clients = new Clients({ files, keepsakes: keepsakesIn(vault), ...parts })
  clients.settle().catch((cause: unknown) => void log.fault('clients-not-settled', cause))
  return clients
}

/** A file may hold secrets of its own, so what takes a change back lies in the vault, as any other secret text. */
function keepsakesIn(vault: Vault): Keepsakes {
  const ref = (name: string): CredentialRef => `client/${name}` as CredentialRef
  return {
    keep: (name, text) => vault.write(ref(name), { kind: 'api-key', key: text }),
    read(name) {
      try {
        const kept = vault.read(ref(name))
        return kept?.kind === 'api-key' ? kept.key : null
      } catch {
        return null
      }
    },
    drop: (name) => vault.remove(ref(name)),
  }
}
