/** Sources that were deleted and can still be brought back: hidden and not used meanwhile, removed after ten seconds. */
import { create } from 'zustand'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { accountsMirror, profilesMirror } from '../state/sources.ts'
import { toast } from '../state/toasts.ts'

export const useLeaving = create<{ readonly ids: ReadonlySet<string> }>()(() => ({ ids: new Set() }))

const hide = (id: string): void => useLeaving.setState(({ ids }) => ({ ids: new Set([...ids, id]) }))
const show = (id: string): void =>
  useLeaving.setState(({ ids }) => ({ ids: new Set([...ids].filter((each) => each !== id)) }))

export interface Leaver {
  readonly id: string
  readonly kind: 'subscription' | 'api' | 'local'
  readonly active: boolean
}

/** `text` says that it is gone; `onProblem` that it could not be done. */
export async function removeSoon(source: Leaver, text: string, onProblem: (problem: Problem) => void): Promise<void> {
  const { id, kind, active } = source
  const setActive = (next: boolean) =>
    kind === 'subscription'
      ? client.accounts.setActive({ id, active: next })
      : client.profiles.update({ id, active: next })
  const fail = (cause: unknown): void => {
    show(id)
    onProblem(problemOf(cause))
  }
  hide(id)
  try {
    if (active) await setActive(false)
  } catch (cause) {
    fail(cause)
    return
  }
  toast(text, {
    undo: () => {
      show(id)
      if (active) setActive(true).catch(fail)
    },
    settle: () => {
      const removal = kind === 'subscription' ? client.accounts.remove({ id }) : client.profiles.remove({ id })
      removal.then(() => Promise.all([accountsMirror.refresh(), profilesMirror.refresh()])).then(() => show(id), fail)
    },
  })
}
