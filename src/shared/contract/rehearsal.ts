/** Rehearsal: what the log's calls would have met under another order, strategy or threshold. */
import { z } from 'zod'
import { id, input, list, member, timeMs } from './base.ts'

const totals = z.object({
  served: z.number(),
  refused: z.number(),
  /** A conversation went on with another source than before. */
  switches: z.number(),
  /** The source had not served the conversation within the last hour: its cache was not there. */
  coldStarts: z.number(),
  /** Integer nano-USD of the calls whose price is known. */
  cost: z.number(),
  costUnknown: z.number(),
})

const percent = z.number().min(0).max(100)

export const rehearsal = {
  run: member
    .input(
      input({
        /** `7d`, `12h`, `2w`, or the time itself. */
        since: z.union([timeMs, z.string().regex(/^\d{1,4}[hdw]$/, 'must be like 12h, 7d or 2w')]).default('7d'),
        /** Left out: the strategy that each call had. */
        strategy: id.optional(),
        /** Of the strategy, by name; left out, what the pools have. */
        options: z.record(z.string(), z.number()).optional(),
        /** Only this pool's calls may go elsewhere; left out, every pool's. */
        poolId: id.optional(),
        /** The pool's backends in another order; needs `poolId`. */
        tiers: z.array(z.array(id).max(500)).min(1).max(50).optional(),
        /** Left out: as it is set. */
        newSessionMinRemaining: percent.optional(),
        /** Local time minus UTC, so that days begin at local midnight. */
        offsetMs: z.number().int().min(-86_400_000).max(86_400_000).default(0),
      }).optional(),
    )
    .output(
      z.object({
        fromMs: z.number(),
        /** When the last call began; null when there was none. */
        toMs: z.number().nullable(),
        strategy: z.string().nullable(),
        poolId: z.string().nullable(),
        /** Calls that tell about routing; of those, those free to go elsewhere, and those that would have. */
        calls: z.number(),
        free: z.number(),
        moved: z.number(),
        /** Calls in the log that tell nothing about routing. */
        skipped: z.number(),
        actual: totals,
        would: totals,
        /** Percent lost per window that ended; null when none ended. */
        windows: list(
          z.object({
            window: z.string(),
            actualEnded: z.number(),
            wouldEnded: z.number(),
            actualLostPercent: z.number().nullable(),
            wouldLostPercent: z.number().nullable(),
          }),
        ),
        sources: list(
          z.object({
            sourceId: z.string(),
            label: z.string(),
            actualCalls: z.number(),
            wouldCalls: z.number(),
            actualTokens: z.number(),
            wouldTokens: z.number(),
          }),
        ),
        days: list(z.object({ dayMs: z.number(), actual: totals, would: totals })),
        /** What the log can't tell, as sentences. */
        unknowns: list(z.string()),
      }),
    ),
}
