/** Which account each conversation is on; conversations are known by hashes only. */
import { z } from 'zod'
import { id, input, list, member } from './base.ts'

const binding = z.object({
  /** Hash of access key and session: the only form in which a session is stored. */
  session: z.string(),
  sourceId: z.string(),
  sourceLabel: z.string(),
  /** The model it asked for last; null: not known. */
  model: z.string().nullable(),
  boundAtMs: z.number(),
  lastUsedMs: z.number(),
  /** Its cache is likely alive: used within the last two hours. */
  warm: z.boolean(),
  /** `here`: the person chose this account; `anew`: its next request is ranked like a new conversation's. */
  moved: z.enum(['here', 'anew']).nullable(),
  /** Tokens that another account would read uncached; null until a call has told. */
  switchCostTokens: z.number().nullable(),
})

const session = z.string().regex(/^[0-9a-f]{64}$/, 'must be a session as the list gives it')

const counted = z.object({ count: z.number() })

export const bindings = {
  /** The youngest first. */
  list: member
    .input(
      input({
        sourceId: id.optional(),
        poolId: id.optional(),
        warm: z.boolean().optional(),
        limit: z.number().int().min(1).max(1_000).optional(),
      }).optional(),
    )
    .output(z.object({ rows: list(binding), total: z.number() })),
  /** Forgets where a conversation was, or all of an account. */
  release: member.input(input({ session: session.optional(), sourceId: id.optional() })).output(counted),
  /** Its next request goes to this account, if that can serve it. */
  move: member.input(input({ session, sourceId: id })).output(counted),
}
