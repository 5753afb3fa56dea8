/** Quota windows of the accounts, as measured: each value with its source and its age. */
import { z } from 'zod'
import { announcement, id, input, list, member } from './base.ts'

export const quotaWindow = z.object({
  window: z.string(),
  /** Null when only a refusal tells of it. */
  usedPercent: z.number().nullable(),
  resetAtMs: z.number().nullable(),
  /** The model family that counts against it; null: every model. */
  family: z.string().nullable(),
  source: z.enum(['header', 'poll', 'estimate', 'refusal']),
  ageMs: z.number(),
  state: z.enum(['known', 'stale', 'reset-pending', 'spent']),
})

export const quota = {
  windows: member
    .input(input({ sourceId: id.optional() }).optional())
    .output(list(z.object({ sourceId: z.string(), ...quotaWindow.shape }))),
  changed: announcement,
}
