/**
 * Relay of an answer in another dialect: decodes events, encodes them anew, and says failures in the client's own
 * style. Comments keep a silent stream alive; the end waits for its row, as everywhere (bridge §3, routing §6).
 */
import { unaryUsage } from '../dialects/answer.ts'
import { bytesOf } from '../dialects/json.ts'
import type { Outcome } from '../domain/call.ts'
import type { Usage } from '../domain/usage.ts'
import type { Exchange } from '../ports.ts'
import { cutShort } from '../translate/neutral-events.ts'
import { AnswerTranslation } from '../translate/translate-answer.ts'
import { noUsage, sumOf } from '../translate/usage.ts'
import type { JsonObject } from '../translate/value.ts'
import type { Call } from './10-ingress.ts'
import type { Delivered } from './delivered.ts'
import type { FlowDeps } from './flow-deps.ts'
import type { GoOn } from './go-on.ts'
import type { Opened, SentTranslation } from './opened.ts'
import { thoughtsOwner, wholeText } from './prepare.ts'
import { translatedHeaders, translatedRefusal } from './translated-head.ts'

const heartbeatMs = 15_000
/** Without one event for so long an upstream is dead, whatever it pings (bridge §3.1). */
const idleMs = 300_000
/** A whole answer beyond this is not one. */
const mostWholeBytes = 64 * 1024 * 1024

export function deliverTranslated(
  opened: Opened,
  translation: SentTranslation,
  call: Call,
  io: Exchange,
  deps: FlowDeps,
  goOn: GoOn,
): Promise<Delivered> {
  const { status } = opened.incoming
  if (status < 200 || status > 299) return translatedRefusal(opened, translation, io, deps)
  return new TranslatedRelay(opened, translation, call, io, deps, goOn).run()
}

class TranslatedRelay {
  /** Another one for each time that the vendor paused the turn. */
  #opened: Opened
  readonly #translation: SentTranslation
  readonly #call: Call
  readonly #io: Exchange
  readonly #deps: FlowDeps
  readonly #goOn: GoOn
  readonly #answer: AnswerTranslation
  /** For an upstream that answers in one piece. */
  #pieces: Uint8Array[] = []
  /** Of the requests before the one that runs; null when it is the first. */
  #usageBefore: Usage | null = null
  #wentOn = false
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

  constructor(opened: Opened, translation: SentTranslation, call: Call, io: Exchange, deps: FlowDeps, goOn: GoOn) {
    this.#opened = opened
    this.#goOn = goOn
    this.#translation = translation
    this.#call = call
    this.#io = io
    this.#deps = deps
    const identity = { seed: call.id.replace(/[^A-Za-z0-9]/g, ''), createdS: Math.floor(call.startedMs / 1_000) }
    this.#answer = new AnswerTranslation(translation.context, identity)
    this.#heardAt = deps.clock.elapsedMs()
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
      this.#beat()
      this.#take(this.#opened)
    })
  }

  /** What still comes of an answer whose turn was paused is wanted by nobody. */
  #take(opened: Opened): void {
    const { incoming } = opened
    const ifCurrent = (act: () => void): void => {
      if (opened === this.#opened && this.#answer.paused === null) act()
    }
    const encoding = incoming.headers.get('content-encoding')?.toLowerCase() ?? 'identity'
    const plain = (bytes: Uint8Array): void => ifCurrent(() => this.#plain(bytes))
    const end = (): void => ifCurrent(() => this.#end())
    const watch = encoding === 'identity' ? null : this.#deps.inflate.watch(encoding, plain)
    incoming.flowTo({
      data: (bytes) => (watch === null ? plain(bytes) : watch.push(bytes)),
      end: () => (watch === null ? end() : void watch.end().then(end)),
      failed: () => ifCurrent(() => this.#failed()),
    })
  }

  async #continue(said: readonly JsonObject[]): Promise<void> {
    const usage = this.#ownUsage()
    const paused = { opened: this.#opened, translation: this.#translation, said, usage }
    const next = await this.#goOn(paused).catch((cause: unknown) => {
      this.#deps.log.fault('turn-not-gone-on', cause)
      return null
    })
    if (this.#settled) {
      next?.incoming.abort()
      return
    }
    if (next === null) {
      this.#send(this.#answer.endPaused())
      return
    }
    this.#wentOn = true
    this.#usageBefore = sumOf(this.#usageBefore ?? noUsage, usage ?? noUsage)
    this.#pieces = []
    this.#size = 0
    this.#opened = next
    this.#answer.goOn()
    if (this.#waiting) next.incoming.pause()
    this.#take(next)
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

  #failed(): void {
    if (!this.#settled) this.#send(this.#answer.fail(cutShort))
  }

  /** Text of whole events; the one that ends the answer waits for its row. */
  #send(text: string): void {
    if (this.#settled) return
    if (this.#answer.over) {
      this.#finish(text)
      return
    }
    if (text !== '' && this.#call.stream) this.#write(text)
    const { paused } = this.#answer
    if (paused !== null) void this.#continue(paused)
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
      const isSilent = this.#settled || this.#waiting || !this.#call.stream
      const text = isSilent ? '' : this.#answer.heartbeat()
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
    // An answer in one piece says nothing before it is there.
    const isWhole = !this.#call.stream && !this.#isEvents
    return nowAt - this.#heardAt > idleMs && !this.#waiting && !isWhole
  }

  #begin(status: number, contentType: string, length: number | null): void {
    if (this.#begun) return
    this.#begun = true
    this.#firstByteAt = this.#deps.clock.elapsedMs()
    const lost = [...this.#translation.warnings.map(({ code }) => code), ...this.#answer.lost]
    const headers = translatedHeaders(this.#opened.incoming.headers.raw, this.#call.dialect, contentType, lost)
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
    this.#resolve({ outcome, status, ...this.#usages(), firstByteAt, bytesOut: this.#bytesOut, release })
  }

  readonly #leave = (): void => {
    this.#opened.incoming.abort()
    if (this.#settled) return
    this.#settled = true
    this.#cancelBeat()
    const bytesOut = this.#bytesOut
    const status = this.#begun ? 200 : null
    this.#resolve({
      outcome: 'client-left',
      status,
      ...this.#usages(),
      firstByteAt: this.#firstByteAt,
      bytesOut,
      release: () => {},
    })
  }

  /** Of the whole turn, and where it took several requests, of the last one by itself. */
  #usages(): Pick<Delivered, 'usage' | 'wentOn'> {
    const own = this.#ownUsage()
    if (!this.#wentOn) return { usage: own }
    return { usage: sumOf(this.#usageBefore ?? noUsage, own ?? noUsage), wentOn: { opened: this.#opened, usage: own } }
  }

  #ownUsage(): Usage | null {
    const { reader } = this.#opened.incoming
    if (reader !== null) return reader.usage()
    return this.#pieces.length === 0 ? null : unaryUsage(this.#translation.dialect, this.#pieces)
  }
}
