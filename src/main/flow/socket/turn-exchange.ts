/**
 * One turn of a WebSocket as a request of its own: its frame is the body, the answer's events go out as frames. What
 * the flow does with a request it does with a turn; only the framing differs.
 */
import { problem } from '../../../shared/errors.ts'
import { EventData } from '../../dialects/event-data.ts'
import { errorFrame, eventType, statedStatus } from '../../dialects/frames.ts'
import { HeaderList } from '../../dialects/headers.ts'
import { bytesOf, readObject, textOf } from '../../dialects/json.ts'
import { joined } from '../../domain/bytes.ts'
import type { Body, BodyProblem, Exchange, Inflate, InflateWatch, RequestHead } from '../../ports.ts'
import type { FrameSocket } from '../../socket-ports.ts'
import { Leaving } from './leaving.ts'

/** A negative answer beyond this is told by its status alone. */
const mostWholeBytes = 1024 * 1024
const endMarker = '[DONE]'

export class TurnExchange implements Exchange {
  readonly head: RequestHead
  readonly gone = new Leaving()
  /** Resolves once the answer has ended, in whatever way; the status is that of our own or the vendor's answer. */
  readonly over: Promise<number>
  readonly #body: Body
  readonly #socket: FrameSocket
  readonly #inflate: Inflate
  readonly #events = new EventData((data) => this.#event(data))
  #finish: (status: number) => void = () => {}
  #status = 0
  #headers: readonly string[] = []
  #isStream = false
  #watch: InflateWatch | null = null
  #whole: Uint8Array[] = []
  #wholeBytes = 0
  #isSlow = false
  #isOver = false
  #resume: () => void = () => {}
  /** The last event was an error without a status, which the Codex CLI does not take for an end. */
  #isUnsaid = false

  constructor(head: RequestHead, body: Uint8Array, socket: FrameSocket, inflate: Inflate) {
    this.head = head
    this.#body = { pieces: [body], length: body.length }
    this.#socket = socket
    this.#inflate = inflate
    this.over = new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  readBody(limit: number): Promise<Body | BodyProblem> {
    return Promise.resolve(this.#body.length > limit ? 'too-large' : this.#body)
  }

  begin(status: number, headers: readonly string[]): void {
    this.#status = status
    this.#headers = headers
    const list = new HeaderList(headers)
    this.#isStream = status < 300 && list.get('content-type')?.includes('text/event-stream') === true
    const encoding = list.get('content-encoding')?.toLowerCase() ?? 'identity'
    if (encoding === 'identity') return
    this.#watch = this.#inflate.watch(encoding, (plain) => this.#plain(plain))
    // What can't be read can't be framed.
    if (this.#watch === null) this.#isStream = false
  }

  write(bytes: Uint8Array): boolean {
    if (this.#watch !== null) this.#watch.push(bytes)
    else this.#plain(bytes)
    return !this.#isSlow
  }

  onDrain(resume: () => void): void {
    this.#resume = resume
  }

  /** The client has read what waited for it. */
  drained(): void {
    this.#isSlow = false
    this.#resume()
  }

  end(last?: Uint8Array): void {
    if (last !== undefined) this.write(last)
    if (this.#watch === null) this.#ended()
    else void this.#watch.end().then((how) => (how === 'whole' ? this.#ended() : this.cut()))
  }

  /** The dialect's own error instead of a clean end; with a status, since without one the Codex CLI waits on. */
  cut(): void {
    if (this.#isOver || this.gone.aborted) return
    const { status, sentence, next } = problem('answer_broken')
    const error = { type: 'server_error', code: 'answer_broken', message: `${sentence} ${next}`, param: null }
    this.#send(errorFrame(status, ['x-pointsman-error', 'answer_broken'], bytesOf(JSON.stringify({ error }))))
    this.#over(status)
  }

  /** The connection is gone. */
  leave(): void {
    if (this.#isOver) return
    this.gone.fire()
    this.#over(0)
  }

  #plain(bytes: Uint8Array): void {
    if (this.#isStream) {
      this.#events.push(bytes)
      return
    }
    this.#wholeBytes += bytes.length
    if (this.#wholeBytes <= mostWholeBytes) this.#whole.push(bytes)
  }

  #event(data: Uint8Array): void {
    if (data.length === endMarker.length && textOf(data, endMarker.length) === endMarker) return
    this.#isUnsaid = eventType(data) === 'error' && statedStatus(readObject(data)) === null
    this.#send(data)
  }

  #ended(): void {
    if (this.#isOver) return
    if (this.#isStream) {
      this.#events.end()
      // Over HTTP the end of the answer says it; here the end of the connection does.
      if (this.#isUnsaid) this.#socket.close(1011, 'The answer ended with an error.')
      this.#over(this.#status)
      return
    }
    if (this.#status < 400) {
      // A good answer in one piece, or one that can't be decoded: nothing that a turn could be made of.
      this.cut()
      return
    }
    const body = this.#wholeBytes <= mostWholeBytes ? joined(this.#whole) : new Uint8Array(0)
    this.#send(errorFrame(this.#status, this.#headers, body))
    this.#over(this.#status)
  }

  #send(frame: Uint8Array): void {
    if (!this.gone.aborted && !this.#socket.send(frame)) this.#isSlow = true
  }

  #over(status: number): void {
    this.#isOver = true
    this.#whole = []
    this.#finish(status)
  }
}
