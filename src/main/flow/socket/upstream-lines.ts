/**
 * A client's WebSockets to upstreams, at most one for each source, as the way out of its turns. What can't go over one
 * goes over HTTP: other upstreams, and accounts whose WebSocket could not be opened just now.
 */
import type { SourceId } from '../../../shared/ids.ts'
import { HeaderList } from '../../dialects/headers.ts'
import type { Source } from '../../domain/source.ts'
import type { Clock, Upstream, UpstreamExchange, UpstreamObserver, UpstreamRequest } from '../../ports.ts'
import type { Dialer, DialObserver, FrameSocket, SocketRequest } from '../../socket-ports.ts'
import type { HttpOnly } from './http-only.ts'
import { UpstreamLine } from './upstream-line.ts'

export interface LinesDeps {
  readonly clock: Clock
  readonly dialer: Dialer
  readonly http: Upstream
  readonly httpOnly: HttpOnly
  /** Scheme and authority of a source. */
  originOf(source: Source): string
  /** Largest frame that is taken from an upstream, once inflated. */
  readonly limitBytes: number
  /** The client offered to compress frames, so the same is offered to its upstreams. */
  readonly compress: boolean
}

export class UpstreamLines implements Upstream {
  /** The last turn went out over HTTP. */
  answersOverHttp = false
  readonly #deps: LinesDeps
  readonly #lines = new Map<SourceId, UpstreamLine>()
  readonly #dialling = new Set<() => void>()

  constructor(deps: LinesDeps) {
    this.#deps = deps
  }

  reaches(source: Source): boolean {
    const { httpOnly, dialer, originOf } = this.#deps
    return !httpOnly.has(source.id) && dialer.reaches(originOf(source), source.proxy)
  }

  /** The source that an earlier answer came from, as long as the connection it came over lives. */
  holderOf(anchor: string): SourceId | null {
    for (const [sourceId, line] of this.#lines) if (line.anchors.has(anchor)) return sourceId
    return null
  }

  send(request: UpstreamRequest, observer: UpstreamObserver): UpstreamExchange {
    if (!isSocketRequest(request)) return this.#overHttp(request, observer)
    this.answersOverHttp = false
    const { sourceId, isAnchored } = request.socket
    const line = this.#lines.get(sourceId)
    // Someone else may have signed in to the source since it was opened.
    if (line?.isIdle === true && line.account === accountOf(request.headers)) return line.ask(request, observer)
    line?.cut()
    if (isAnchored) return lost(observer)
    return this.#dial(request, observer)
  }

  close(): void {
    for (const giveUp of this.#dialling) giveUp()
    this.#dialling.clear()
    for (const line of [...this.#lines.values()]) line.cut()
  }

  #dial(request: SocketRequest, observer: UpstreamObserver): UpstreamExchange {
    const { clock, dialer, httpOnly, limitBytes, compress } = this.#deps
    const { sourceId, isPrewarm } = request.socket
    let inner: UpstreamExchange | null = null
    let isPaused = false
    let line: UpstreamLine | null = null
    const settled = (): void => {
      this.#dialling.delete(giveUp)
    }
    const over = (exchange: UpstreamExchange): void => {
      inner = exchange
      if (isPaused) exchange.pause()
    }
    const instead: DialObserver = {
      opened: (socket: FrameSocket, headers) => {
        settled()
        line = new UpstreamLine(socket, accountOf(request.headers), handed(headers), clock, (gone) => {
          if (this.#lines.get(sourceId) === gone) this.#lines.delete(sourceId)
        })
        this.#lines.set(sourceId, line)
        over(line.ask(request, observer))
      },
      refused: (status, headers, body) => {
        settled()
        if (hasNoSocket.has(status)) {
          httpOnly.note(sourceId)
          if (!isPrewarm) {
            over(this.#overHttp(request, observer))
            return
          }
        }
        observer.head(status, headers)
        observer.data(body)
        observer.end()
      },
      // Nothing was sent yet: whatever stood in the way, HTTP may pass, and tells better what is wrong.
      failed: (failure) => {
        settled()
        httpOnly.note(sourceId)
        if (isPrewarm) observer.failed(failure.kind === 'lost' ? { kind: 'unreachable', why: noHandshake } : failure)
        else over(this.#overHttp(request, observer))
      },
      text: (frame) => line?.text(frame),
      drained: () => line?.drained(),
      closed: () => line?.closed(),
    }
    const { origin, path, proxy } = request
    const headers = handshakeHeaders(request.headers)
    const giveUp = dialer.dial({ origin, path, proxy, headers, limitBytes, compress }, instead)
    this.#dialling.add(giveUp)
    return {
      pause() {
        isPaused = true
        inner?.pause()
      },
      resume() {
        isPaused = false
        inner?.resume()
      },
      abort() {
        settled()
        if (inner === null) giveUp()
        else inner.abort()
      },
    }
  }

  #overHttp(request: UpstreamRequest, observer: UpstreamObserver): UpstreamExchange {
    this.answersOverHttp = true
    return this.#deps.http.send(request, observer)
  }
}

const isSocketRequest = (request: UpstreamRequest): request is SocketRequest => 'socket' in request

const noHandshake = 'it did not complete the WebSocket handshake'

/** The vendor has no WebSocket there, or none at present (codex §2.5, "Fallback"). */
const hasNoSocket: ReadonlySet<number> = new Set([404, 405, 426, 501])

/** Whose token a request carries (codex §2.2); null where none is named. */
const accountOf = (headers: readonly string[]): string | null => new HeaderList(headers).get('chatgpt-account-id')

/** Its connection went in the very moment it was needed. */
function lost(observer: UpstreamObserver): UpstreamExchange {
  void Promise.resolve().then(() => observer.failed({ kind: 'cut' }))
  return { pause() {}, resume() {}, abort() {} }
}

const ofTheBody: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'content-type'])

/** A handshake has no body and its answer none either. */
function handshakeHeaders(headers: readonly string[]): readonly string[] {
  return headers.filter((_, at) => !ofTheBody.has((headers[at - (at % 2)] ?? '').toLowerCase()))
}

/** What the handshake's answer says of the answers to come. */
function handed(headers: readonly string[]): readonly string[] {
  return headers.filter((_, at) => /^(?:x-|openai-)/i.test(headers[at - (at % 2)] ?? ''))
}
