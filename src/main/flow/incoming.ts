/**
 * One upstream answer as it arrives. Until it is opened everything is held, so that another account can still answer
 * instead; afterwards bytes go straight to the sink. Decides what it saw, not what follows from it.
 */
import { streamReader } from '../dialects/answer.ts'
import { HeaderList } from '../dialects/headers.ts'
import type { StreamFailure, StreamReader } from '../dialects/stream-reader.ts'
import type { Dialect } from '../domain/source.ts'
import type { Clock, Inflate, InflateWatch, UpstreamExchange, UpstreamFailure, UpstreamObserver } from '../ports.ts'

/** What became of an attempt; `opened` may still end in any way. */
export type Arrival =
  | { readonly kind: 'opened' }
  /** A negative answer, whole. */
  | { readonly kind: 'refused' }
  /** A failure event inside a 200 stream before any content. */
  | { readonly kind: 'failed-early'; readonly failure: StreamFailure }
  | { readonly kind: 'broken'; readonly failure: UpstreamFailure }
  | { readonly kind: 'left' }

/** Where bytes go once the answer is opened. */
export interface Sink {
  data(bytes: Uint8Array): void
  end(): void
  failed(failure: UpstreamFailure): void
}

export interface IncomingOptions {
  readonly dialect: Dialect
  readonly holdMs: number
  /** Hold the whole stream: it becomes one answer. */
  readonly whole: boolean
  readonly clock: Clock
  readonly inflate: Inflate
}

/** A held answer larger than this is opened, whatever it is. */
const mostHeldBytes = 4 * 1024 * 1024
/** A negative answer beyond this is passed on as it comes. */
const mostErrorBytes = 1024 * 1024

export class Incoming implements UpstreamObserver {
  status = 0
  headers = new HeaderList([])
  /** Bytes that arrived before the answer was opened. */
  held: Uint8Array[] = []
  /** Elapsed clock at the first byte of the head, or null. */
  headAt: number | null = null
  reader: StreamReader | null = null
  ended = false
  broken: UpstreamFailure | null = null
  readonly arrival: Promise<Arrival>
  readonly #options: IncomingOptions
  #exchange: UpstreamExchange | null = null
  #settle: ((arrival: Arrival) => void) | null = null
  #sink: Sink | null = null
  #heldBytes = 0
  #cancelHold: () => void = () => {}
  #watch: InflateWatch | null = null

  constructor(options: IncomingOptions) {
    this.#options = options
    this.arrival = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** The connection that feeds this; set right after sending. */
  attach(exchange: UpstreamExchange): void {
    this.#exchange = exchange
  }

  get isStream(): boolean {
    return this.reader !== null
  }

  /** Sends what is held and all that follows to `sink`. */
  flowTo(sink: Sink): void {
    this.#sink = sink
    const held = this.held
    this.held = []
    this.resume()
    for (const bytes of held) sink.data(bytes)
    if (this.broken !== null) sink.failed(this.broken)
    else if (this.ended) sink.end()
  }

  pause(): void {
    this.#exchange?.pause()
  }

  resume(): void {
    this.#exchange?.resume()
  }

  /** Gives the attempt up: settles first, since aborting may report back at once. */
  readonly abort = (): void => {
    this.#cancelHold()
    this.#arrive({ kind: 'left' })
    this.#exchange?.abort()
  }

  head(status: number, rawHeaders: readonly string[]): void {
    this.status = status
    this.headers = new HeaderList(rawHeaders)
    this.headAt = this.#options.clock.elapsedMs()
    if (status < 200 || status > 299) return
    const { dialect, holdMs, clock, inflate, whole } = this.#options
    const encoding = this.headers.get('content-encoding')?.toLowerCase() ?? 'identity'
    if (this.headers.get('content-type')?.includes('text/event-stream') === true) {
      if (encoding !== 'identity') this.#watch = inflate.watch(encoding, (bytes) => this.#observe(bytes))
      // What can't be decoded can't be observed: it passes as it is (T6.2).
      if (encoding === 'identity' || this.#watch !== null) this.reader = streamReader(dialect)
    }
    // Most answers that aren't streams are here whole by then: no timer for those.
    if (!whole) void Promise.resolve().then(() => this.#hold(holdMs, clock))
  }

  #hold(holdMs: number, clock: Clock): void {
    if (this.#settle !== null) this.#cancelHold = clock.after(holdMs, () => this.#arrive({ kind: 'opened' }))
  }

  data(bytes: Uint8Array): void {
    if (this.#watch !== null) this.#watch.push(bytes)
    else this.reader?.push(bytes)
    if (this.#sink !== null) {
      this.#sink.data(bytes)
      return
    }
    this.held.push(bytes)
    this.#heldBytes += bytes.length
    this.#judge()
    // Opened or kept, but nobody takes it yet.
    if (this.#settle === null && this.#heldBytes > mostHeldBytes) this.pause()
  }

  end(): void {
    if (this.#watch === null) this.#ended()
    else {
      void this.#watch.end().then((how) => {
        if (how === 'given-up') this.reader = null
        this.#ended()
      })
    }
  }

  failed(failure: UpstreamFailure): void {
    this.#cancelHold()
    this.broken = failure
    if (this.#sink !== null) this.#sink.failed(failure)
    else if (this.reader?.content === true) this.#arrive({ kind: 'opened' })
    else this.#arrive({ kind: 'broken', failure })
  }

  #ended(): void {
    this.#cancelHold()
    this.ended = true
    if (this.#sink !== null) this.#sink.end()
    else if (this.status < 200 || this.status > 299) this.#arrive({ kind: 'refused' })
    else if (this.reader !== null && !this.reader.complete && this.reader.failure === null && !this.reader.content) {
      // A stream that ends before its first content is as lost as a cut one (F13).
      this.#arrive({ kind: 'broken', failure: { kind: 'cut' } })
    } else this.#judgeEnd()
  }

  #judgeEnd(): void {
    const failure = this.reader?.failure ?? null
    if (failure !== null && this.reader?.content === false) this.#arrive({ kind: 'failed-early', failure })
    else this.#arrive({ kind: 'opened' })
  }

  #observe(plain: Uint8Array): void {
    this.reader?.push(plain)
    if (this.#sink === null) this.#judge()
  }

  /** Looks whether what is held decides the attempt. */
  #judge(): void {
    const { status, reader } = this
    if (status < 200 || status > 299) {
      if (this.#heldBytes > mostErrorBytes) this.#arrive({ kind: 'opened' })
      return
    }
    if (reader !== null && reader.failure !== null && !reader.content) {
      this.#arrive({ kind: 'failed-early', failure: reader.failure })
    } else if (!this.#options.whole && (reader?.content === true || this.#heldBytes > mostHeldBytes)) {
      this.#arrive({ kind: 'opened' })
    }
  }

  #arrive(arrival: Arrival): void {
    const settle = this.#settle
    if (settle === null) return
    this.#settle = null
    this.#cancelHold()
    settle(arrival)
  }
}
