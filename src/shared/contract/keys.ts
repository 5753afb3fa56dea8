/** Access keys: what clients present. A key's secret is shown once, where it is made. */
import { z } from 'zod'
import { id, input, label, list, member, modelName, nothing, operation, timeMs } from './base.ts'

const strategyId = z.string().min(1).max(100)
const sources = z.array(id).min(1).max(500)

/** What comes in: parts that have an obvious value may be left out. */
const policyInput = z.discriminatedUnion('mode', [
  input({ mode: z.literal('default') }),
  input({ mode: z.literal('strict'), sources }),
  input({
    mode: z.literal('preferred'),
    sources,
    fallback: z.union([z.enum(['default', 'none']), input({ sources, strategy: strategyId.optional() })]).optional(),
  }),
  input({ mode: z.literal('pool'), sources, strategy: strategyId.optional() }),
])

const policy = z.object({
  mode: z.enum(['default', 'strict', 'preferred', 'pool']),
  sources: list(z.string()).optional(),
  fallback: z
    .union([z.enum(['default', 'none']), z.object({ sources: list(z.string()), strategy: z.string() })])
    .optional(),
  strategy: z.string().optional(),
})

export const accessKey = z.object({
  id: z.string(),
  label: z.string(),
  /** `pk_…` and the last four characters. */
  preview: z.string(),
  state: z.enum(['pending', 'active', 'disabled', 'expired', 'revoked']),
  expiresAtMs: z.number().nullable(),
  /** Null: it authenticates and is then refused. */
  policy: policy.nullable(),
  /** These four: null means every one. */
  providers: list(z.string()).nullable(),
  models: list(z.string()).nullable(),
  operations: list(operation).nullable(),
  serviceTiers: list(z.string()).nullable(),
  concurrency: z.number().nullable(),
  budgetId: z.string().nullable(),
  /** Calls from a folder by a policy of its own. */
  folders: list(z.object({ folder: z.string(), policy })),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
})

/** Left out: as it is. */
const limits = {
  policy: policyInput.nullable().optional(),
  providers: z.array(id).max(100).nullable().optional(),
  models: z.array(modelName).max(500).nullable().optional(),
  operations: z.array(operation).nullable().optional(),
  serviceTiers: z.array(id).max(50).nullable().optional(),
  expiresAtMs: timeMs.nullable().optional(),
  concurrency: z.number().int().min(1).max(1_000).nullable().optional(),
  /** Id or label. */
  budgetId: id.nullable().optional(),
  folders: z
    .array(input({ folder: z.string().min(1).max(4_096), policy: policyInput }))
    .max(200)
    .optional(),
}

const preview = z.object({
  keys: list(z.object({ id: z.string(), label: z.string(), because: z.string() })),
  /** Conversations and calls of the last seven days that would have gone elsewhere or been refused. */
  sessions: z.number(),
  calls: z.number(),
  looked: z.number(),
  sinceMs: z.number(),
  sentence: z.string(),
})

const state = z.enum(['active', 'disabled', 'revoked'])

/** Of several keys at once. */
const together = {
  ids: z.array(id).min(1).max(1_000),
  state: state.optional(),
  policy: policyInput.nullable().optional(),
  budgetId: id.nullable().optional(),
}

const withSecret = accessKey.extend({ secret: z.string() })

/** `id` may be a label, everywhere. */
export const keys = {
  list: member.input(nothing).output(list(accessKey)),
  create: member.input(input({ label, state: z.enum(['pending', 'active']).optional(), ...limits })).output(withSecret),
  /** The same key under a new secret; the old one stops at once. */
  rotate: member.input(input({ id })).output(withSecret),
  setState: member.input(input({ id, state })).output(accessKey),
  setPolicy: member.input(input({ id, label: label.optional(), ...limits })).output(accessKey),
  /** What would be affected, before it is saved: limits of one key or several, an account switched off or removed, a pool. */
  preview: member
    .input(
      z.discriminatedUnion('kind', [
        input({ kind: z.literal('key'), id, ...limits }),
        input({ kind: z.literal('keys'), ...together }),
        input({ kind: z.literal('account'), sourceId: id }),
        input({ kind: z.literal('pool'), poolId: id }),
      ]),
    )
    .output(preview),
  /** All of them or none. */
  bulk: member.input(input(together)).output(list(accessKey)),
}
