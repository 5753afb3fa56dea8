/** The provider descriptors by kind. */
import type { ProviderKind, Source } from '../domain/source.ts'
import { anthropicCompatible } from './anthropic-compatible.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { ollama } from './ollama.ts'
import { openaiCompatible } from './openai-compatible.ts'
import type { Provider } from './provider.ts'

export type { HostOverrides, Provider } from './provider.ts'
export { outboundHeaders } from './request-headers.ts'
export { inboundHeaders } from './response-headers.ts'

export const providers: Readonly<Record<ProviderKind, Provider>> = {
  claude,
  codex,
  'anthropic-compatible': anthropicCompatible,
  'openai-compatible': openaiCompatible,
  ollama,
}

export const providerOf = (source: Source): Provider => providers[source.provider]
