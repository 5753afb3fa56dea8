/** API profiles and local providers. */
import { z } from 'zod'
import { byId, dialect, done, id, input, label, list, member, modelName, nothing, proxy, weight } from './base.ts'
import { sourceFields, sourceModel } from './source.ts'

export const profile = z.object({
  ...sourceFields,
  kind: z.enum(['api', 'local']),
  provider: z.enum(['anthropic-compatible', 'openai-compatible', 'ollama']),
  dialects: list(dialect),
  baseUrl: z.string(),
  /** Provider ids, so that a subscription can fall over to it. */
  joins: list(z.string()),
  /** `…` and the last four characters of a stored API key; null when there is none, or it can't be read now. */
  keyPreview: z.string().nullable(),
  /** Its own cap, or null. */
  budgetId: z.string().nullable(),
})

const kind = z.enum(['api', 'local'])
const baseUrl = z.string().min(1).max(2_000)
/** Goes to the vault and never comes out again. */
const apiKey = z.string().max(4_096).nullable()
const models = z
  .array(
    input({
      id: modelName,
      upstreamModel: modelName.optional(),
      aliases: z.array(modelName).max(50).optional(),
      free: z.boolean().optional(),
    }),
  )
  .max(2_000)
const dialects = z.array(dialect).max(3)
const joins = z.array(id).max(50)
/** For a local one; Ollama when left out. */
const provider = z.enum(['ollama', 'openai-compatible'])

const create = input({
  kind,
  label,
  dialects,
  baseUrl,
  models,
  apiKey: apiKey.optional(),
  joins: joins.optional(),
  /** Id or label of a budget. */
  budgetId: id.nullable().optional(),
  proxy: proxy.optional(),
  provider: provider.optional(),
})

const update = input({
  id,
  label: label.optional(),
  dialects: dialects.optional(),
  baseUrl: baseUrl.optional(),
  models: models.optional(),
  apiKey: apiKey.optional(),
  joins: joins.optional(),
  budgetId: id.nullable().optional(),
  proxy: proxy.optional(),
  provider: provider.optional(),
  active: z.boolean().optional(),
  weight: weight.optional(),
  defaultModel: modelName.nullable().optional(),
})

const discovery = input({ kind, dialects, baseUrl, apiKey: apiKey.optional(), provider: provider.optional() })

export const profiles = {
  list: member.input(nothing).output(list(profile)),
  create: member.input(create).output(profile),
  update: member.input(update).output(profile),
  remove: member.input(byId).output(done),
  /** Asks a host for its list before a profile is made of it; nothing is stored. */
  discoverModels: member.input(discovery).output(list(sourceModel)),
}
