/** Saves what is changed of a key, with the way back as it was. */
import { type Client, client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { budgetsMirror } from '../state/budgets.ts'
import { type AccessKey, keysMirror } from '../state/sources.ts'
import { toast } from '../state/toasts.ts'
import type { Texts } from '../text/en.ts'
import { policyDraft, type StoredPolicy, writtenPolicy } from './policy-draft.ts'

export type KeyChange = Omit<Parameters<Client['keys']['setPolicy']>[0], 'id'>

/** After keys or budgets have changed: each tells of the other. */
export const refreshAccess = (): Promise<unknown> => Promise.all([keysMirror.refresh(), budgetsMirror.refresh()])

/** Throws what the program refuses. */
export async function changeKey(key: AccessKey, change: KeyChange, { access, said }: Texts): Promise<void> {
  const { id } = key
  const { label } = await client.keys.setPolicy({ id, ...change })
  await refreshAccess()
  const before = Object.fromEntries(Object.entries(asWritten(key)).filter(([name]) => name in change))
  const undo = (): void => {
    client.keys
      .setPolicy({ id, ...before })
      .catch((cause: unknown) => toast(said.problem(problemOf(cause))))
      .then(refreshAccess)
  }
  toast(access.keyChanged(label), { undo })
}

/** A key as it stands, in the form that `setPolicy` takes. */
function asWritten(key: AccessKey): Required<KeyChange> {
  const { label, providers, models, operations, serviceTiers, expiresAtMs, concurrency, budgetId, folders } = key
  const copy = <Item>(list: readonly Item[] | null): Item[] | null => (list === null ? null : [...list])
  return {
    ...{ label, expiresAtMs, concurrency, budgetId },
    policy: writtenPolicy(policyDraft(key.policy)),
    providers: copy(providers),
    models: copy(models),
    operations: copy(operations),
    serviceTiers: copy(serviceTiers),
    folders: writtenFolders(folders),
  }
}

export interface FolderRule {
  readonly folder: string
  readonly policy: StoredPolicy
}

/** A rule without a policy can't be stored, so there is none among them. */
export const writtenFolders = (folders: readonly FolderRule[]) =>
  folders.flatMap(({ folder, policy }) => {
    const written = writtenPolicy(policyDraft(policy))
    return written === null ? [] : [{ folder, policy: written }]
  })
