/** A local Ollama: three dialects, no key, no counting, no compaction (codex §8). */
import { foreignEdits, foreignMessagesEdits } from './openai-compatible.ts'
import type { Provider } from './provider.ts'
import { readFailure } from './read-failure.ts'
import { keyedTarget, openPaths, type Paths } from './target.ts'

const paths: Paths = (dialect, operation) =>
  operation === 'generate' || operation === 'list' ? openPaths(dialect, operation) : null

export const ollama: Provider = {
  kind: 'ollama',
  streamOnly: false,
  target: (source, dialect, operation, query) => keyedTarget(source, dialect, operation, query, paths, false),
  headers: (_source, dialect) => (dialect === 'messages' ? foreignMessagesEdits : foreignEdits),
  readings: () => [],
  read(answer) {
    const found = readFailure(answer, null)
    // Only its cloud models ask for a sign-in; the local ones go on serving.
    if (found.signal.kind === 'unauthorised') return { ...found, signal: { kind: 'model-not-entitled' } }
    return found
  },
}
