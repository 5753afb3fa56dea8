/** Builds the one door for changes to sources that touch their secrets. */
import { homedir } from 'node:os'
import { codexClientVersion } from './accounts/built-in-models.ts'
import type { Refresher } from './accounts/refresh.ts'
import { type DeskDeps, SourceDesk } from './accounts/source-desk.ts'
import { clientFiles } from './adapters/files/client-files.ts'
import { sharedHolders } from './adapters/files/holders.ts'
import { olderFiles } from './adapters/files/older-files.ts'
import { vendorFiles } from './adapters/files/vendor-files.ts'
import type { Clock } from './ports.ts'
import type { Holders } from './sign-in-ports.ts'

type Built = 'files' | 'older' | 'loginFiles' | 'codexClientVersion' | 'tokenFor' | 'isRenewing'

interface Parts extends Omit<DeskDeps, Built> {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly refresher: Refresher
}

/** Without a folder this Pointsman counts as the only one; practice logins are nobody else's. */
export function openHolders(dataDir: string, folder: string | undefined, practice: boolean, clock: Clock): Holders {
  if (practice || folder === undefined) return { claim: async () => null, release: async () => {} }
  return sharedHolders({ folder, by: dataDir, nowMs: () => clock.nowMs() })
}

export function openDesk({ environment, refresher, ...parts }: Parts): SourceDesk {
  const home = environment.HOME ?? homedir()
  return new SourceDesk({
    ...parts,
    files: vendorFiles,
    loginFiles: clientFiles({ environment, home }),
    older: olderFiles({ environment, home }),
    codexClientVersion: () => codexClientVersion,
    tokenFor: (source) => refresher.tokenFor(source),
    isRenewing: (id) => refresher.isRenewing(id),
  })
}
