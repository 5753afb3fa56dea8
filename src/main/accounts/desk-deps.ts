/** What the desk of sources, and what it hands over, is given. */
import type { Problem } from '../../shared/errors.ts'
import type { SourceId } from '../../shared/ids.ts'
import type { Credential } from '../domain/credential.ts'
import type { Source } from '../domain/source.ts'
import type { Digest } from '../ports.ts'
import type { LoginFileWriter, OlderFiles } from '../sign-in-ports.ts'
import type { ImportDeps } from './import.ts'

export interface DeskDeps extends ImportDeps {
  /** `Refresher.tokenFor`. */
  tokenFor(source: Source): Promise<Credential | Problem | null>
  /** `Refresher.isRenewing`. */
  isRenewing(id: SourceId): boolean
  readonly digest: Digest
  readonly loginFiles: LoginFileWriter
  readonly older: OlderFiles
  /** A person has entered this base URL: its host may be asked from now on. */
  enterHost(baseUrl: string): void
}
