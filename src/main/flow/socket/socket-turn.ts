/** What the flow has to know of a turn that came over a WebSocket, and what follows from it. Pure. */
import { bytesOf } from '../../dialects/json.ts'
import type { Source } from '../../domain/source.ts'
import { providerOf } from '../../providers/index.ts'
import type { SocketRequest } from '../../socket-ports.ts'
import type { Candidate } from '../40-candidates.ts'
import type { OwnAnswer } from '../opened.ts'
import type { Outbound } from '../outbound.ts'
import { Refusal } from '../trail.ts'

export interface SocketTurn {
  /** It only warms the model up. */
  readonly isPrewarm: boolean
  /** It builds on an earlier answer. */
  readonly isAnchored: boolean
  /** Whether a WebSocket of this client can lead to the source. */
  reaches(source: Source): boolean
  /** Whether the source has the earlier answer where this turn would go. */
  holdsAnchor(source: Source): boolean
}

/** Why the candidate can't be sent this turn, what it is told instead, or null. `isPlain`: in the client's own dialect. */
export function turnBar(turn: SocketTurn, candidate: Candidate, isPlain: boolean): Refusal | OwnAnswer | null {
  const { source } = candidate.backend
  if (turn.isAnchored && !turn.holdsAnchor(source)) return new Refusal('state_elsewhere', { label: source.label })
  return turn.isPrewarm && !goesBySocket(turn, source, isPlain) ? notWarmed(candidate) : null
}

const goesBySocket = (turn: SocketTurn, source: Source, isPlain: boolean): boolean =>
  isPlain && providerOf(source).sockets === true && turn.reaches(source)

/** The request as one that may go out as a frame. */
export function bySocket(sent: Outbound, turn: SocketTurn, { backend: { source } }: Candidate): Outbound {
  if (!goesBySocket(turn, source, sent.translation === null)) return sent
  const { isAnchored, isPrewarm } = turn
  const request: SocketRequest = { ...sent.request, socket: { sourceId: source.id, isAnchored, isPrewarm } }
  return { ...sent, request }
}

/**
 * An upstream that is reached over HTTP has no warm-up, and asking it for an answer would cost one. The client is told
 * that there is nothing to build on: an empty id, after which the Codex CLI sends its whole conversation.
 */
function notWarmed(candidate: Candidate): OwnAnswer {
  const usage = {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0,
  }
  const response = { id: '', object: 'response', status: 'completed', output: [], error: null, usage }
  const body = bytesOf(`data: ${JSON.stringify({ type: 'response.completed', response })}\n\n`)
  const headers = ['content-type', 'text/event-stream', 'cache-control', 'no-store']
  return { kind: 'own-answer', candidate, because: 'not-warmed', headers, body }
}
