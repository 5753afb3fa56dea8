/** Which vault the person chose, with what it needs from the shell. */
import { systemClock } from './adapters/system.ts'
import type { VaultOptions } from './adapters/vault/open-vault.ts'
import type { Config, Host } from './compose.ts'
import type { Log } from './ports.ts'
import type { Announcer } from './state/announcer.ts'

export function vaultOptions(config: Config, host: Host, log: Log, announcer: Announcer): VaultOptions {
  if (config.vault === 'memory') return { kind: 'memory' }
  const common = { folder: config.dataDir, clock: systemClock, log, onChange: () => announcer.changed('app') }
  switch (config.vault) {
    case 'keychain':
      return { kind: 'keychain', startHelper: host.startKeychainHelper, ...common }
    case 'passphrase':
      return { kind: 'passphrase', askPassphrase: host.askPassphrase, ...common }
    case 'file':
      return { kind: 'file', keyFile: host.keyFile, ...common }
  }
}
