/**
 * Relay of an answer in another dialect: decodes events, encodes them anew, and says failures in the client's own
 * style. Comments keep a silent stream alive; the end waits for its row, as everywhere (bridge §3, routing §6).
 */
import { unaryUsage } from '../dialects/answer.ts'
import { bytesOf } from '../dialects/json.ts'
import type { Outcome } from '../domain/call.ts'
import type { Usage } from '../domain/usage.ts'
import type { Exchange, UpstreamFailure } from '../ports.ts'
import { failureBody, failureOfAnswer, failureStatus } from '../translate/failure.ts'
import { cutShort } from '../translate/neutral-events.ts'
import { AnswerTranslation } from '../translate/translate-answer.ts'
import type { Call } from './10-ingress.ts'
import type { Delivered } from './70-relay.ts'
import { bodyText } from './execution.ts'
import type { FlowDeps } from './flow-deps.ts'
import type { Opened, Translation } from './opened.ts'
import { thoughtsOwner, wholeText } from './prepare.ts'

const heartbeatMs = 15_000
/** Without one event for so long an upstream is dead, whatever it pings (bridge §3.1). */
const idleMs = 300_000
/** A whole answer beyond this is not one. */
const mostWholeBytes = 64 * 1024 * 1024

export function deliverTranslated(
  opened: Opened,
  translation: Translation,
  call: Call,
  io: Exchange,
  deps: FlowDeps,
): Promise<Delivered> {
  const { status } = opened.incoming
  if (status < 200 || status > 299) return refusal(opened, translation, io, deps)
  return new TranslatedRelay(opened, translation, call, io, deps).run()
}

/** A negative answer of the vendor, translated by class. */
async function refusal(
  { incoming }: Opened,
  { context }: Translation,
  io: Exchange,
  deps: FlowDeps,
): Promise<Delivered> {
  const failure = failureOfAnswer(incoming.status, await bodyText(incoming, deps.inflate))
  const body = bytesOf(JSON.stringify(failureBody(context.client, failure)))
  const status = failureStatus(context.client, failure)
  const headers = headersOf(incoming.headers.raw, 'application/json', [])
  incoming.abort()
  return {
    outcome: 'failed',
    status,
    usage: null,
    firstByteAt: deps.clock.elapsedMs(),
    bytesOut: body.length,
    release() {
      if (io.gone.aborted) return
      io.begin(status, [...headers, 'content-length', String(body.length)])
      io.end(body)
    },
  }
}

const passed: ReadonlySet<string> = new Set([
  'retry-after',
  'retry-after-ms',
  'request-id',
  'x-request-id',
  'x-oai-request-id',
])

/** Another vendor's limits mean nothing to this client; when to ask again does (bridge §2.4). */
function headersOf(raw: readonly string[], contentType: string, warnings: Translation['warnings']): string[] {
  const headers = ['content-type', contentType, 'cache-control', 'no-cache']
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (passed.has(raw[at]?.toLowerCase() ?? '')) headers.push(raw[at] ?? '', raw[at + 1] ?? '')
  }
  const codes = [...new Set(warnings.map(({ code }) => code))].slice(0, 32).join(',')
  if (codes !== '') headers.push('x-pointsman-warnings', codes)
  return headers
}

class TranslatedRelay {
  readonly #opened: Opened
  readonly #translation: Translation
  readonly #call: Call
  readonly #io: Exchange
  readonly #deps: FlowDeps
  readonly #answer: AnswerTranslation
  /** For an upstream that answers in one piece. */
  readonly #pieces: Uint8Array[] = []
  readonly #watch: ReturnType<FlowDeps['inflate']['watch']>
  #resolve: (delivered: Delivered) => void = () => {}
  #cancelBeat: () => void = () => {}
  #heardAt: number
  #heard = 0
  #size = 0
  #settled = false
  #begun = false
  #waiting = false
  #firstByteAt: number | null = null
  #bytesOut = 0

  constructor(opened: Opened, translation: Translation, call: Call, io: Exchange, deps: FlowDeps) {
    this.#opened = opened
    this.#translation = translation
    this.#call = call
    this.#io = io
    this.#deps = deps
    const identity = { seed: call.id.replace(/[^A-Za-z0-9]/g, ''), createdS: Math.floor(call.startedMs / 1_000) }
    this.#answer = new AnswerTranslation(translation.context, identity)
    this.#heardAt = deps.clock.elapsedMs()
    const encoding = opened.incoming.headers.get('content-encoding')?.toLowerCase() ?? 'identity'
    this.#watch = encoding === 'identity' ? null : deps.inflate.watch(encoding, (plain) => this.#plain(plain))
  }

  run(): Promise<Delivered> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      if (this.#io.gone.aborted) {
        this.#leave()
        return
      }
      this.#io.gone.addEventListener('abort', this.#leave, { once: true })
      this.#io.onDrain(() => this.#drained())
      if (this.#call.stream) this.#beat()
      this.#opened.incoming.flowTo({
        data: (bytes) => (this.#watch === null ? this.#plain(bytes) : this.#watch.push(bytes)),
        end: () => (this.#watch === null ? this.#end() : void this.#watch.end().then(() => this.#end())),
        failed: (failure) => this.#failed(failure),
      })
    })
  }

  get #isEvents(): boolean {
    return this.#opened.incoming.headers.get('content-type')?.includes('text/event-stream') === true
  }

  #plain(bytes: Uint8Array): void {
    if (this.#settled) return
    if (this.#isEvents) {
      this.#send(this.#answer.push(bytes))
      return
    }
    this.#size += bytes.length
    this.#pieces.push(bytes)
    if (this.#size > mostWholeBytes) this.#send(this.#answer.fail(cutShort))
  }

  #end(): void {
    if (this.#settled) return
    if (this.#isEvents) this.#send(this.#answer.end())
    else this.#send(this.#answer.whole(wholeText({ pieces: this.#pieces, length: this.#size })))
  }

  #failed(_failure: UpstreamFailure): void {
    if (!this.#settled) this.#send(this.#answer.fail(cutShort))
  }

  /** Text of whole events; the one that ends the answer waits for its row. */
  #send(text: string): void {
    if (this.#settled) return
    if (this.#answer.over) this.#finish(text)
    else if (text !== '' && this.#call.stream) this.#write(text)
  }

  #finish(text: string): void {
    const { failure } = this.#answer
    const whole = !this.#call.stream || (failure !== null && !this.#begun)
    this.#keepThoughts()
    if (whole) {
      const { status, body } = this.#answer.unary()
      this.#settle(this.#outcome(), status, bytesOf(JSON.stringify(body)), 'application/json')
      return
    }
    this.#settle(this.#outcome(), 200, bytesOf(text), 'text/event-stream')
  }

  #outcome(): Outcome {
    if (this.#answer.failure === null) return 'done'
    if (this.#answer.failure === cutShort) return 'truncated'
    return this.#begun ? 'error-midstream' : 'failed'
  }

  #keepThoughts(): void {
    const { kept } = this.#answer
    const { issuer } = this.#translation.context
    if (kept.length > 0) this.#deps.thoughts.keep(thoughtsOwner(this.#call, issuer), kept)
  }

  #write(text: string): void {
    this.#begin(200, 'text/event-stream', null)
    const bytes = bytesOf(text)
    this.#bytesOut += bytes.length
    this.#beat()
    if (this.#io.write(bytes) || this.#waiting) return
    this.#waiting = true
    this.#opened.incoming.pause()
  }

  #drained(): void {
    this.#waiting = false
    this.#opened.incoming.resume()
  }

  /** Between events only; an upstream that says nothing but pings is not kept alive by it. */
  #beat(): void {
    this.#cancelBeat()
    this.#cancelBeat = this.#deps.clock.after(heartbeatMs, () => {
      if (this.#isDead()) {
        this.#send(
          this.#answer.fail({ class: 'timeout', message: 'The upstream stopped in the middle of its answer.' }),
        )
        return
      }
      const text = this.#settled || this.#waiting ? '' : this.#answer.heartbeat()
      if (text !== '') this.#write(text)
      else if (!this.#settled) this.#beat()
    })
  }

  #isDead(): boolean {
    const nowAt = this.#deps.clock.elapsedMs()
    if (this.#answer.heard !== this.#heard) {
      this.#heard = this.#answer.heard
      this.#heardAt = nowAt
    }
    return nowAt - this.#heardAt > idleMs && !this.#waiting
  }

  #begin(status: number, contentType: string, length: number | null): void {
    if (this.#begun) return
    this.#begun = true
    this.#firstByteAt = this.#deps.clock.elapsedMs()
    const headers = headersOf(this.#opened.incoming.headers.raw, contentType, this.#translation.warnings)
    headers.push('x-pointsman-model', this.#opened.candidate.backend.upstreamModel)
    if (length !== null) headers.push('content-length', String(length))
    this.#io.begin(status, headers)
  }

  #settle(outcome: Outcome, status: number, last: Uint8Array, contentType: string): void {
    this.#settled = true
    this.#translation.lost.push(...this.#answer.lost)
    this.#cancelBeat()
    this.#bytesOut += last.length
    const release = (): void => {
      // What an upstream still sends after its end, or after a stop sequence, is wanted by nobody.
      if (!this.#opened.incoming.ended && (this.#answer.cut || this.#answer.failure !== null))
        this.#opened.incoming.abort()
      if (this.#io.gone.aborted) return
      this.#begin(status, contentType, contentType === 'application/json' ? last.length : null)
      this.#io.end(last)
    }
    const firstByteAt = this.#firstByteAt ?? this.#deps.clock.elapsedMs()
    this.#resolve({ outcome, status, usage: this.#usage(), firstByteAt, bytesOut: this.#bytesOut, release })
  }

  readonly #leave = (): void => {
    this.#opened.incoming.abort()
    if (this.#settled) return
    this.#settled = true
    this.#cancelBeat()
    const bytesOut = this.#bytesOut
    const status = this.#begun ? 200 : null
    const usage = this.#opened.incoming.reader?.usage() ?? null
    this.#resolve({
      outcome: 'client-left',
      status,
      usage,
      firstByteAt: this.#firstByteAt,
      bytesOut,
      release: () => {},
    })
  }

  #usage(): Usage | null {
    const { reader } = this.#opened.incoming
    if (reader !== null) return reader.usage()
    return this.#pieces.length === 0 ? null : unaryUsage(this.#translation.dialect, this.#pieces)
  }
}
