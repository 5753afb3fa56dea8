/** What is remembered across restarts and has changed since it was last written. */
import type { SessionKey, SourceId } from '../../shared/ids.ts'
import type { StoredBalance } from './budget.ts'
import type { Health } from './health.ts'
import type { Snapshot } from './quota.ts'
import type { Lost, Sample } from './quota-history.ts'
import type { Binding, Owned } from './session.ts'

/** Absent parts stay as they are. */
export interface StateChange {
  readonly bindings: readonly Binding[]
  readonly unbound: readonly SessionKey[]
  readonly quota: ReadonlyMap<SourceId, Snapshot>
  readonly health: Health | null
  readonly history?: { readonly samples: readonly Sample[]; readonly lost: readonly Lost[] } | undefined
  readonly owned?: readonly Owned[] | undefined
  readonly balances?: readonly StoredBalance[] | undefined
}
