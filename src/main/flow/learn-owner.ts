/** Remembers who made what an answer names: only that source can read it again (routing §5, "Hard ownership"). */

import { madeState } from '../dialects/held-state.ts'
import { textOf } from '../dialects/json.ts'
import type { Call } from './10-ingress.ts'
import type { Candidate } from './40-candidates.ts'
import type { FlowDeps } from './flow-deps.ts'
import type { Incoming } from './incoming.ts'

/** An id stands near the beginning; the rest is left alone. */
const mostReadBytes = 4_096

export function learnOwner(call: Call, { backend }: Candidate, incoming: Incoming, deps: FlowDeps): void {
  const { source } = backend
  const [first] = incoming.held
  // The ChatGPT backend takes no earlier answer over HTTP (codex §2.3), so its ids needn't be kept.
  const beginning =
    first === undefined || source.provider === 'codex' ? '' : textOf(first.subarray(0, mostReadBytes), mostReadBytes)
  for (const { kind, name } of madeState(incoming.headers.get, beginning)) {
    const hash = deps.digest.sha256(`${call.key.id}\n${kind}\n${name}`)
    deps.owners.learn(hash, source.id, deps.clock.nowMs())
  }
}
