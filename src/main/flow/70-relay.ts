/**
 * Relay: passes an opened answer on, byte for byte, with back pressure and abort both ways, and observes a copy. The
 * last chunk is handed to stage 80, which commits the row and then releases it (architecture, "Store").
 */
import { aggregateResponses, failureAnswer } from '../dialects/aggregate.ts'
import { unaryUsage } from '../dialects/answer.ts'
import { bytesOf } from '../dialects/json.ts'
import { isCutShort } from '../dialects/scan.ts'
import type { Outcome } from '../domain/call.ts'
import type { Usage } from '../domain/usage.ts'
import type { Clock, Exchange, UpstreamFailure } from '../ports.ts'
import { inboundHeaders } from '../providers/index.ts'
import type { Call } from './10-ingress.ts'
import type { Opened } from './60-attempt.ts'
import type { Delivered } from './delivered.ts'
import type { FlowDeps } from './flow-deps.ts'
import type { GoOn } from './go-on.ts'
import type { Incoming } from './incoming.ts'
import { deliverTranslated } from './translated-relay.ts'

/** A promise only where the answer still arrives. */
export function deliver(
  opened: Opened,
  call: Call,
  io: Exchange,
  deps: FlowDeps,
  goOn: GoOn,
): Delivered | Promise<Delivered> {
  if (opened.translation !== null) return deliverTranslated(opened, opened.translation, call, io, deps, goOn)
  // A negative answer to a unary caller is whole as it is: only a stream is put together.
  if (opened.aggregate && opened.incoming.reader !== null) return aggregated(opened, io, deps.clock)
  return new Relay(opened, call, io, deps.clock).run()
}

/** One answer made of a stream: the only case in which the body isn't the upstream's own bytes. */
function aggregated({ incoming }: Opened, io: Exchange, clock: Clock): Delivered {
  const usage = incoming.reader?.usage() ?? null
  const failure = incoming.reader?.failure ?? null
  const whole = incoming.reader?.complete === true ? aggregateResponses(incoming.held) : null
  const answer = failure !== null ? failureAnswer(failure) : { status: incoming.status, body: whole }
  const { status, body } = answer
  if (body === null) {
    io.cut()
    return { outcome: 'truncated', status: null, usage, firstByteAt: null, bytesOut: 0, release: () => {} }
  }
  const kept = withoutHeader(inboundHeaders(incoming.headers.raw), 'content-type')
  const headers = [...kept, 'content-type', 'application/json', 'content-length', String(body.length)]
  const release = (): void => {
    if (io.gone.aborted) return
    io.begin(status, headers)
    io.end(body)
  }
  return {
    outcome: failure === null ? 'done' : 'failed',
    status,
    usage,
    firstByteAt: clock.elapsedMs(),
    bytesOut: body.length,
    release,
  }
}

function withoutHeader(headers: readonly string[], name: string): string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() !== name) kept.push(headers[i] ?? '', headers[i + 1] ?? '')
  }
  return kept
}

/** A unary answer up to here is kept for its usage. */
const mostKeptBytes = 8 * 1024 * 1024

class Relay {
  readonly #incoming: Incoming
  readonly #call: Call
  readonly #io: Exchange
  readonly #clock: Clock
  #resolve: (delivered: Delivered) => void = () => {}
  #delivered: Delivered | null = null
  #begun = false
  #released = false
  /** Bytes kept back until the row is committed; null while everything flows. */
  #last: Uint8Array[] | null = null
  #finished = false
  #firstByteAt: number | null = null
  #bytesOut = 0
  /** For a unary answer: kept whole while small, for its usage. */
  #pieces: Uint8Array[] | null = []
  #waiting = false

  constructor(opened: Opened, call: Call, io: Exchange, clock: Clock) {
    this.#incoming = opened.incoming
    this.#call = call
    this.#io = io
    this.#clock = clock
  }

  run(): Delivered | Promise<Delivered> {
    if (this.#io.gone.aborted) this.#leave()
    else {
      this.#io.gone.addEventListener('abort', this.#leave, { once: true })
      this.#io.onDrain(() => this.#drained())
      this.#incoming.flowTo({
        data: (bytes) => this.#data(bytes),
        end: () => this.#end(),
        failed: (failure) => this.#failed(failure),
      })
    }
    return (
      this.#delivered ??
      new Promise((resolve) => {
        this.#resolve = resolve
      })
    )
  }

  #data(bytes: Uint8Array): void {
    this.#bytesOut += bytes.length
    if (this.#last !== null && !this.#released) {
      this.#last.push(bytes)
      return
    }
    const { reader } = this.#incoming
    if (reader === null) {
      this.#unary(bytes)
      return
    }
    if (!this.#settled && this.#isTerminal()) {
      this.#last = [bytes]
      this.#settle(reader.complete ? 'done' : reader.content ? 'error-midstream' : 'failed', reader.usage())
      return
    }
    this.#write(bytes)
  }

  get #settled(): boolean {
    return this.#delivered !== null
  }

  /** The dialect's end marker or a failure event has been seen: what is written now is the end. */
  #isTerminal(): boolean {
    const { reader } = this.#incoming
    return reader !== null && (reader.complete || reader.failure !== null)
  }

  /** A unary answer waits whole for its row when it is already here; a long one flows. */
  #unary(bytes: Uint8Array): void {
    const pieces = this.#pieces
    pieces?.push(bytes)
    if (pieces !== null && this.#bytesOut > mostKeptBytes) {
      this.#pieces = null
      for (const piece of this.#begun ? [bytes] : pieces) this.#write(piece)
      return
    }
    if (pieces === null || this.#begun || !this.#incoming.ended) this.#write(bytes)
  }

  #end(): void {
    this.#finished = true
    if (this.#settled) {
      if (this.#released) this.#io.end()
      return
    }
    const { reader, status } = this.#incoming
    const ok = status >= 200 && status < 300
    if (reader !== null && !this.#isTerminal() && ok) {
      this.#cut('truncated')
      return
    }
    if (ok && this.#endedEarly()) {
      this.#cut('truncated')
      return
    }
    const whole = !this.#begun ? this.#pieces : null
    this.#last = whole ?? []
    const outcome: Outcome = !ok || reader?.failure != null ? 'failed' : 'done'
    this.#settle(outcome, this.#usage(ok))
  }

  /** A body that only the connection's end delimits looks complete wherever it was cut (T6.3). */
  #endedEarly(): boolean {
    const { reader, headers } = this.#incoming
    if (reader !== null || this.#pieces === null || headers.has('content-encoding')) return false
    if (headers.has('content-length') || headers.has('transfer-encoding')) return false
    return headers.get('content-type')?.includes('json') === true && isCutShort(this.#pieces)
  }

  #failed(_failure: UpstreamFailure): void {
    if (this.#settled) {
      // Everything that counts had arrived; the connection's end is not the answer's.
      this.#finished = true
      if (this.#released) this.#io.end()
      return
    }
    this.#cut('truncated')
  }

  /** The client must see a cut, never a clean end (F12, F13). */
  #cut(outcome: Outcome): void {
    const status = this.#begun ? this.#incoming.status : null
    this.#io.cut()
    this.#settle(outcome, this.#incoming.reader?.usage() ?? null, status)
  }

  readonly #leave = (): void => {
    if (this.#settled) {
      this.#incoming.abort()
      return
    }
    this.#incoming.abort()
    this.#settle('client-left', this.#incoming.reader?.usage() ?? null, this.#begun ? this.#incoming.status : null)
  }

  #usage(ok: boolean): Usage | null {
    if (!ok) return null
    const { reader, headers } = this.#incoming
    if (reader !== null) return reader.usage()
    if (headers.has('content-encoding') || this.#pieces === null) return null
    return unaryUsage(this.#call.dialect, this.#pieces)
  }

  #write(bytes: Uint8Array): void {
    this.#begin(null)
    if (!this.#io.write(bytes) && !this.#waiting) {
      this.#waiting = true
      this.#incoming.pause()
    }
  }

  #drained(): void {
    this.#waiting = false
    this.#incoming.resume()
  }

  #begin(length: number | null): void {
    if (this.#begun) return
    this.#begun = true
    this.#firstByteAt = this.#clock.elapsedMs()
    const headers = inboundHeaders(this.#incoming.headers.raw)
    if (length !== null) headers.push('content-length', String(length))
    this.#io.begin(this.#incoming.status, headers)
  }

  #settle(outcome: Outcome, usage: Usage | null, status: number | null = this.#incoming.status): void {
    if (this.#settled) return
    const firstByteAt = this.#firstByteAt ?? (outcome === 'client-left' ? null : this.#clock.elapsedMs())
    const release = (): void => this.#release()
    this.#delivered = { outcome, status, usage, firstByteAt, bytesOut: this.#bytesOut, release }
    this.#resolve(this.#delivered)
  }

  /** The row is committed: the last bytes go, and the clean end if the upstream has ended. */
  #release(): void {
    if (this.#released) return
    this.#released = true
    const last = this.#last
    if (last === null || this.#io.gone.aborted) return
    this.#last = null
    if (this.#finished && !this.#begun) {
      const length = last.reduce((sum, bytes) => sum + bytes.length, 0)
      this.#begin(length)
    }
    // Bytes and end in one go: one write to the socket less to arrange.
    const final = this.#finished ? last.pop() : undefined
    for (const bytes of last) this.#write(bytes)
    if (this.#finished) this.#io.end(final)
  }
}

/** A short answer of Pointsman's own. */
export function deliverOwn(
  io: Exchange,
  status: number,
  headers: readonly string[],
  body: Uint8Array | string,
): number {
  const bytes = typeof body === 'string' ? bytesOf(body) : body
  io.begin(status, headers)
  if (bytes.length === 0) io.end()
  else io.end(bytes)
  return bytes.length
}
