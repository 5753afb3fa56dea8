/**
 * One WebSocket to one account for one client: a turn at a time goes out as a frame, its frames come back as the
 * stream that HTTP would have had. Earlier answers of this connection can be built on as long as it lives (codex §2.5).
 */
import {
  answerId,
  eventBytes,
  eventType,
  isLastType,
  statedHeaders,
  statedStatus,
  turnFrame,
} from '../../dialects/frames.ts'
import { readObject } from '../../dialects/json.ts'
import type { Clock, UpstreamExchange, UpstreamFailure, UpstreamObserver, UpstreamRequest } from '../../ports.ts'
import { limitHeaders } from '../../providers/codex-limits-event.ts'
import type { FrameObserver, FrameSocket } from '../../socket-ports.ts'

/** A client builds on its last answer or the one before. */
const mostAnchors = 32

interface Turn {
  readonly request: UpstreamRequest
  readonly observer: UpstreamObserver
  isHeadSent: boolean
}

export class UpstreamLine implements FrameObserver {
  /** Names of answers that came whole over this connection. */
  readonly anchors = new Set<string>()
  /** Whose token opened it. */
  readonly account: string | null
  readonly #clock: Clock
  readonly #onClosed: (line: UpstreamLine) => void
  readonly #socket: FrameSocket
  /** Of the handshake; they belong to the first answer. */
  #headers: readonly string[]
  #turn: Turn | null = null
  #isPaused = false
  #isClosed = false
  #cancelWait: () => void = () => {}

  constructor(
    socket: FrameSocket,
    account: string | null,
    headers: readonly string[],
    clock: Clock,
    onClosed: (line: UpstreamLine) => void,
  ) {
    this.#socket = socket
    this.account = account
    this.#headers = headers
    this.#clock = clock
    this.#onClosed = onClosed
  }

  get isIdle(): boolean {
    return this.#turn === null && !this.#isClosed
  }

  /** Sends one turn; only while idle. */
  ask(request: UpstreamRequest, observer: UpstreamObserver): UpstreamExchange {
    const turn: Turn = { request, observer, isHeadSent: false }
    this.#turn = turn
    this.#socket.send(turnFrame(request.body?.pieces ?? []))
    this.#wait()
    const isCurrent = (): boolean => this.#turn === turn
    return {
      pause: () => {
        if (isCurrent()) this.#pause()
      },
      resume: () => {
        if (isCurrent()) this.#resume()
      },
      // There is no word for stopping a turn: the connection goes, as over HTTP.
      abort: () => {
        if (isCurrent()) this.cut()
      },
    }
  }

  cut(): void {
    this.#turn = null
    this.#close()
    this.#socket.cut()
  }

  text(frame: Uint8Array): void {
    const turn = this.#turn
    // Between turns nobody waits for anything.
    if (turn === null) return
    const type = eventType(frame)
    if (!turn.isHeadSent && type === 'error' && this.#refused(turn, frame)) return
    if (!turn.isHeadSent) this.#head(turn, type, frame)
    this.#wait()
    const isLast = isLastType(type)
    if (isLast) this.#over(type === 'error' || type === 'response.failed' ? null : answerId(frame))
    turn.observer.data(eventBytes(frame))
    if (isLast) turn.observer.end()
  }

  drained(): void {}

  closed(): void {
    this.#fail(this.#turn?.isHeadSent === true ? { kind: 'cut' } : { kind: 'lost' })
    this.#close()
  }

  /** A refusal instead of an answer: with its status and headers, as HTTP would have told it. */
  #refused(turn: Turn, frame: Uint8Array): boolean {
    const event = readObject(frame)
    const status = statedStatus(event)
    if (status === null) return false
    this.#over(null)
    turn.observer.head(status, ['content-type', 'application/json', ...statedHeaders(event)])
    turn.observer.data(frame)
    turn.observer.end()
    // Who is no longer let in has to knock again.
    if ((status === 401 || status === 403) && this.isIdle) this.cut()
    return true
  }

  #head(turn: Turn, type: string | null, frame: Uint8Array): void {
    turn.isHeadSent = true
    const limits = type === 'codex.rate_limits' ? limitHeaders(readObject(frame)) : []
    turn.observer.head(200, ['content-type', 'text/event-stream', ...limits, ...this.#headers])
    this.#headers = []
  }

  #over(anchor: string | null): void {
    this.#turn = null
    this.#cancelWait()
    this.#resume()
    if (anchor === null || anchor === '') return
    this.anchors.add(anchor)
    const [oldest] = this.anchors
    if (this.anchors.size > mostAnchors && oldest !== undefined) this.anchors.delete(oldest)
  }

  #fail(failure: UpstreamFailure): void {
    const turn = this.#turn
    this.#turn = null
    this.#cancelWait()
    turn?.observer.failed(failure)
  }

  #close(): void {
    this.#cancelWait()
    if (this.#isClosed) return
    this.#isClosed = true
    this.anchors.clear()
    this.#onClosed(this)
  }

  #pause(): void {
    this.#isPaused = true
    this.#cancelWait()
    this.#socket.pause()
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#socket.resume()
    if (this.#turn !== null) this.#wait()
  }

  /** Silence has the same bounds as over HTTP. */
  #wait(): void {
    this.#cancelWait()
    const turn = this.#turn
    if (turn === null || this.#isPaused) return
    const boundMs = turn.isHeadSent ? turn.request.idleTimeoutMs : turn.request.headTimeoutMs
    this.#cancelWait = this.#clock.after(boundMs, () => {
      this.#fail(turn.isHeadSent ? { kind: 'cut' } : { kind: 'silent' })
      this.cut()
    })
  }
}
