/** The models of the simulated vendors (claude §6, codex §6.2). */

export interface CatalogueModel {
  readonly id: string
  readonly name: string
  readonly contextTokens: number
}

const million = 1_000_000

export const claudeModels: readonly CatalogueModel[] = [
  { id: 'claude-fable-5-1', name: 'Claude Fable 5.1', contextTokens: million },
  { id: 'claude-opus-5-5', name: 'Claude Opus 5.5', contextTokens: million },
  { id: 'claude-sonnet-5-5', name: 'Claude Sonnet 5.5', contextTokens: million },
  { id: 'claude-haiku-5-5', name: 'Claude Haiku 5.5', contextTokens: million },
  { id: 'claude-opus-4-8', name: 'Claude Opus 4.8', contextTokens: million },
  { id: 'claude-haiku-4-5', name: 'Claude Haiku 4.5', contextTokens: 200_000 },
]

export const codexModels: readonly CatalogueModel[] = [
  { id: 'gpt-6.2-sol', name: 'GPT-6.2 Sol', contextTokens: 272_000 },
  { id: 'gpt-6.2-astra', name: 'GPT-6.2 Astra', contextTokens: 272_000 },
  { id: 'gpt-6.1-terra', name: 'GPT-6.1 Terra', contextTokens: 272_000 },
  { id: 'gpt-6-luna', name: 'GPT-6 Luna', contextTokens: 272_000 },
  { id: 'gpt-5.5', name: 'GPT-5.5', contextTokens: 272_000 },
  { id: 'gpt-5.3-codex-spark', name: 'GPT-5.3 Codex Spark', contextTokens: 128_000 },
]

/** Not offered through the API (codex §6.2). */
export const apiModels: readonly CatalogueModel[] = codexModels.filter((model) => !model.id.includes('spark'))

export const ollamaModels: readonly CatalogueModel[] = [
  { id: 'gpt-oss:20b', name: 'gpt-oss:20b', contextTokens: 131_072 },
  { id: 'qwen3-coder:30b', name: 'qwen3-coder:30b', contextTokens: 262_144 },
]

/** Anthropic's list, cursor paged (claude §2.1). */
export function anthropicList(models: readonly CatalogueModel[], query: URLSearchParams): object {
  const after = query.get('after_id')
  const limit = Math.min(1000, Math.max(1, Number(query.get('limit') ?? 20) || 20))
  const from = after === null ? 0 : models.findIndex((model) => model.id === after) + 1
  const page = models.slice(from, from + limit)
  return {
    data: page.map(anthropicModel),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: from + limit < models.length,
  }
}

export const anthropicModel = (model: CatalogueModel): object => ({
  type: 'model',
  id: model.id,
  display_name: model.name,
  created_at: '2026-10-07T00:00:00Z',
  max_input_tokens: model.contextTokens,
  max_tokens: 64_000,
})

/** The public list of an OpenAI-style host (codex §6.1). */
export const openaiList = (models: readonly CatalogueModel[], owner: string): object => ({
  object: 'list',
  data: models.map((model) => openaiModel(model, owner)),
})

export const openaiModel = (model: CatalogueModel, owner: string): object => ({
  id: model.id,
  object: 'model',
  created: 1_790_000_000,
  owned_by: owner,
})

/** The catalogue of the ChatGPT backend (codex §6.1). */
export const codexCatalogue = (models: readonly CatalogueModel[]): object => ({
  models: models.map((model, index) => ({
    slug: model.id,
    display_name: model.name,
    description: 'A model of the practice upstream.',
    visibility: 'list',
    supported_in_api: !model.id.includes('spark'),
    available_in_plans: ['plus', 'pro', 'business', 'team', 'enterprise'],
    minimal_client_version: '0.100.0',
    supported_reasoning_levels: ['low', 'medium', 'high', 'xhigh'].map((effort) => ({ effort, description: effort })),
    default_reasoning_level: 'medium',
    context_window: model.contextTokens,
    max_context_window: model.contextTokens,
    service_tiers: ['default', 'priority'].map((id) => ({ id, name: id, description: `The ${id} tier.` })),
    prefer_websockets: true,
    use_responses_lite: false,
    // Without these the Codex CLI 0.169 throws the whole list away (observed).
    shell_type: 'shell_command',
    base_instructions: 'You are a coding agent in practice mode.',
    supports_reasoning_summaries: true,
    support_verbosity: true,
    default_verbosity: 'low',
    apply_patch_tool_type: 'freeform',
    truncation_policy: { mode: 'tokens', limit: 10_000 },
    supports_parallel_tool_calls: true,
    experimental_supported_tools: [],
    input_modalities: ['text', 'image'],
    priority: index,
    upgrade: null,
  })),
})
