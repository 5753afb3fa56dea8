/** Builds the one door for changes to sources that touch their secrets. */
import { homedir } from 'node:os'
import { codexClientVersion } from '../accounts/built-in-models.ts'
import type { DeskDeps } from '../accounts/desk-deps.ts'
import { codexHomeOf } from '../accounts/login-place.ts'
import type { Refresher } from '../accounts/refresh.ts'
import { SourceDesk } from '../accounts/source-desk.ts'
import { clientFiles } from '../adapters/files/client-files.ts'
import { sharedHolders } from '../adapters/files/holders.ts'
import { olderFiles } from '../adapters/files/older-files.ts'
import { vendorFiles } from '../adapters/files/vendor-files.ts'
import { loginKeyring } from '../adapters/vault/login-keyring.ts'
import type { Clock, Files } from '../ports.ts'
import type { Holders, LoginFileWriter, LoginKeyring } from '../sign-in-ports.ts'
import type { Host } from './config.ts'

type Place = 'files' | 'loginFiles'
type Built = Place | 'older' | 'codexClientVersion' | 'tokenFor' | 'isRenewing'

interface Parts extends Omit<DeskDeps, Built> {
  readonly host: Pick<Host, 'environment' | 'startKeychainHelper'>
  readonly refresher: Refresher
}

/** Without a folder this Pointsman counts as the only one; practice logins are nobody else's. */
export function openHolders(dataDir: string, folder: string | undefined, practice: boolean, clock: Clock): Holders {
  if (practice || folder === undefined) return { claim: async () => null, release: async () => {} }
  return sharedHolders({ folder, by: dataDir, nowMs: () => clock.nowMs() })
}

/** A person may have to answer the keychain's prompt. */
const keychainLimitMs = 60_000

export function openDesk({ host, refresher, ...parts }: Parts): SourceDesk {
  const { environment, startKeychainHelper: startHelper } = host
  const home = environment.HOME ?? homedir()
  const { clock } = parts
  const keyring = loginKeyring({ startHelper, clock, limitMs: keychainLimitMs, platform: process.platform })
  return new SourceDesk({
    ...parts,
    ...loginPlaces(vendorFiles, clientFiles({ environment, home }), keyring),
    older: olderFiles({ environment, home }),
    codexClientVersion: () => codexClientVersion,
    tokenFor: async (source) => refresher.tokenFor(source),
    isRenewing: (id) => refresher.isRenewing(id),
  })
}

/** A login is read and given back where it lies: in a file or in the keychain. */
function loginPlaces(files: Files, writer: LoginFileWriter, keyring: LoginKeyring): Pick<DeskDeps, Place> {
  return {
    files: {
      readText(place) {
        const codexHome = codexHomeOf(place)
        return codexHome === null ? files.readText(place) : keyring.read(codexHome)
      },
    },
    loginFiles: {
      replace(file, text, expected) {
        const codexHome = codexHomeOf(file.path)
        return codexHome === null ? writer.replace(file, text, expected) : keyring.replace(codexHome, text, expected)
      },
    },
  }
}
