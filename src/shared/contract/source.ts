/** What accounts, API profiles and local providers have in common in the lists. */
import { z } from 'zod'
import { list, sourceType } from './base.ts'

export const sourceModel = z.object({
  id: z.string(),
  upstreamModel: z.string(),
  aliases: list(z.string()),
  free: z.boolean(),
})

export const sourceState = z.enum(['ready', 'resting', 'signed-out', 'locked', 'inactive'])

/** Where each source stands now, and why. */
export const sourceFields = {
  id: z.string(),
  kind: sourceType,
  label: z.string(),
  active: z.boolean(),
  state: sourceState,
  /** One sentence. */
  because: z.string(),
  /** When it changes by itself, or null. */
  untilMs: z.number().nullable(),
  models: list(sourceModel),
  defaultModel: z.string().nullable(),
  weight: z.number(),
  /** Without the name and password that it may hold. */
  proxy: z.string().nullable(),
  /** Where its secret lies in the vault: a name, not the secret. */
  credentialRef: z.string().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
} as const
