/** Opens WebSockets to upstreams: no redirects, no retries, a bound on everything. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type PerMessageDeflateOptions, WebSocket } from 'ws'
import type { UpstreamFailure } from '../../ports.ts'
import type { Dialer, DialObserver, DialRequest } from '../../socket-ports.ts'
import { closing, frameSocket } from './frame-socket.ts'
import { tunnel } from './tunnel.ts'

/** As long as the Codex CLI itself waits (codex §2.5). */
const handshakeTimeoutMs = 15_000
const mostRefusalBytes = 64 * 1024

/**
 * Long frames are worth it, events are not: a history of 2 MB goes out as a third of that, at the lowest level in a
 * third of the time of the default one. No context is kept between frames, nor is the other end to keep one.
 */
const compression: PerMessageDeflateOptions = {
  threshold: 16 * 1024,
  clientNoContextTakeover: true,
  serverNoContextTakeover: true,
  zlibDeflateOptions: { level: 1 },
}

/** How an upstream is reached; anything but the first two is not dialled. */
export type Way =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly url: string }
  | { readonly kind: 'none' }

export interface DialerOptions {
  wayTo(origin: string, proxy: string | null): Way
  failureOf(cause: unknown): UpstreamFailure
}

export const openDialer = ({ wayTo, failureOf }: DialerOptions): Dialer => ({
  reaches: (origin, proxy) => wayTo(origin, proxy).kind !== 'none',
  dial(request, observer) {
    const way = wayTo(request.origin, request.proxy)
    switch (way.kind) {
      case 'direct':
        return dial(request, observer, failureOf, null)
      case 'proxy':
        return dialThrough(way.url, request, observer, failureOf)
      case 'none':
        // HTTP, which is asked instead, says what is wrong.
        queueMicrotask(() => observer.failed({ kind: 'unreachable', why: 'no WebSocket is opened there' }))
        return () => {}
    }
  },
})

/** Nothing is said to the host before the tunnel stands. */
function dialThrough(
  proxy: string,
  request: DialRequest,
  observer: DialObserver,
  failureOf: DialerOptions['failureOf'],
): () => void {
  const leaving = new AbortController()
  let giveUp = (): void => leaving.abort()
  const late = AbortSignal.timeout(handshakeTimeoutMs)
  tunnel(proxy, request.origin, AbortSignal.any([leaving.signal, late])).then(
    (socket) => {
      if (leaving.signal.aborted) socket.destroy()
      else giveUp = dial(request, observer, failureOf, socket)
    },
    (cause: unknown) => {
      if (!leaving.signal.aborted) observer.failed(failureOf(cause))
    },
  )
  return () => giveUp()
}

function dial(
  request: DialRequest,
  observer: DialObserver,
  failureOf: DialerOptions['failureOf'],
  over: Socket | null,
): () => void {
  let isSettled = false
  let headers: readonly string[] = []
  const socket = new WebSocket(`${request.origin.replace(/^http/, 'ws')}${request.path}`, {
    headers: byName(request.headers),
    followRedirects: false,
    handshakeTimeout: handshakeTimeoutMs,
    maxPayload: request.limitBytes,
    perMessageDeflate: request.compress ? compression : false,
    // Said outright: NODE_TLS_REJECT_UNAUTHORIZED would turn it off (T6.5).
    rejectUnauthorized: true,
    createConnection: over === null ? undefined : () => over,
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
