/** Which vault the person chose, with what it needs from the shell. */
import { systemClock } from '../adapters/system.ts'
import type { VaultOptions } from '../adapters/vault/open-vault.ts'
import type { VaultMarks } from '../adapters/vault/stored-vault.ts'
import type { Announcer } from '../state/announcer.ts'
import type { Config, Host } from './config.ts'
import type { Stores } from './open-stores.ts'

export function vaultOptions(config: Config, host: Host, stores: Stores, announcer: Announcer): VaultOptions {
  if (config.vault === 'memory') return { kind: 'memory' }
  const onChange = () => announcer.changed('app')
  const common = { folder: config.dataDir, clock: systemClock, log: stores.log, onChange, marks: marksIn(stores) }
  switch (config.vault) {
    case 'keychain':
      return { kind: 'keychain', startHelper: host.startKeychainHelper, ...common }
    case 'passphrase':
      return { kind: 'passphrase', askPassphrase: host.askPassphrase, ...common }
    case 'file':
      return { kind: 'file', keyFile: host.keyFile, ...common }
  }
}

/** In the database: a copy of the vault file alone, put back later, doesn't bring its own mark along. */
function marksIn(stores: Stores): VaultMarks {
  return {
    last: () => stores.settings.vaultMark,
    keep(mark) {
      const { createdAtMs, generation } = stores.settings.vaultMark
      if (createdAtMs === mark.createdAtMs && generation === mark.generation) return
      try {
        stores.changeSettings({ ...stores.settings, vaultMark: mark })
      } catch (cause) {
        // A full disk: the vault itself is safe, only an older file would go unnoticed.
        stores.log.fault('vault-mark-not-kept', cause)
      }
    },
  }
}
