/** Makes API profiles and local providers from what a person entered, and changes them. */
import { type Problem, problem } from '../../shared/errors.ts'
import { type BudgetId, credentialRef, slug } from '../../shared/ids.ts'
import { type Dialect, dialects, type LocalProvider, type Profile, type SourceModel } from '../domain/source.ts'
import { type BaseUrl, keyRefusal, readBaseUrl, readProxy } from './base-url.ts'
import { isProblem } from './login.ts'
import { runsElsewhere } from './models.ts'

export interface ModelInput {
  readonly id: string
  readonly upstreamModel?: string | undefined
  readonly aliases?: readonly string[] | undefined
  readonly free?: boolean | undefined
}

export interface ProfileInput {
  readonly kind: 'api' | 'local'
  readonly label: string
  readonly dialects: readonly Dialect[]
  readonly baseUrl: string
  readonly apiKey?: string | null | undefined
  /** Provider ids, so that a subscription can fall over to it (routing §3). */
  readonly joins?: readonly string[] | undefined
  readonly models: readonly ModelInput[]
  readonly proxy?: string | null | undefined
  /** A cap of its own (access.md, "Budgets"). */
  readonly budgetId?: BudgetId | null | undefined
  /** For a local one: which descriptor; Ollama when left out. */
  readonly provider?: 'ollama' | 'openai-compatible' | undefined
}

/** Absent fields stay as they are. */
export type ProfileChange = { readonly [Part in keyof Omit<ProfileInput, 'kind'>]?: ProfileInput[Part] | undefined } & {
  readonly active?: boolean | undefined
  readonly weight?: number | undefined
  readonly defaultModel?: string | null | undefined
}

export type Keyed = Profile | LocalProvider

export interface MadeProfile {
  readonly source: Keyed
  /** To be written to the vault under the source's ref before the source is saved; null: leave the vault alone. */
  readonly apiKey: string | null
}

const invalid = (why: string): Problem => problem('invalid_input', { why })

export function makeProfile(input: ProfileInput, taken: ReadonlySet<string>, nowMs: number): MadeProfile | Problem {
  const label = readLabel(input.label)
  if (isProblem(label)) return label
  const id = slug(label.text, taken)
  const blank = { id, active: true, weight: 1, defaultModel: null, createdAtMs: nowMs, credentialRef: null }
  return build(blank, { ...input, label: label.text }, nowMs)
}

/** A new base URL or proxy asks for the key again: it would send the stored one elsewhere (T3.7). */
export function changeProfile(source: Keyed, change: ProfileChange, nowMs: number): MadeProfile | Problem {
  const input: ProfileInput = {
    kind: source.type,
    label: change.label ?? source.label,
    dialects: change.dialects ?? source.dialects,
    baseUrl: change.baseUrl ?? source.baseUrl,
    apiKey: change.apiKey,
    joins: change.joins ?? source.joins,
    models: change.models ?? source.models,
    proxy: change.proxy === undefined ? source.proxy : change.proxy,
    budgetId: change.budgetId === undefined ? source.budgetId : change.budgetId,
    provider: change.provider ?? (source.type === 'local' ? source.provider : undefined),
  }
  const weight = change.weight ?? source.weight
  if (!Number.isInteger(weight) || weight < 1 || weight > 1000)
    return invalid('the weight must be a whole number from 1 to 1000')
  const kept = {
    id: source.id,
    active: change.active ?? source.active,
    weight,
    defaultModel: change.defaultModel === undefined ? source.defaultModel : change.defaultModel,
    createdAtMs: source.createdAtMs,
    credentialRef: source.credentialRef,
  }
  const made = build(kept, input, nowMs)
  if (isProblem(made)) return made
  const moved = made.source.baseUrl !== source.baseUrl || made.source.proxy !== source.proxy
  if (moved && source.credentialRef !== null && made.apiKey === null) {
    return invalid('enter the API key again to change the base URL or the proxy')
  }
  return made
}

type Kept = Pick<Keyed, 'id' | 'active' | 'weight' | 'defaultModel' | 'createdAtMs' | 'credentialRef'>

function build(kept: Kept, input: ProfileInput, nowMs: number): MadeProfile | Problem {
  const label = readLabel(input.label)
  if (isProblem(label)) return label
  const baseUrl = readBaseUrl(input.baseUrl)
  if (isProblem(baseUrl)) return baseUrl
  const key = readKey(input.apiKey, baseUrl)
  if (isProblem(key)) return key
  const proxy = readProxy(input.proxy ?? null)
  if (proxy !== null && typeof proxy === 'object') return proxy
  const models = readModelInputs(input.models, input.kind === 'local')
  if (isProblem(models)) return models
  const spoken = dialects.filter((dialect) => input.dialects.includes(dialect))
  if (spoken.length === 0) return invalid(`name at least one dialect of ${dialects.join(', ')}`)
  if (kept.defaultModel !== null && !models.some(({ id }) => id === kept.defaultModel)) {
    return invalid('the default model is not one of the models')
  }
  const common = {
    ...kept,
    label: label.text,
    models,
    proxy,
    credentialRef: key.text === null ? kept.credentialRef : credentialRef(kept.id),
    updatedAtMs: nowMs,
    dialects: spoken,
    baseUrl: baseUrl.text,
    joins: [...new Set(input.joins ?? [])],
    budgetId: input.budgetId ?? null,
  }
  const provider = providerOf({ ...input, dialects: spoken })
  const source: Keyed =
    input.kind === 'local'
      ? { ...common, type: 'local', provider: provider === 'ollama' ? 'ollama' : 'openai-compatible' }
      : { ...common, type: 'api', provider: provider === 'anthropic-compatible' ? provider : 'openai-compatible' }
  return { source, apiKey: key.text }
}

/** A host that speaks Messages and nothing else takes `x-api-key`; every other one takes a bearer. */
export function providerOf({
  kind,
  provider,
  dialects: spoken,
}: Pick<ProfileInput, 'kind' | 'provider' | 'dialects'>): Keyed['provider'] {
  if (kind === 'local') return provider ?? 'ollama'
  return spoken.every((dialect) => dialect === 'messages') ? 'anthropic-compatible' : 'openai-compatible'
}

export function readLabel(label: string): { readonly text: string } | Problem {
  const text = label.trim()
  return /^[^\p{Cc}]{1,80}$/u.test(text) ? { text } : invalid('the label must have 1 to 80 visible characters')
}

function readKey(apiKey: string | null | undefined, baseUrl: BaseUrl): { readonly text: string | null } | Problem {
  const text = apiKey?.trim() ?? ''
  if (text === '') return { text: null }
  // It stands in a header.
  if (!/^[\x21-\x7e]{1,4096}$/.test(text)) return invalid('the API key holds a character that no key has')
  return keyRefusal(text, baseUrl) ?? { text }
}

const isName = (text: string): boolean => /^[^\p{Cc}]{1,200}$/u.test(text) && text === text.trim()

function readModelInputs(inputs: readonly ModelInput[], local: boolean): readonly SourceModel[] | Problem {
  const models = inputs.map((input) => ({
    id: input.id,
    upstreamModel: input.upstreamModel ?? input.id,
    aliases: [...new Set(input.aliases ?? [])],
    // Local models cost nothing unless the person says so or they run elsewhere (routing §3).
    free: input.free ?? (local && !runsElsewhere(input.upstreamModel ?? input.id)),
  }))
  const names = models.flatMap((model) => [model.id, model.upstreamModel, ...model.aliases])
  if (!names.every(isName)) return invalid('a model name must have 1 to 200 visible characters')
  const ids = models.map((model) => model.id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  return twice === undefined ? models : invalid(`the model ${twice} is listed twice`)
}
