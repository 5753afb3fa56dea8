/**
 * One client's WebSocket: each frame is a turn that goes through the whole flow, one after the other. A conversation
 * moves to another account by the vendor's own recoverable errors only, so that its client brings its whole history.
 */
import type { SourceId } from '../../../shared/ids.ts'
import { errorFrame, type FrameProblem, frameFields, readFrame, type TurnFrame } from '../../dialects/frames.ts'
import { scanBody } from '../../dialects/scan.ts'
import type { RequestHead } from '../../ports.ts'
import type { FrameObserver, FrameSocket, Upgrade } from '../../socket-ports.ts'
import type { AdmittedHead } from '../10-ingress.ts'
import { flow } from '../flow.ts'
import type { FlowDeps } from '../flow-deps.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { Refusal } from '../trail.ts'
import { conversationOf } from './conversation.ts'
import type { HttpOnly } from './http-only.ts'
import type { SocketTurn } from './socket-turn.ts'
import { TurnExchange } from './turn-exchange.ts'
import { turnHead } from './turn-head.ts'
import type { UpstreamLines } from './upstream-lines.ts'

/** The vendor's own limit (codex §2.5). */
export const connectionLimitMs = 60 * 60_000
/** Frames that may wait while a turn runs; the Codex CLI sends none. */
const mostWaiting = 8
/** Nobody has it any more: no source has this id. */
const nobody = '' as SourceId

export interface ClientSocketParts {
  /** As the upgrade had it. */
  readonly head: RequestHead
  readonly admitted: AdmittedHead
  readonly socket: FrameSocket
  readonly lines: UpstreamLines
  readonly deps: FlowDeps
  /** Conversations whose last answer came over HTTP, where nothing can be built on. */
  readonly ratherHttp: HttpOnly
  readonly limitBytes: number
  readonly room: Pick<Upgrade, 'takeRoom' | 'giveRoomBack'>
  onClosed(socket: ClientSocket): void
}

export class ClientSocket implements FrameObserver {
  readonly #parts: ClientSocketParts
  readonly #openedAt: number
  readonly #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #turn: TurnExchange | null = null
  #isAnswering = false
  #isEnding = false
  #cancelLimit: () => void

  constructor(parts: ClientSocketParts) {
    this.#parts = parts
    const { clock } = parts.deps
    this.#openedAt = clock.elapsedMs()
    this.#cancelLimit = clock.after(connectionLimitMs, () => {
      if (!this.#isAnswering) this.#close(1012, 'The connection has reached its time limit.')
    })
  }

  text(frame: Uint8Array): void {
    if (this.#isEnding) return
    if (!this.#parts.room.takeRoom(frame.length)) {
      this.#close(1013, 'Too much is held at once.')
      return
    }
    this.#waiting.push(frame)
    this.#waitingBytes += frame.length
    if (this.#isAnswering && (this.#waiting.length > mostWaiting || this.#waitingBytes > this.#parts.limitBytes)) {
      this.#close(1008, 'Wait for the answer before you ask again.')
    } else if (!this.#isAnswering) void this.#answerAll()
  }

  drained(): void {
    this.#turn?.drained()
  }

  closed(): void {
    this.#isEnding = true
    this.#cancelLimit()
    for (const { length } of this.#waiting.splice(0)) this.#parts.room.giveRoomBack(length)
    this.#turn?.leave()
    this.#parts.lines.close()
    this.#parts.onClosed(this)
  }

  /** What the next turn builds on is lost with the connections; one that runs breaks by itself. */
  refresh(): void {
    if (!this.#isAnswering) this.#parts.lines.close()
  }

  /** No further turn: at once while idle, else after the one that runs. */
  end(): void {
    if (this.#isAnswering) this.#isEnding = true
    else this.breakOff()
  }

  /** 1012: the client opens a new connection and brings its whole conversation. */
  breakOff(): void {
    this.#close(1012, 'Pointsman is ending.')
  }

  #close(code: number, reason: string): void {
    this.#isEnding = true
    this.#parts.socket.close(code, reason)
  }

  async #answerAll(): Promise<void> {
    this.#isAnswering = true
    try {
      for (let frame = this.#next(); frame !== undefined; frame = this.#next()) await this.#held(frame)
    } catch (cause) {
      this.#parts.deps.log.fault('turn-failed', cause)
      this.#close(1011, 'Something went wrong in Pointsman.')
    } finally {
      this.#isAnswering = false
      this.#turn = null
    }
    if (this.#isEnding) this.breakOff()
  }

  async #held(frame: Uint8Array): Promise<void> {
    try {
      await this.#answer(frame)
    } finally {
      this.#parts.room.giveRoomBack(frame.length)
    }
  }

  #next(): Uint8Array | undefined {
    const frame = this.#isEnding ? undefined : this.#waiting.shift()
    this.#waitingBytes -= frame?.length ?? 0
    return frame
  }

  async #answer(bytes: Uint8Array): Promise<void> {
    const { deps, head, socket, admitted } = this.#parts
    if (deps.clock.elapsedMs() - this.#openedAt >= connectionLimitMs) {
      this.#refuse(new Refusal('websocket_connection_limit_reached'))
      this.#close(1000, 'The connection has reached its time limit.')
      return
    }
    const scan = await scanBody([bytes], frameFields, deps.giveWay)
    if (this.#isEnding) return
    const frame = readFrame(bytes, scan)
    if (frame.kind !== 'turn') {
      this.#refuse(frameRefusal(frame))
      return
    }
    const asked = turnHead(head, frame.headers)
    const exchange = new TurnExchange(asked, frame.body, socket, deps.inflate)
    this.#turn = exchange
    await flow(exchange, this.#turnDeps(frame, conversationOf(asked, admitted)))
    const status = await exchange.over
    this.#turn = null
    // Only an access key that is gone is answered so: nothing that follows here could be served.
    if (status === 401) this.#close(1008, 'No valid access key was sent.')
  }

  /** A turn's way out is this client's own connections, and an earlier answer lies where they say. */
  #turnDeps({ previous, isPrewarm, isStored }: TurnFrame, conversation: string | null): FlowDeps {
    const { deps, lines, admitted, ratherHttp } = this.#parts
    const reaches: SocketTurn['reaches'] = (source) => lines.reaches(source)
    if (previous === null) {
      return { ...deps, upstream: lines, turn: { isPrewarm, isAnchored: false, reaches, holdsAnchor: () => true } }
    }
    const anchor = deps.digest.sha256(`${admitted.key.id}\nprevious-response\n${previous}`)
    const stored = (): SourceId | undefined => (isStored ? deps.owners.get(anchor) : undefined)
    const holder = (): SourceId => lines.holderOf(previous) ?? stored() ?? nobody
    if (holder() === nobody && lines.answersOverHttp && conversation !== null) ratherHttp.note(conversation)
    const owners = { get: (hash: string) => (hash === anchor ? holder() : deps.owners.get(hash)) }
    const holdsAnchor: SocketTurn['holdsAnchor'] = ({ id }) => holder() === id
    return {
      ...deps,
      upstream: lines,
      turn: { isPrewarm, isAnchored: true, reaches, holdsAnchor },
      view: () => ({ ...deps.view(), owners }),
    }
  }

  #refuse(refusal: Refusal): void {
    const caller = { authenticated: true, dialect: 'responses', stream: false, callId: '' } as const
    const { status, headers, body } = refusalAnswer(refusal, caller)
    this.#parts.socket.send(errorFrame(status, headers, body))
  }
}

function frameRefusal(found: FrameProblem): Refusal {
  switch (found.kind) {
    case 'other-type':
      return new Refusal('frame_not_served', { type: found.type })
    case 'duplicate':
      return new Refusal('duplicate_field', { field: found.field })
    case 'not-json':
      return new Refusal('body_not_json', { why: found.why })
  }
}
