/** Reads clovapi's `profiles.json`: which of its profiles can be made here, and why the others can't. Pure. */
import { asObject, asText, type JsonObject } from '../dialects/json.ts'
import type { Dialect } from '../domain/source.ts'
import type { ProfileInput } from './profile.ts'

export type OlderProfile =
  | { readonly kind: 'profile'; readonly input: ProfileInput }
  /** A subscription's login lies in a file of its own. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'unknown'; readonly name: string; readonly why: string }

/** Null when the file as a whole has another shape. */
export function readOlderProfiles(text: string): readonly OlderProfile[] | null {
  const file = parse(text)
  const profiles = file?.profiles
  return Array.isArray(profiles) ? profiles.map((profile: unknown) => readOne(asObject(profile))) : null
}

function readOne(profile: JsonObject | null): OlderProfile {
  const name = (asText(profile?.name) ?? '').slice(0, 100)
  const unknown = (why: string): OlderProfile => ({ kind: 'unknown', name, why })
  if (profile === null || name === '') return unknown('it has no name')
  const kind = asText(profile.kind)
  if (kind === 'subscription') return { kind: 'elsewhere' }
  if (kind !== 'api' && kind !== 'local') return unknown('its kind is not known')
  const dialects = dialectsOf(asText(profile.api_style))
  if (dialects === null) return unknown('its API style is not known')
  const baseUrl = asText(profile.base_url)
  if (baseUrl === null || baseUrl === '') return unknown('it has no base URL')
  const apiKey = asText(profile.api_key)
  const models = modelsOf(profile.models)
  if (models === null) return unknown('its models have another shape')
  const key = apiKey === null || apiKey === '' ? {} : { apiKey }
  return { kind: 'profile', input: { kind, label: name, dialects, baseUrl, ...key, models } }
}

function dialectsOf(style: string | null): readonly Dialect[] | null {
  switch (style) {
    case 'anthropic':
    case 'messages':
      return ['messages']
    case 'responses':
    case 'openai-responses':
      return ['responses']
    case 'openai':
    case 'chat':
    case 'openai-chat':
      return ['chat']
    default:
      return null
  }
}

/** Names, or objects with an id. */
function modelsOf(models: unknown): ProfileInput['models'] | null {
  if (models === undefined || models === null) return []
  if (!Array.isArray(models)) return null
  const ids = models.map((model: unknown) => asText(model) ?? asText(asObject(model)?.id))
  return ids.every((id) => id !== null && id !== '')
    ? ids.map((id) => ({ id: id ?? '', upstreamModel: id ?? '' }))
    : null
}

function parse(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch {
    return null
  }
}
