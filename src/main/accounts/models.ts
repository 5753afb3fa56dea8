/** Reads which models a source has, from the source itself, for `accounts.refreshModels` and `profiles.discoverModels`. */
import { type Problem, problem } from '../../shared/errors.ts'
import { asObject, asText, type JsonObject } from '../dialects/json.ts'
import type { Credential } from '../domain/credential.ts'
import type { ProviderKind, Source, SourceModel } from '../domain/source.ts'
import type { UpstreamFailure, WebAnswer } from '../ports.ts'
import type { HostOverrides } from '../providers/provider.ts'
import { isProblem } from './login.ts'
import { claudeOAuth, codexOAuth, withHost } from './oauth-endpoints.ts'
import { accountHeaders, failureText, get, isAnswer, jsonOf, type ReadDeps } from './own-request.ts'

/** Where a list is read: a source, or one that is about to become one. */
export interface ModelPlace {
  readonly kind: ProviderKind
  readonly label: string
  /** Null for a subscription: its host is fixed. */
  readonly baseUrl: string | null
  /** Runs on this machine: its models cost nothing. */
  readonly local: boolean
  readonly proxy: string | null
}

export interface ModelDeps extends ReadDeps {
  readonly hosts: HostOverrides
  /** Last seen from the user's own Codex client (codex §6.1). */
  codexClientVersion(): string
}

export const modelPlaceOf = (source: Source): ModelPlace => ({
  kind: source.provider,
  label: source.label,
  baseUrl: source.type === 'subscription' ? null : source.baseUrl,
  local: source.type === 'local',
  proxy: source.proxy,
})

const most = 500
const pages = 10

/** Bounded in time and size; never rejects. An empty list is an answer. */
export async function readModels(
  place: ModelPlace,
  credential: Credential | null,
  deps: ModelDeps,
): Promise<readonly SourceModel[] | Problem> {
  const baseUrl = place.baseUrl ?? ''
  switch (place.kind) {
    case 'claude': {
      const headers = credential === null ? [] : accountHeaders('claude', credential)
      return readPages(withHost(claudeOAuth.modelsUrl, deps.hosts.claude), headers, place, deps)
    }
    case 'codex': {
      const headers = credential === null ? [] : accountHeaders('codex', credential)
      const version = encodeURIComponent(deps.codexClientVersion())
      const url = `${withHost(codexOAuth.modelsUrl, deps.hosts.codex)}?client_version=${version}`
      return readOnce(url, headers, place, codexModels, deps)
    }
    case 'anthropic-compatible':
      return readPages(`${baseUrl}/v1/models`, keyHeaders(place.kind, credential), place, deps)
    case 'openai-compatible':
      return readOnce(`${baseUrl}/v1/models`, keyHeaders(place.kind, credential), place, dataModels, deps)
    case 'ollama': {
      const headers = keyHeaders(place.kind, credential)
      const native = await readOnce(`${baseUrl}/api/tags`, headers, place, ollamaModels, deps)
      if (!isProblem(native)) return native
      // Many local servers speak only the OpenAI style.
      const other = await readOnce(`${baseUrl}/v1/models`, headers, place, dataModels, deps)
      return isProblem(other) ? native : other
    }
  }
}

/** For the own requests to a source with a key, or none. */
export function keyHeaders(kind: ProviderKind, credential: Credential | null): readonly string[] {
  const key = credential?.kind === 'api-key' ? credential.key : null
  if (kind === 'anthropic-compatible') {
    const common = ['accept', 'application/json', 'anthropic-version', claudeOAuth.apiVersion]
    return key === null ? common : [...common, 'x-api-key', key]
  }
  return ['accept', 'application/json', ...(key === null ? [] : ['authorization', `Bearer ${key}`])]
}

type Read = (body: JsonObject, free: boolean) => readonly SourceModel[] | null

async function readOnce(
  url: string,
  headers: readonly string[],
  place: ModelPlace,
  read: Read,
  deps: ModelDeps,
): Promise<readonly SourceModel[] | Problem> {
  const opened = open(await get(deps, url, headers, place.proxy), place)
  if (opened.kind === 'problem') return opened.problem
  const models = read(opened.body, place.local)
  return models === null ? notAList(place) : unique(models)
}

/** Anthropic's list comes in pages with a cursor (claude §2.1). */
async function readPages(
  url: string,
  headers: readonly string[],
  place: ModelPlace,
  deps: ModelDeps,
): Promise<readonly SourceModel[] | Problem> {
  const found: SourceModel[] = []
  let after: string | null = null
  for (let page = 0; page < pages; page += 1) {
    const cursor: string = after === null ? '' : `&after_id=${encodeURIComponent(after)}`
    const opened = open(await get(deps, `${url}?limit=100${cursor}`, headers, place.proxy), place)
    if (opened.kind === 'problem') return opened.problem
    const { body } = opened
    const models = dataModels(body, place.local)
    if (models === null) return notAList(place)
    found.push(...models)
    const last: string | null = asText(body.last_id)
    if (body.has_more !== true || last === null || last === after) break
    after = last
  }
  return unique(found)
}

type Opened =
  | { readonly kind: 'body'; readonly body: JsonObject }
  | { readonly kind: 'problem'; readonly problem: Problem }

function open(answer: WebAnswer | UpstreamFailure, place: ModelPlace): Opened {
  const { label } = place
  if (isAnswer(answer) && answer.status === 200) {
    const body = asObject(jsonOf(answer))
    return body === null ? { kind: 'problem', problem: notAList(place) } : { kind: 'body', body }
  }
  const keyRefused = isAnswer(answer) && answer.status === 401 && place.baseUrl !== null
  const why = failureText(answer)
  return {
    kind: 'problem',
    problem: keyRefused ? problem('key_rejected', { label }) : problem('models_unreadable', { label, why }),
  }
}

const notAList = ({ label }: ModelPlace): Problem =>
  problem('models_unreadable', { label, why: 'the answer is not a list of models' })

function rows(value: unknown): readonly JsonObject[] | null {
  return Array.isArray(value) ? value.map(asObject).filter((row) => row !== null) : null
}

const model = (id: string, free: boolean): SourceModel => ({ id, upstreamModel: id, aliases: [], free })

function dataModels(body: JsonObject, free: boolean): readonly SourceModel[] | null {
  return rows(body.data)?.map((row) => model(asText(row.id) ?? '', free)) ?? null
}

/** Hidden rows are for the client's own use; the list is already the plan's (codex §6.1). */
function codexModels(body: JsonObject): readonly SourceModel[] | null {
  const shown = rows(body.models)?.filter((row) => asText(row.visibility)?.toLowerCase() !== 'hide')
  return shown?.map((row) => model(asText(row.slug) ?? '', false)) ?? dataModels(body, false)
}

/** A model with `cloud` in its name runs on Ollama's servers and is billed (codex §8). */
export const runsElsewhere = (name: string): boolean => /[:-]cloud$/.test(name)

function ollamaModels(body: JsonObject): readonly SourceModel[] | null {
  return (
    rows(body.models)?.map((row) => {
      const id = asText(row.name) ?? asText(row.model) ?? ''
      return model(id, !runsElsewhere(id))
    }) ?? null
  )
}

/** Each id once, none empty or with control characters, at most 500. */
function unique(models: readonly SourceModel[]): readonly SourceModel[] {
  const byId = new Map<string, SourceModel>()
  for (const one of models) {
    if (/^[^\p{Cc}]{1,200}$/u.test(one.id) && !byId.has(one.id)) byId.set(one.id, one)
  }
  return [...byId.values()].slice(0, most)
}

/** A fresh list keeps what the person set on models that stay: aliases, upstream name, free or not. */
export function mergeModels(present: readonly SourceModel[], fresh: readonly SourceModel[]): readonly SourceModel[] {
  const byId = new Map(present.map((one) => [one.id, one]))
  return fresh.map((one) => byId.get(one.id) ?? one)
}
