/** A route policy while it is being written, and how it becomes the contract's input; pure. */
import type { AccessKey } from '../state/sources.ts'

export type StoredPolicy = NonNullable<AccessKey['policy']>

export const modes = ['default', 'preferred', 'pool', 'strict', 'unbound'] as const
export type Mode = (typeof modes)[number]

export const fallbacks = ['default', 'set', 'none'] as const

/** What another mode would need stays while one is tried out. */
export interface PolicyDraft {
  readonly mode: Mode
  /** In the person's order. */
  readonly sources: readonly string[]
  /** Of a pool. */
  readonly strategy: string
  readonly fallback: (typeof fallbacks)[number]
  readonly fallbackSources: readonly string[]
  readonly fallbackStrategy: string
}

/** In listed order, so that dragging means what it shows. */
export const listed = 'ordered'

/** Null: the key is refused whatever it asks. */
export function policyDraft(policy: StoredPolicy | null): PolicyDraft {
  const fallback = policy?.fallback ?? 'default'
  const set = typeof fallback === 'object' ? fallback : null
  return {
    mode: policy?.mode ?? 'unbound',
    sources: policy?.sources ?? [],
    strategy: policy?.strategy ?? listed,
    fallback: set === null && typeof fallback === 'string' ? fallback : 'set',
    fallbackSources: set?.sources ?? [],
    fallbackStrategy: set?.strategy ?? listed,
  }
}

export const freshPolicy = policyDraft({ mode: 'default' })

/** As the contract takes it. */
export function writtenPolicy(draft: PolicyDraft) {
  const { mode, strategy, fallback } = draft
  const sources = [...draft.sources]
  switch (mode) {
    case 'unbound':
      return null
    case 'default':
      return { mode }
    case 'strict':
      return { mode, sources }
    case 'pool':
      return { mode, sources, strategy }
    case 'preferred': {
      const set = { sources: [...draft.fallbackSources], strategy: draft.fallbackStrategy }
      return { mode, sources, fallback: fallback === 'set' ? set : fallback }
    }
  }
}

export const namesSources = ({ mode }: PolicyDraft): boolean => mode !== 'default' && mode !== 'unbound'

/** A list that nobody stands in would be refused. */
export function isWhole(draft: PolicyDraft): boolean {
  if (namesSources(draft) && draft.sources.length === 0) return false
  return draft.mode !== 'preferred' || draft.fallback !== 'set' || draft.fallbackSources.length > 0
}
