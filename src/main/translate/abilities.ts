/** What one upstream model can be asked: flags from the catalogue, never a guess inside the translation (bridge §0). */
import type { Effort } from './neutral-request.ts'

export interface Abilities {
  /** Messages: system turns inside the conversation. */
  readonly midSystem: boolean
  /** Chat: templates that accept a system message only in front. */
  readonly systemFirstOnly: boolean
  /** Chat: the role `developer` exists. */
  readonly developerRole: boolean
  /** Responses and Chat: free-form tools exist. */
  readonly customTools: boolean
  readonly webSearch: boolean
  readonly images: boolean
  /** Pictures may be given by their address; nothing is fetched here. */
  readonly imageAddresses: boolean
  /** Documents as such. */
  readonly documents: boolean
  /** Chat: thoughts go back as `reasoning_content`. */
  readonly echoReasoning: boolean
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens' | 'none'
  /** The most output tokens a request may ask for. */
  readonly mostOutputTokens: number
  /** Chat: `stop` is accepted. */
  readonly stop: boolean
  readonly sampling: boolean
  /** Messages: `temperature` together with `top_p`. */
  readonly temperatureWithTopP: boolean
  /** OpenAI styles: the levels it knows; empty when it knows none. */
  readonly efforts: readonly Effort[]
  /** Chat: a level together with function tools. */
  readonly effortWithTools: boolean
  /** Messages: how it thinks. */
  readonly thinking: 'adaptive' | 'budget' | 'none'
  readonly structuredOutput: boolean
  /** Responses: the private ChatGPT backend, which refuses what the Codex CLI does not send (codex §2.3). */
  readonly cliFieldsOnly: boolean
  /** `user`, `safety_identifier`, `prompt_cache_key`, `parallel_tool_calls`, `service_tier`. */
  readonly openAiExtras: boolean
  /** OpenAI styles: parts may end a prefix that is kept in the cache. */
  readonly cacheBreakpoints: boolean
  /** Messages: cache marks are placed. */
  readonly cacheMarks: boolean
}

/** What a well-made server of its dialect can do. */
export const fullAbilities: Abilities = {
  midSystem: false,
  systemFirstOnly: false,
  developerRole: true,
  customTools: true,
  webSearch: false,
  images: true,
  imageAddresses: true,
  documents: true,
  echoReasoning: false,
  maxTokensField: 'max_completion_tokens',
  mostOutputTokens: 32_000,
  stop: true,
  sampling: true,
  temperatureWithTopP: true,
  efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
  effortWithTools: true,
  thinking: 'adaptive',
  structuredOutput: true,
  cliFieldsOnly: false,
  openAiExtras: true,
  cacheBreakpoints: false,
  cacheMarks: true,
}
