// Every rule that is taken away to see its tests fail, by the table in `docs/` that tells of it.
import { calls } from './known-bugs/calls.mjs'
import { failures } from './known-bugs/failures.mjs'
import { history } from './known-bugs/history.mjs'
import { openAiStreams } from './known-bugs/openai-streams.mjs'
import { parameters } from './known-bugs/parameters.mjs'
import { streams } from './known-bugs/streams.mjs'
import { thoughts } from './known-bugs/thoughts.mjs'
import { tools } from './known-bugs/tools.mjs'
import { usages } from './known-bugs/usage.mjs'

export { guards } from './guards.mjs'

/** Of `docs/translation.md`. */
export const knownBugs = [
  ...streams,
  ...openAiStreams,
  ...calls,
  ...failures,
  ...history,
  ...tools,
  ...parameters,
  ...thoughts,
  ...usages,
]
