/** What is being typed into the profile form, and how it becomes the contract's input. */
import type { Profile } from '../state/sources.ts'

export type DialectName = Profile['dialects'][number]

export interface ProfileDraft {
  readonly kind: 'api' | 'local'
  /** Of a local provider. */
  readonly program: 'ollama' | 'openai-compatible'
  readonly label: string
  readonly baseUrl: string
  readonly apiKey: string
  readonly dialects: readonly DialectName[]
  readonly joins: readonly string[]
  /** Its own cap, or null. */
  readonly budgetId: string | null
  /** One model a line. */
  readonly models: string
}

export const emptyDraft = (kind: 'api' | 'local'): ProfileDraft => ({
  kind,
  program: 'ollama',
  label: '',
  baseUrl: kind === 'local' ? 'http://127.0.0.1:11434' : '',
  apiKey: '',
  dialects: kind === 'local' ? ['chat', 'messages', 'responses'] : ['messages'],
  joins: [],
  budgetId: null,
  models: '',
})

export const draftOf = (profile: Profile): ProfileDraft => ({
  kind: profile.kind,
  program: profile.provider === 'ollama' ? 'ollama' : 'openai-compatible',
  label: profile.label,
  baseUrl: profile.baseUrl,
  apiKey: '',
  dialects: profile.dialects,
  joins: profile.joins,
  budgetId: profile.budgetId,
  models: profile.models.map(modelLine).join('\n'),
})

export const modelLine = (model: { readonly id: string; readonly upstreamModel: string }): string =>
  model.id === model.upstreamModel ? model.id : `${model.id} = ${model.upstreamModel}`

/** Aliases and prices of models that were there before stay with them. */
export function readModels(text: string, known: Profile['models']) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', upstream] = line.split(/\s+=\s+/, 2)
      const before = known.find((model) => model.id === id)
      return {
        id,
        upstreamModel: upstream ?? id,
        ...(before === undefined ? {} : { aliases: [...before.aliases], free: before.free }),
      }
    })
}

const common = (draft: ProfileDraft, known: Profile['models']) => ({
  label: draft.label.trim(),
  baseUrl: draft.baseUrl.trim(),
  dialects: [...draft.dialects],
  joins: [...draft.joins],
  budgetId: draft.budgetId,
  models: readModels(draft.models, known),
  ...(draft.apiKey.trim() === '' ? {} : { apiKey: draft.apiKey.trim() }),
  ...(draft.kind === 'local' ? { provider: draft.program } : {}),
})

export const creation = (draft: ProfileDraft) => ({ kind: draft.kind, ...common(draft, []) })

export const update = (draft: ProfileDraft, { id, models }: Profile) => ({ id, ...common(draft, models) })

export const discovery = ({ kind, dialects, baseUrl, apiKey, program }: ProfileDraft) => ({
  kind,
  dialects: [...dialects],
  baseUrl: baseUrl.trim(),
  ...(apiKey.trim() === '' ? {} : { apiKey: apiKey.trim() }),
  ...(kind === 'local' ? { provider: program } : {}),
})
