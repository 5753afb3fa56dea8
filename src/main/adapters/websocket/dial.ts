/** Opens WebSockets to upstreams: no redirects, no retries, a bound on everything. */
import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import type { UpstreamFailure } from '../../ports.ts'
import type { Dialer, DialObserver, DialRequest } from '../../socket-ports.ts'
import { closing, frameSocket } from './frame-socket.ts'

/** As long as the Codex CLI itself waits (codex §2.5). */
const handshakeTimeoutMs = 15_000
const mostRefusalBytes = 64 * 1024

export interface DialerOptions {
  /** Only what needs no proxy is dialled: `ws` knows none. */
  isDirect(origin: string, proxy: string | null): boolean
  failureOf(cause: unknown): UpstreamFailure
}

export const openDialer = ({ isDirect, failureOf }: DialerOptions): Dialer => ({
  reaches: isDirect,
  dial: (request, observer) => dial(request, observer, failureOf),
})

function dial(request: DialRequest, observer: DialObserver, failureOf: DialerOptions['failureOf']): () => void {
  let isSettled = false
  let headers: readonly string[] = []
  const socket = new WebSocket(`${request.origin.replace(/^http/, 'ws')}${request.path}`, {
    headers: byName(request.headers),
    followRedirects: false,
    handshakeTimeout: handshakeTimeoutMs,
    maxPayload: request.limitBytes,
    perMessageDeflate: false,
    // Said outright: NODE_TLS_REJECT_UNAUTHORIZED would turn it off (T6.5).
    rejectUnauthorized: true,
    ...closing,
  })
  socket.once('upgrade', (answer) => {
    headers = answer.rawHeaders
  })
  socket.once('open', () => {
    if (isSettled) return
    isSettled = true
    frameSocket(socket, (made) => {
      observer.opened(made, headers)
      return observer
    })
  })
  socket.once('unexpected-response', (sent, answer) => {
    if (isSettled) return
    isSettled = true
    void bodyOf(answer).then((body) => {
      sent.destroy()
      if (!isGivenUp) observer.refused(answer.statusCode ?? 0, answer.rawHeaders, body)
    })
  })
  socket.on('error', (cause) => {
    if (isSettled) return
    isSettled = true
    observer.failed(failureOf(cause))
  })
  let isGivenUp = false
  return () => {
    isSettled = true
    isGivenUp = true
    socket.terminate()
  }
}

/** A header that is sent twice keeps all its values. */
function byName(list: readonly string[]): Record<string, string | string[]> {
  const named: Record<string, string | string[]> = {}
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = list[at] ?? ''
    const value = list[at + 1] ?? ''
    const before = named[name]
    named[name] = before === undefined ? value : [before, value].flat()
  }
  return named
}

/** The start of a refusal; a broken one counts for what came. */
function bodyOf(answer: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let length = 0
    const finish = (): void => resolve(Buffer.concat(pieces))
    answer.on('data', (piece: Buffer) => {
      length += piece.length
      if (length <= mostRefusalBytes) pieces.push(piece)
      else finish()
    })
    answer.once('end', finish)
    answer.once('error', finish)
    answer.once('close', finish)
  })
}
