export interface GuardMutation {
  readonly guard: string
  /** What passes once the guard is gone. */
  readonly what: string
  readonly file: string
  readonly edits: readonly (readonly [find: string, replace: string])[]
  readonly project: 'unit' | 'integration'
  readonly tests: readonly string[]
}

export const guardMutations: readonly GuardMutation[]
