/** The frozen picture that the pure stages decide on; parts are swapped whole, never changed in place. */
import type { KeyId, SessionKey, SourceId } from '../../shared/ids.ts'
import type { HeldState } from '../dialects/held-state.ts'
import type { AccessKey } from '../domain/access-key.ts'
import type { Health } from '../domain/health.ts'
import type { Snapshot } from '../domain/quota.ts'
import type { Binding } from '../domain/session.ts'
import type { Settings } from '../domain/settings.ts'
import type { Dialect, Operation } from '../domain/source.ts'
import type { Budgets } from '../state/budgets.ts'
import type { Gates } from '../state/gates.ts'
import type { RecentUse } from '../state/recent-use.ts'
import type { Rounds } from '../state/rounds.ts'
import type { SourcesPicture } from '../state/sources.ts'

export interface View {
  readonly nowMs: number
  readonly settings: Settings
  readonly picture: SourcesPicture
  readonly health: Health
  readonly quota: ReadonlyMap<SourceId, Snapshot>
  /** Shadow mode: listed order serves, without bindings. */
  readonly listedOnly?: boolean | undefined
  readonly bindings: { get(session: SessionKey): Binding | undefined }
  /** What the strategies remember from request to request. */
  readonly rounds: Pick<Rounds, 'get'>
  readonly recent: Pick<RecentUse, 'tokens' | 'firstContentMs' | 'failures'>
  /** Absent where nothing is in flight: in a replay. */
  readonly gates?: Pick<Gates, 'pending' | 'failedOverTo'> | undefined
  readonly owners?: { get(hash: string): SourceId | undefined } | undefined
  readonly keys: { get(id: KeyId): AccessKey | undefined }
  /** Absent where no money counts: in a replay. */
  readonly budgets?: Pick<Budgets, 'all' | 'left' | 'endsMs'> | undefined
  /** False while the vault is locked or its key is missing: accounts with a credential can't serve. */
  readonly vaultOpen: boolean
}

/** What the pure stages know of a request; the same for a real one, an explanation and a rehearsal. */
export interface Ask {
  readonly providerId: string
  readonly dialect: Dialect
  readonly operation: Operation
  readonly model: string | null
  readonly serviceTier: string | null
  readonly key: AccessKey
  readonly session: SessionKey | null
  readonly parents: readonly SessionKey[]
  /** Where the client works, for the key's folder rules only; never stored. */
  readonly folders?: readonly string[] | undefined
  readonly interactive: boolean
  /** State of earlier answers that it builds on, by hash. */
  readonly holds?: readonly { readonly kind: HeldState['kind']; readonly hash: string }[] | undefined
  /** Marks of genuine Claude Code that were found (routing §6). */
  readonly claudeCodeMarks: readonly string[]
  readonly codexClient: boolean
}
