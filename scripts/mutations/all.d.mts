export interface Mutation {
  /** What its table calls the rule that is taken away. */
  readonly rule: string
  /** What passes once it is gone. */
  readonly what: string
  readonly file: string
  /** `elsewhere`: in another file than `file`. */
  readonly edits: readonly (readonly [find: string, replace: string, elsewhere?: string])[]
  readonly project: 'unit' | 'integration'
  readonly tests: readonly string[]
  /** Carried by the tests that must fail; without it any test of the files may. */
  readonly title?: string
}

export const guards: readonly Mutation[]
export const knownBugs: readonly Mutation[]
