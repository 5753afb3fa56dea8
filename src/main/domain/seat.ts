/** One backend of a pool as a strategy weighs it: numbers only, so that they can be stored and rehearsed (routing §4). */

/** The long window of routing §4: weekly, or monthly where that is the account's; none → its five-hour. */
export interface LongWindow {
  readonly leftPercent: number
  readonly renewsAtMs: number
}

export interface Seat {
  /** Who it is, the same from request to request: the backend's id. */
  readonly key: string
  /** A subscription account, not an API key. */
  readonly account: boolean
  /** Its allowance is known; `used`, `soonMs`, `pace` and `long` are read from it. */
  readonly known: boolean
  /** An account not known now, of a vendor that tells what is left as it answers. */
  readonly learns: boolean
  /** Share of its allowance used that counts the model, 0–100; 0 when unknown. */
  readonly used: number
  /** When its windows renew, the biggest first. */
  readonly soonMs: readonly number[]
  /** Percent of its week left per hour until that renews; a fresh week for an account not known, 0 for a key. */
  readonly pace: number
  /** At least 1. */
  readonly weight: number
  /** It is left alone for now, and tried last whatever the strategy says. */
  readonly resting: boolean
  /** Tokens sent to it lately, decayed; 0 unless the strategy goes by use. */
  readonly tokens: number
  /** The model costs nothing here; false unless the strategy goes by that. */
  readonly free: boolean
  /** It goes on past its allowance for money, and may. */
  readonly credits: boolean
  readonly long: LongWindow | null
  /** Share used of its five-hour window; null when it has none or it isn't known. */
  readonly fiveHourUsed: number | null
  /** After how long a measured allowance counts as old; null for a key. */
  readonly maxAgeMs: number | null
  /** Recent time to the first content; null when unmeasured or the strategy doesn't go by it. */
  readonly firstContentMs: number | null
  /** Failures in the last hour; 0 unless the strategy goes by them. */
  readonly failures: number
}

/** A whole week left, per hour: what an account not known counts as. */
export const freshPace = 100 / 168
