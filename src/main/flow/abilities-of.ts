/** What an upstream model can be asked, by its provider and its name: the catalogue that translation goes by (bridge §1.7). Pure. */
import type { Backend } from '../domain/backend.ts'
import type { Dialect, Source } from '../domain/source.ts'
import { originOf } from '../providers/target.ts'
import { type Abilities, fullAbilities } from '../translate/abilities.ts'
import type { Effort } from '../translate/neutral-request.ts'

export function abilitiesOf({ source, upstreamModel }: Backend, dialect: Dialect): Abilities {
  switch (dialect) {
    case 'messages':
      return messagesAbilities(source, upstreamModel)
    case 'responses':
      return openAiAbilities(source, upstreamModel, 'responses')
    case 'chat':
      return openAiAbilities(source, upstreamModel, 'chat')
  }
}

/** Ollama takes pictures as bytes only (codex §8). */
const takesImageAddresses = (source: Source): boolean => source.provider !== 'ollama'

const claudeEfforts: readonly Effort[] = ['low', 'medium', 'high', 'max']

function messagesAbilities(source: Source, model: string): Abilities {
  const isClaude = /claude/.test(model)
  const adaptive = /claude-(?:opus|sonnet|haiku|fable|mythos)-(?:4-[6-9]|[5-9])/.test(model)
  const budget = /claude-(?:(?:opus|sonnet|haiku)-4|3-7)/.test(model)
  return {
    ...fullAbilities,
    efforts: claudeEfforts,
    thinking: adaptive ? 'adaptive' : budget ? 'budget' : 'none',
    sampling: !adaptive,
    temperatureWithTopP: !/claude-(?:opus|sonnet|haiku)-4/.test(model),
    structuredOutput: isClaude,
    webSearch: isClaude && source.provider === 'anthropic-compatible',
    cacheMarks: source.provider !== 'ollama',
    imageAddresses: takesImageAddresses(source),
    mostOutputTokens: adaptive ? 64_000 : 32_000,
  }
}

const none: readonly Effort[] = []

function openAiEfforts(model: string): readonly Effort[] {
  // Seen to refuse `none` (codex §6.1).
  if (/gpt-6\.(?:1-sol|[2-9])/.test(model)) return ['low', 'medium', 'high', 'xhigh']
  if (/gpt-5\.[2-9]|gpt-[6-9]/.test(model)) return ['none', 'low', 'medium', 'high', 'xhigh']
  if (/gpt-5\.1/.test(model)) return ['none', 'low', 'medium', 'high']
  if (/gpt-5/.test(model)) return ['minimal', 'low', 'medium', 'high']
  if (/^o[1-9]/.test(model) || /gpt-oss/.test(model)) return ['low', 'medium', 'high']
  return none
}

function codexEfforts(model: string): readonly Effort[] {
  const known = openAiEfforts(model)
  return known.length > 0 ? known : ['low', 'medium', 'high']
}

function openAiAbilities(source: Source, model: string, dialect: 'responses' | 'chat'): Abilities {
  const isSubscription = source.type === 'subscription'
  const origin = source.type === 'subscription' ? '' : originOf(source.baseUrl).toLowerCase()
  const isVendor = isSubscription || /^https:\/\/(?:[a-z0-9-]+\.)*openai\.com(?::443)?$/.test(origin)
  // All that a Codex account serves reason, whatever they will be called.
  const efforts = isSubscription ? codexEfforts(model) : openAiEfforts(model)
  const reasons = efforts.length > 0
  return {
    ...fullAbilities,
    efforts,
    // Many chat templates know neither role nor type beyond the oldest.
    developerRole: isVendor && dialect === 'chat',
    // Many templates that come with a model refuse a system message anywhere but in front.
    systemFirstOnly: source.type === 'local' && dialect === 'chat',
    customTools: isVendor,
    webSearch: isVendor && dialect === 'responses',
    documents: isVendor,
    imageAddresses: takesImageAddresses(source),
    echoReasoning: /deepseek|kimi/.test(model),
    maxTokensField: isVendor && !isSubscription ? 'max_completion_tokens' : isSubscription ? 'none' : 'max_tokens',
    mostOutputTokens: 128_000,
    stop: !(isVendor && /gpt-5|^o[1-9]/.test(model)),
    sampling: !(isVendor && reasons),
    effortWithTools: !(isVendor && /gpt-5\.[4-9]|gpt-[6-9]/.test(model)),
    cliFieldsOnly: isSubscription,
    openAiExtras: isVendor,
    // As the vendor's SDK says; the Codex CLI sends none.
    cacheBreakpoints: isVendor && !isSubscription && /gpt-5\.[6-9]|gpt-[6-9]/.test(model),
    cacheMarks: false,
  }
}
