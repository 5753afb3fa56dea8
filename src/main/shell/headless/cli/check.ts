/** One thing that `doctor` looks at. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly sentence: string
  /** What to do about it; null where nothing is wrong. */
  readonly next: string | null
}
