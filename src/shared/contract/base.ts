/** What every member shares: the typed errors, ids, and the shape of an announcement. */
import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { catalogue, type ErrorCode } from '../errors.ts'

/** What the caller of a member gets of a problem; `logId` only with `internal`. */
export const problemData = z.object({
  code: z.string(),
  sentence: z.string(),
  next: z.string(),
  logId: z.string().optional(),
})

type ContractErrors = {
  readonly [Code in ErrorCode]: { readonly status: number; readonly data: typeof problemData }
}

const errors = Object.fromEntries(
  Object.entries(catalogue).map(([code, { status }]) => [code, { status, data: problemData }]),
) as ContractErrors

/** Every member may answer with any code of the catalogue. */
export const member = oc.errors(errors)

/** What a command answers that has nothing else to say. */
export const done = z.object({ ok: z.literal(true) })

/** Unknown fields are refused, not ignored: a typing error must not pass for a setting. */
export const input = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape)

/** Outputs drop every field that isn't named, so that nothing stored gets out by accident. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

export const nothing = z.strictObject({}).optional()

export const id = z.string().min(1).max(300)
export const byId = input({ id })
export const label = z.string().min(1).max(200)
export const timeMs = z.number().int().nonnegative()
/** Share under the `weighted` strategy. */
export const weight = z.number().int().min(1).max(1_000)
/** A proxy's URL as it is entered; null for the environment's. */
export const proxy = z.string().max(2_000).nullable()
export const absolutePath = z
  .string()
  .max(4_096)
  .regex(/^(\/|[A-Za-z]:[\\/]|\\\\)/, 'must be an absolute path')
export const modelName = z.string().min(1).max(200)

export const dialect = z.enum(['messages', 'responses', 'chat'])
export const operation = z.enum(['generate', 'count', 'compact', 'list'])
export const sourceType = z.enum(['subscription', 'api', 'local'])

export const usage = z
  .object({
    inputTokens: z.number(),
    cacheReadTokens: z.number(),
    cacheWriteTokens: z.number(),
    outputTokens: z.number(),
    reasoningTokens: z.number(),
  })
  .nullable()

/** Something in an area changed; `revision` grows with every change anywhere. The first one comes at once. */
export const announcement = member.input(nothing).output(eventIterator(z.object({ revision: z.number() })))
