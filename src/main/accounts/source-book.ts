/** What this folder needs of the owner of the sources; `state/` provides it. */
import type { SourceId } from '../../shared/ids.ts'
import type { Source } from '../domain/source.ts'

export interface SourceBook {
  get(id: SourceId): Source | undefined
  all(): readonly Source[]
  /** Adds or replaces; durable when it returns. */
  save(source: Source): void
  remove(id: SourceId): void
  /** Marks an account as needing a new sign-in; `because` follows "… is signed out:" and has no full stop. */
  signedOut(id: SourceId, because: string): void
}
