/** Tokens of one answer, in one arithmetic whatever the vendor's. */

/**
 * `inputTokens` is everything read, cached or not; cache reads and writes are parts of it. `outputTokens` includes
 * reasoning. Sources: claude §5 (input + creation + read), codex §5.1 (cached ⊂ input, reasoning ⊂ output).
 * Unknown is null as a whole, never 0.
 */
export interface Usage {
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** Those of them that are kept for an hour, where the vendor tells (claude §5); they cost more. */
  readonly cacheWriteLongTokens?: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}
