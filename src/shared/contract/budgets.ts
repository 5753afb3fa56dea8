/** Budgets: soft amounts of money per cycle. Money is integer nano-USD everywhere. */
import { z } from 'zod'
import { id, input, label, list, member, nothing } from './base.ts'
import { price } from './settings.ts'

const cycle = z.enum(['day', 'week', 'month', 'none'])
/** Up to a million USD. */
const amount = z.number().int().min(0).max(1_000_000_000_000_000)
const timeZone = z.string().min(1).max(100)
/** 1 is "tight": the worst overrun is one call. Null: no cap. */
const concurrency = z.number().int().min(1).max(1_000).nullable()

export const budget = z.object({
  id: z.string(),
  label: z.string(),
  enabled: z.boolean(),
  amount: z.number(),
  cycle,
  timeZone: z.string(),
  concurrency: z.number().nullable(),
  /** Of the running cycle; below zero by the calls that were in flight. */
  left: z.number(),
  spent: z.number(),
  resetAtMs: z.number().nullable(),
  /** Labels of the keys and ids of the API profiles that draw on it. */
  keys: list(z.string()),
  sources: list(z.string()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
})

const line = z.object({
  atMs: z.number(),
  kind: z.enum(['settle', 'adjust', 'refund']),
  /** What it did to the balance: a settlement is negative. */
  amount: z.number(),
  /** `CALL#ATTEMPT`, or null. */
  executionId: z.string().nullable(),
  cycleMs: z.number(),
  note: z.string().nullable(),
  /** What was left of the amount after it, in its cycle. */
  balance: z.number(),
})

const countingPrice = z.object({
  /** As it is sent upstream. */
  model: z.string(),
  /** The person's own price, the built-in list's, none at all; or the model is free wherever it is served. */
  counts: z.enum(['own', 'list', 'none', 'free']),
  price: price.nullable(),
  /** The list's, whatever counts. */
  listed: price.nullable(),
})

/** `id` may be a label, everywhere. */
export const budgets = {
  list: member.input(nothing).output(list(budget)),
  create: member
    .input(
      input({
        label,
        amount,
        cycle,
        /** Left out: this machine's. */
        timeZone: timeZone.optional(),
        concurrency: concurrency.optional(),
        enabled: z.boolean().optional(),
      }),
    )
    .output(budget),
  /** Left out: as it is. Another cycle or time zone begins a new count. */
  update: member
    .input(
      input({
        id,
        label: label.optional(),
        amount: amount.optional(),
        cycle: cycle.optional(),
        timeZone: timeZone.optional(),
        concurrency: concurrency.optional(),
        enabled: z.boolean().optional(),
      }),
    )
    .output(budget),
  /** What counts now for every model that a source has. Own prices are kept in `settings.prices`. */
  prices: member.input(nothing).output(list(countingPrice)),
  /** Newest first. */
  ledger: member.input(input({ id, limit: z.number().int().min(1).max(10_000).optional() })).output(list(line)),
  /** Positive gives, negative takes; a refund names the execution that it gives back and is made once. */
  adjust: member
    .input(
      input({
        id,
        amount: z.number().int().min(-1_000_000_000_000_000).max(1_000_000_000_000_000),
        kind: z.enum(['adjust', 'refund']).optional(),
        executionId: z.string().min(1).max(100).optional(),
        note: z.string().max(200).optional(),
      }),
    )
    .output(budget),
}
