/** What sources and keys are called now, by id. */
import { useMemo } from 'react'
import { useMirror } from '../state/mirror.ts'
import { accountsMirror, keysMirror, profilesMirror } from '../state/sources.ts'

export interface Names {
  readonly sources: ReadonlyMap<string, string>
  readonly keys: ReadonlyMap<string, string>
}

export function useNames(): Names {
  const { value: accounts } = useMirror(accountsMirror)
  const { value: profiles } = useMirror(profilesMirror)
  const { value: keys } = useMirror(keysMirror)
  return useMemo(() => {
    const entry = ({ id, label }: { readonly id: string; readonly label: string }) => [id, label] as const
    return {
      sources: new Map([...(accounts ?? []), ...(profiles ?? [])].map(entry)),
      keys: new Map((keys ?? []).map(entry)),
    }
  }, [accounts, profiles, keys])
}
