/** The door of answer translation: an upstream's stream or body in one dialect becomes the client's, event by event. */
import type { Dialect } from '../domain/source.ts'
import { CutAtStop } from './cut-at-stop.ts'
import type { KeptThought } from './decode-chat.ts'
import { ChatEvents } from './decode-chat-events.ts'
import { MessagesEvents } from './decode-messages-events.ts'
import { ResponsesEvents } from './decode-responses-events.ts'
import { ChatWriter } from './encode-chat-events.ts'
import { MessagesWriter } from './encode-messages-events.ts'
import { ResponsesWriter } from './encode-responses-events.ts'
import { failureBody, failureStatus } from './failure.ts'
import { shownCallId } from './names.ts'
import {
  type Emit,
  type EventDecoder,
  type EventEncoder,
  type Failure,
  type Key,
  malformed,
  type NeutralEvent,
} from './neutral-events.ts'
import { RestoreTools } from './restore-tools.ts'
import { SseText } from './sse.ts'
import { ThoughtKeeper } from './thought-keeper.ts'
import type { AnswerContext } from './translate-request.ts'
import { type JsonObject, objectIn, parsed } from './value.ts'

const refusalKey = 'refusal-of-nothing'

export interface AnswerIdentity {
  /** What ids are made of; no two answers share it. */
  readonly seed: string
  readonly createdS: number
}

export class AnswerTranslation {
  readonly #context: AnswerContext
  readonly #encoder: EventEncoder
  readonly #decoder: EventDecoder
  #sse = this.#newSse()
  readonly #cutter: CutAtStop
  readonly #thoughts = new ThoughtKeeper()
  /** Events of the upstream so far; its pings are none. */
  heard = 0
  #out = ''
  #started = false
  /** What comes now has no end of its own: it may be half an event. */
  #ending = false
  #failure: Failure | null = null
  #finished = false
  readonly #lost = new Set<string>()
  readonly #openCalls = new Set<Key>()
  /** Anything that the person reads was said. */
  #spoke = false

  constructor(context: AnswerContext, identity: AnswerIdentity) {
    this.#context = context
    this.#encoder = encoderFor(context, identity)
    const restore = new RestoreTools(context.tools, (event) => this.#write(event))
    this.#cutter = new CutAtStop(context.stops, (event) => restore.pass(event))
    let calls = 0
    const newId = (): string => {
      calls += 1
      return `${context.client === 'messages' ? 'toolu' : 'call'}_${identity.seed}_${calls}`
    }
    const shown = new Set<string>()
    /** Legal, and not the id of another call in the same answer. */
    const named = (event: NeutralEvent): NeutralEvent => {
      if (event.kind !== 'open' || event.part !== 'call') return event
      const own = shownCallId(context.client, event.callId, newId)
      const callId = shown.has(own) ? newId() : own
      shown.add(callId)
      return { ...event, callId }
    }
    const hear: Emit = (event) => {
      this.heard += 1
      this.#cutter.pass(named(event))
    }
    this.#decoder = decoderFor(context, hear, newId)
  }

  /** The dialect's own end was written, good or bad. */
  get over(): boolean {
    return this.#finished || this.#failure !== null
  }

  /** Codes of what the answer held and this client can't be told. */
  get lost(): readonly string[] {
    return [...new Set([...this.#decoder.lost, ...this.#lost, ...(this.#encoder.lost ?? [])])]
  }

  get failure(): Failure | null {
    return this.#failure
  }

  /** What was said before the upstream paused its turn; null unless it can be asked to go on (bridge §2.2). */
  get paused(): readonly JsonObject[] | null {
    return this.#decoder instanceof MessagesEvents && !this.over ? this.#decoder.paused : null
  }

  /** What is pushed from here on is the answer to the request that goes on. */
  goOn(): void {
    this.#sse = this.#newSse()
    this.#ending = false
    if (this.#decoder instanceof MessagesEvents) this.#decoder.goOn()
  }

  /** Nobody goes on. */
  endPaused(): string {
    return this.#guarded(() => {
      if (this.#decoder instanceof MessagesEvents) this.#decoder.endPaused()
    })
  }

  /** A stop sequence was met: the rest of the upstream's answer is wanted by nobody. */
  get cut(): boolean {
    return this.#cutter.cut
  }

  /** Thoughts that a Chat client can't carry, by the id of the call they led to. */
  get kept(): readonly (readonly [string, readonly KeptThought[]])[] {
    return this.#context.client === 'chat' && this.#finished ? this.#thoughts.kept() : []
  }

  /** What the client is sent for these bytes; whole events, possibly none. */
  push(bytes: Uint8Array): string {
    return this.#guarded(() => this.#sse.push(bytes))
  }

  /** The upstream's clean end. */
  end(): string {
    return this.#guarded(() => {
      this.#ending = true
      this.#sse.end()
      if (!this.over) this.#decoder.end()
    })
  }

  /** The upstream broke off, or something else went wrong here. */
  fail(failure: Failure): string {
    return this.#guarded(() => this.#cutter.pass({ kind: 'fail', failure }))
  }

  /** A comment, where the client would take silence for death; never inside an event. */
  heartbeat(): string {
    if (this.over) return ''
    const isMessages = this.#context.client === 'messages' && this.#started
    return isMessages ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': keep-alive\n\n'
  }

  /** Feeds a whole body of the upstream through the same events. */
  whole(body: string): string {
    return this.#guarded(() => {
      const value = objectIn(parsed(body))
      if (value === null) this.#cutter.pass({ kind: 'fail', failure: malformed })
      else feedWhole(this.#context.upstream, value, this.#decoder)
    })
  }

  /** Status and body for a client that wants one answer; after the upstream's end. */
  unary(): { readonly status: number; readonly body: Record<string, unknown> } {
    const { client } = this.#context
    const failure = this.#failure ?? (this.#finished ? null : malformed)
    if (failure !== null) return { status: failureStatus(client, failure), body: failureBody(client, failure) }
    return { status: 200, body: this.#encoder.whole() }
  }

  #guarded(act: () => void): string {
    if (this.over) return ''
    try {
      act()
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      if (!this.over) this.#write({ kind: 'fail', failure: malformed })
    }
    const out = this.#out
    this.#out = ''
    return out
  }

  #newSse(): SseText {
    return new SseText((data) => this.#event(data))
  }

  #event(data: string): void {
    if (this.over) return
    if (data.startsWith('[DONE]')) {
      this.#decoder.doneMark()
      return
    }
    const value = objectIn(parsed(data))
    if (value === null) this.#unreadable()
    else this.#decoder.event(value)
  }

  #unreadable(): void {
    if (!this.#ending) this.#cutter.pass({ kind: 'fail', failure: malformed })
  }

  #write(event: NeutralEvent): void {
    if (this.over) return
    if (!this.#started && event.kind !== 'start' && event.kind !== 'fail') this.#begin()
    if (event.kind === 'start') {
      if (this.#started) return
      this.#started = true
    }
    // A failed Responses answer needs its beginning; the others say an error by itself.
    if (event.kind === 'fail' && !this.#started && this.#context.client === 'responses') this.#begin()
    if (event.kind === 'open') this.#spoke ||= event.part === 'text' || event.part === 'refusal'
    if (event.kind === 'finish' && event.stop === 'refusal' && !this.#spoke) this.#refuse()
    if (event.kind === 'fail') this.#failure = event.failure
    if (event.kind === 'open' && event.part === 'call') this.#openCalls.add(event.key)
    if (event.kind === 'close') this.#openCalls.delete(event.key)
    if (event.kind === 'finish') this.#finished = true
    if (event.kind === 'finish' && this.#openCalls.size > 0) this.#lost.add('call_cut_off')
    if (event.kind === 'search' && this.#context.client !== 'messages') this.#lost.add('server_tool_hidden')
    this.#thoughts.see(event)
    this.#out += this.#encoder.write(event)
  }

  /** A turn without a word makes agents ask again and again. */
  #refuse(): void {
    this.#write({ kind: 'open', key: refusalKey, part: 'refusal' })
    this.#write({ kind: 'delta', key: refusalKey, text: 'The model declined to answer.' })
    this.#write({ kind: 'close', key: refusalKey })
  }

  #begin(): void {
    this.#started = true
    this.#out += this.#encoder.write({ kind: 'start' })
  }
}

function decoderFor({ upstream, mayPause }: AnswerContext, emit: Emit, newId: () => string): EventDecoder {
  switch (upstream) {
    case 'messages':
      return new MessagesEvents(emit, mayPause)
    case 'responses':
      return new ResponsesEvents(emit, newId)
    case 'chat':
      return new ChatEvents(emit, newId)
  }
}

function encoderFor(context: AnswerContext, { seed, createdS }: AnswerIdentity): EventEncoder {
  const { client, model, issuer, echo, wantsUsage } = context
  switch (client) {
    case 'messages':
      return new MessagesWriter({ id: `msg_${seed}`, model, issuer })
    case 'responses':
      return new ResponsesWriter({ seed, model, createdS, issuer, echo })
    case 'chat':
      return new ChatWriter({ id: `chatcmpl-${seed}`, model, createdS, wantsUsage })
  }
}

/** A body as the events that would have made it, so that both ways agree by construction. */
function feedWhole(upstream: Dialect, body: Readonly<Record<string, unknown>>, decoder: EventDecoder): void {
  switch (upstream) {
    case 'messages': {
      if (body.type === 'error' || objectIn(body.error) !== null) {
        decoder.event({ ...body, type: 'error' })
        return
      }
      decoder.event({ type: 'message_start', message: body })
      const blocks = Array.isArray(body.content) ? (body.content as readonly unknown[]) : []
      for (const [index, block] of blocks.entries()) {
        decoder.event({ type: 'content_block_start', index, content_block: block })
        decoder.event({ type: 'content_block_stop', index })
      }
      decoder.event({ type: 'message_delta', delta: body, usage: body.usage })
      decoder.event(Array.isArray(body.content) ? { type: 'message_stop' } : { type: 'error' })
      return
    }
    case 'responses': {
      const isRunning = body.status === 'queued' || body.status === 'in_progress'
      const failed = isRunning || (body.error !== null && body.error !== undefined)
      if (failed || !Array.isArray(body.output))
        decoder.event({ type: 'response.failed', response: body, error: body.error })
      else decoder.event({ type: 'response.completed', response: body })
      return
    }
    case 'chat':
      decoder.event(body)
      decoder.end()
  }
}
