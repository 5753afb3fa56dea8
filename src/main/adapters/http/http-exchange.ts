/** One client request over node:http: body in pieces, answer out, and the moment the client leaves. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Abort, Body, BodyProblem, Exchange, RequestHead } from '../../ports.ts'
import type { BodyRoom } from './body-room.ts'

const bodyIdleMs = 30_000

/** Connections that end with the answer begun on them: nothing that follows there is a request any more (T7.1). */
export const closing = new WeakSet<Socket>()

export class HttpExchange implements Exchange {
  readonly head: RequestHead
  readonly gone: Gone
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #expectsContinue: boolean
  readonly #room: BodyRoom
  readonly #framing: Framing
  #bodyRead = false
  #held = 0

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
    room: BodyRoom,
    onClosed: () => void,
  ) {
    this.#request = request
    this.#response = response
    this.#expectsContinue = expectsContinue
    this.#room = room
    this.#framing = framingOf(request.rawHeaders)
    this.head = {
      method: request.method ?? '',
      target: request.url ?? '',
      rawHeaders: request.rawHeaders,
      port: request.socket.localPort ?? 0,
    }
    this.gone = new Gone()
    // A FIN counts as leaving: nothing tells a client that only half-closes from one that has gone (F14, F25).
    whenClosed(request, response, () => {
      if (!response.writableFinished) this.gone.fire()
      room.giveBack(this.#held)
      this.#held = 0
      onClosed()
    })
  }

  readBody(limit: number, watch?: (piece: Uint8Array) => void): Promise<Body | BodyProblem> {
    this.#bodyRead = true
    const request = this.#request
    const stated = this.#framing.length
    if (stated > limit) return Promise.resolve('too-large')
    if (!this.#hold(stated)) return Promise.resolve('no-room')
    if (this.#expectsContinue) sayContinue(this.#response)
    return new Promise((resolve) => {
      const pieces: Uint8Array[] = []
      let length = 0
      let isOver = false
      // Its listeners stay: what is refused is not read on, but its errors still need an owner.
      const finish = (result: Body | BodyProblem): void => {
        if (isOver) return
        isOver = true
        clearTimeout(idle)
        resolve(result)
      }
      const idle = setTimeout(() => finish('timeout'), bodyIdleMs)
      const take = (piece: Uint8Array): void => {
        if (isOver) return
        length += piece.length
        if (length > limit) {
          request.pause()
          finish('too-large')
          return
        }
        // Without a stated length room is taken as it fills.
        if (length > this.#held && !this.#hold(length - this.#held)) {
          request.pause()
          finish('no-room')
          return
        }
        pieces.push(piece)
        watch?.(piece)
        idle.refresh()
      }
      const whole = (): void => finish({ pieces, length })
      const broken = (): void => finish(this.gone.aborted ? 'gone' : 'incomplete')
      request.on('data', take)
      request.on('end', whole)
      request.on('close', broken)
      request.on('error', broken)
    })
  }

  #hold(bytes: number): boolean {
    if (!this.#room.take(bytes)) return false
    this.#held += bytes
    return true
  }

  begin(status: number, headers: readonly string[]): void {
    // A body that was refused unread can't be followed by another request on the same connection.
    const close = this.#framing.hasBody && !(this.#bodyRead && this.#request.complete)
    const all = close ? [...headers, 'connection', 'close'] : (headers as string[])
    if (close) closing.add(this.#request.socket)
    this.#response.writeHead(status, all)
  }

  write(bytes: Uint8Array): boolean {
    return this.#response.write(bytes)
  }

  onDrain(resume: () => void): void {
    this.#response.on('drain', resume)
  }

  end(last?: Uint8Array): void {
    if (last === undefined) this.#response.end()
    else this.#response.end(last)
  }

  cut(): void {
    // A reset, not a FIN: a client of HTTP/1.0 would take a FIN for the end (F12).
    const { socket } = this.#response
    if (socket === null) this.#response.destroy()
    else socket.resetAndDestroy()
  }
}

/** Calls `act` once the answer is over. One that never got its turn on a pipelined connection has no close (F29). */
function whenClosed({ socket }: IncomingMessage, response: ServerResponse, act: () => void): void {
  if (response.socket !== null) {
    response.on('close', act)
    return
  }
  let over = false
  const close = (): void => {
    if (over) return
    over = true
    socket.removeListener('close', close)
    act()
  }
  response.once('close', close)
  socket.setMaxListeners(0)
  socket.once('close', close)
}

/**
 * Behind an answer that still runs on the connection Node keeps the line back and later sends it after the head of its own
 * answer, as a part of the body (F29): it waits for its turn, and is left out where the answer has begun by then.
 */
function sayContinue(response: ServerResponse): void {
  if (response.socket !== null) response.writeContinue()
  else response.once('socket', () => response.headersSent || response.writeContinue())
}

interface Framing {
  readonly hasBody: boolean
  /** As stated, 0 when nothing is. */
  readonly length: number
}

/** Read from the raw list: Node makes its object of all headers only for those who ask. */
function framingOf(raw: readonly string[]): Framing {
  let length = 0
  let hasBody = false
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string
    if (name.length === 14 && name.toLowerCase() === 'content-length') {
      length = Number(raw[at + 1])
      if (length > 0) hasBody = true
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') hasBody = true
  }
  return { hasBody, length }
}

/** A plain AbortSignal: one flag and a few listeners, cheaper than an EventTarget per request. */
export class Gone implements Abort {
  #fired = false
  #listeners: (() => void)[] = []

  get aborted(): boolean {
    return this.#fired
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at >= 0) this.#listeners.splice(at, 1)
  }

  fire(): void {
    if (this.#fired) return
    this.#fired = true
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener()
  }
}
