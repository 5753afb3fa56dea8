/** What a model's tokens cost: per kind of token, from a day on. */

/** Nano-USD per token: USD per million tokens × 1,000. */
export interface Rates {
  readonly input: number
  readonly cacheRead: number
  /** Kept for five minutes, or for as long as the vendor's only kind. */
  readonly cacheWrite: number
  /** Kept for an hour. */
  readonly cacheWriteLong: number
  readonly output: number
}

export interface Price extends Rates {
  /** Exact model id; a dated id (`…-20251001`) is found by the id before its date. */
  readonly model: string
  /** Valid from then until a later entry of the same model. */
  readonly fromMs: number
  /** Beyond this many input tokens the whole request is priced by other rates. */
  readonly long: (Rates & { readonly aboveTokens: number }) | null
  /** Factors of service tiers on every rate. */
  readonly tiers: Readonly<Record<string, number>>
}
