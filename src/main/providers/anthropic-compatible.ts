/** API keys of Anthropic and of hosts that speak its Messages API. */
import { anthropicCredential, anthropicVersion, openAiPrivate, withoutOAuthBeta } from './claude.ts'
import type { HeaderEdits, Provider } from './provider.ts'
import { readFailure } from './read-failure.ts'
import { keyedTarget, openPaths } from './target.ts'

const edits: HeaderEdits = {
  dropPrefixes: openAiPrivate,
  list: withoutOAuthBeta,
  defaults: [anthropicVersion],
  credential: anthropicCredential,
}

/** For the other dialects of such a host: Anthropic's own headers mean nothing there (bridge §1.1). */
const otherDialects: HeaderEdits = {
  ...edits,
  dropPrefixes: [...openAiPrivate, 'anthropic-'],
  list: null,
  defaults: [],
}

export const anthropicCompatible: Provider = {
  kind: 'anthropic-compatible',
  streamOnly: false,
  target: (source, dialect, operation, query) => keyedTarget(source, dialect, operation, query, openPaths, false),
  headers: (_source, dialect) => (dialect === 'messages' ? edits : otherDialects),
  // A key has no windows (routing §7), even where a relay passes on those of the account behind it.
  readings: () => [],
  read: (answer) => readFailure(answer, null),
}
