/** API keys of OpenAI and of hosts that speak its API (codex §2.1, §5.3). */
import type { Source } from '../domain/source.ts'
import { anthropicVersion, openAiPrivate, withoutOAuthBeta } from './claude.ts'
import type { HeaderEdits, Provider } from './provider.ts'
import { readFailure } from './read-failure.ts'
import { keyedTarget, openPaths, originOf } from './target.ts'

const edits: HeaderEdits = {
  dropPrefixes: ['anthropic-'],
  list: null,
  defaults: [],
  credential: (credential) => [
    'authorization',
    `Bearer ${credential.kind === 'oauth' ? credential.accessToken : credential.key}`,
  ],
}

/** Another vendor: turn metadata holds local paths and git remotes and is not for it (codex §3). */
export const foreignEdits: HeaderEdits = { ...edits, dropPrefixes: ['anthropic-', ...openAiPrivate] }
/** The same for a host of this kind that is spoken to in Messages. */
export const foreignMessagesEdits: HeaderEdits = {
  ...edits,
  dropPrefixes: openAiPrivate,
  list: withoutOAuthBeta,
  defaults: [anthropicVersion],
}

/** Exactly OpenAI's own hosts over TLS, never a name that merely looks like one. */
function isOpenAi(source: Source): boolean {
  if (source.type === 'subscription') return false
  const origin = originOf(source.baseUrl).toLowerCase()
  return origin === 'https://openai.com' || /^https:\/\/(?:[a-z0-9-]+\.)+openai\.com(?::443)?$/.test(origin)
}

export const openaiCompatible: Provider = {
  kind: 'openai-compatible',
  streamOnly: false,
  target: (source, dialect, operation, query) => keyedTarget(source, dialect, operation, query, openPaths, true),
  headers: (source, dialect) => {
    if (dialect === 'messages') return foreignMessagesEdits
    return isOpenAi(source) ? edits : foreignEdits
  },
  readings: () => [],
  read: (answer) => readFailure(answer, null),
}
