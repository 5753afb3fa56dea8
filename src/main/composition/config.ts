/** What the person chose at the start, and what differs per shell. */
import type { StartHelper } from '../adapters/vault/helper-process.ts'
import type { AskPassphrase } from '../adapters/vault/passphrase.ts'
import type { VaultKind } from '../ports.ts'
import type { HostOverrides } from '../providers/index.ts'

/** What the person chose at the start. */
export interface Config {
  readonly version: string
  readonly dataDir: string
  /** Null: the port from the settings. */
  readonly port: number | null
  readonly vault: VaultKind
  readonly practice: boolean
  /** Practice mode's simulated traffic. */
  readonly traffic: boolean
  readonly hosts: HostOverrides
  /** Rows are left out: for measuring what they cost, in the bench only. */
  readonly withoutRows: boolean
}

/** What differs per shell. */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** `out/main/calls-reader.js`. */
  readonly callsReaderUrl: URL
  /** `out/main/translation-worker.js`; without it long histories are translated where everything runs. */
  readonly translationWorkerUrl?: URL | undefined
  readonly startKeychainHelper: StartHelper
  readonly askPassphrase: AskPassphrase
  /** Where the `file` vault keeps its key, outside the data folder. */
  readonly keyFile: string
  /** Shared by every Pointsman of this person, whatever its data folder: who has sent which refresh token. */
  readonly holdersFolder?: string
  /** A one-time link to the window in a browser; null while there is none. */
  readonly windowLink?: () => string | null
  /** Opens a vendor's sign-in page in the person's browser; without it the window or the command line shows the link. */
  readonly openPage?: (url: string) => void
}
