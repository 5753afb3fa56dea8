/** What follows once an account answers: its rests end, its readings count, what it made and the conversation are its own. */
import { madeState } from '../dialects/held-state.ts'
import { oneByteText } from '../dialects/json.ts'
import type { Subject } from '../domain/health.ts'
import { providerOf } from '../providers/index.ts'
import type { Call } from './10-ingress.ts'
import type { Plan } from './50-order.ts'
import type { FlowDeps } from './flow-deps.ts'
import type { Incoming } from './incoming.ts'
import type { Opened } from './opened.ts'
import { isBoundBy } from './second-look.ts'

export function noteServed({ candidate, incoming }: Opened, subject: Subject, call: Call, plan: Plan, deps: FlowDeps) {
  const { source } = candidate.backend
  const nowMs = deps.clock.nowMs()
  if (incoming.status < 200 || incoming.status > 299) return
  deps.conditions.apply(subject, { kind: 'served' })
  deps.conditions.read(source.id, providerOf(source).readings(incoming.headers.raw, nowMs))
  for (const hash of madeHashes(incoming, source.provider === 'codex', call, deps)) {
    deps.owners.learn(hash, source.id, nowMs)
  }
  const { session } = call
  if (session !== null && isBoundBy(candidate, plan)) deps.bindings.confirm(session, source.id, nowMs, call.model)
}

/** An id stands near the beginning; the rest is left alone. */
const mostReadBytes = 4_096

/** The ChatGPT backend takes no earlier answer over HTTP (codex §2.3), so its ids needn't be kept. */
function madeHashes(incoming: Incoming, headersOnly: boolean, call: Call, deps: FlowDeps): readonly string[] {
  const [first] = incoming.held
  const beginning = first === undefined || headersOnly ? '' : oneByteText(first, 0, mostReadBytes)
  const made = madeState(incoming.headers.get, beginning)
  return made.map(({ kind, name }) => deps.digest.sha256(`${call.key.id}\n${kind}\n${name}`))
}
