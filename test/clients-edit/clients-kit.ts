/** A `Clients` over real files and a real store in a folder; what takes a change back lies in a plain file beside. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientFiles, type ReplaceStep } from '../../src/main/adapters/files/client-files.ts'
import { SqliteConfigStore } from '../../src/main/adapters/sqlite/config-store.ts'
import { systemChance, systemClock, systemDigest } from '../../src/main/adapters/system.ts'
import { Clients } from '../../src/main/clients/connect.ts'
import { Announcer } from '../../src/main/state/announcer.ts'
import { Keys } from '../../src/main/state/keys.ts'

export function openClients(folder: string, onStep?: (step: ReplaceStep) => void) {
  const clock = systemClock
  const digest = systemDigest(new Uint8Array(32))
  const store = new SqliteConfigStore({ path: join(folder, 'pointsman.db'), clock })
  const keys = new Keys(store, clock, systemChance, digest, new Announcer())
  const kept = (name: string): string => join(folder, `kept-${name}`)
  const clients = new Clients({
    files: clientFiles({ environment: {}, home: join(folder, 'home'), ...(onStep === undefined ? {} : { onStep }) }),
    keepsakes: {
      keep: async (name, text) => writeFileSync(kept(name), text),
      read(name) {
        try {
          return readFileSync(kept(name), 'utf8')
        } catch {
          return null
        }
      },
      drop: async (name) => rmSync(kept(name), { force: true }),
    },
    store,
    keys,
    clock,
    digest,
    address: () => 'http://127.0.0.1:7646',
  })
  return { clients, keys, store, close: () => store.close() }
}
