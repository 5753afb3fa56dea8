/** Writes an answer as Chat Completions chunks (bridge §3.5). */
import { failureBody } from './failure.ts'
import { chatTokens, type Token } from './logprobs.ts'
import type { EventEncoder, Key, NeutralEvent, Stop } from './neutral-events.ts'
import { chunk } from './sse.ts'
import { chatUsage, noUsage } from './usage.ts'

type Open = Extract<NeutralEvent, { kind: 'open' }>

interface Part {
  readonly open: Open
  /** Among the calls that were sent; -1 for anything else. */
  ordinal: number
  text: string
  /** Not so a call that was cut off: it is left out of a whole answer. */
  finished: boolean
}

export interface ChatIdentity {
  readonly id: string
  readonly model: string
  readonly createdS: number
  readonly wantsUsage: boolean
}

const reasons: Readonly<Record<Stop, string>> = {
  end: 'stop',
  calls: 'tool_calls',
  length: 'length',
  sequence: 'stop',
  refusal: 'content_filter',
  pause: 'length',
}

const separator = '\n\n'
const fields = { text: 'content', refusal: 'refusal', thinking: 'reasoning_content', redacted: '' } as const

export class ChatWriter implements EventEncoder {
  readonly #identity: ChatIdentity
  readonly #parts = new Map<Key, Part>()
  readonly #all: Part[] = []
  #calls = 0
  #usage = noUsage
  #stop: Stop = 'end'
  /** Of the next piece of text. */
  #waiting: readonly Token[] = []
  readonly #tokens: Token[] = []
  readonly #said = { content: '', refusal: '', reasoning_content: '' }

  constructor(identity: ChatIdentity) {
    this.#identity = identity
  }

  write(event: NeutralEvent): string {
    switch (event.kind) {
      case 'start':
        return this.#chunk({ role: 'assistant', content: '' }, null)
      case 'open':
        return this.#open(event)
      case 'delta':
        return this.#delta(event.key, event.text)
      case 'close':
        return this.#close(event.key)
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'finish':
        return this.#finish(event.stop)
      case 'fail':
        return chunk(failureBody('chat', event.failure))
      case 'seal':
        return ''
      case 'search':
        return ''
      case 'logprobs':
        this.#waiting = event.tokens
        return ''
    }
  }

  whole(): Record<string, unknown> {
    const { content, refusal, reasoning_content: thoughts } = this.#said
    const calls = this.#all.filter((part) => part.ordinal >= 0 && part.finished).map((part) => this.#call(part, true))
    const message = {
      role: 'assistant',
      content: content === '' ? null : content,
      refusal: refusal === '' ? null : refusal,
      ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    }
    const logprobs = this.#tokens.length === 0 ? null : { content: chatTokens(this.#tokens), refusal: null }
    const choice = { index: 0, message, logprobs, finish_reason: reasons[this.#stop] }
    return { ...this.#head('chat.completion'), choices: [choice], usage: chatUsage(this.#usage) }
  }

  #head(object: string): object {
    const { id, model, createdS } = this.#identity
    return { id, object, created: createdS, model }
  }

  #chunk(delta: object, reason: string | null, tokens: readonly Token[] = []): string {
    const logprobs = tokens.length === 0 ? null : { content: chatTokens(tokens), refusal: null }
    const choices = [{ index: 0, delta, logprobs, finish_reason: reason }]
    const usage = this.#identity.wantsUsage ? { usage: null } : {}
    return chunk({ ...this.#head('chat.completion.chunk'), choices, ...usage })
  }

  #open(open: Open): string {
    const part: Part = { open, ordinal: -1, text: '', finished: false }
    this.#parts.set(open.key, part)
    this.#all.push(part)
    // Free-form input goes out whole, when it is.
    if (open.part !== 'call' || open.tool === 'custom') return ''
    const inner = { name: open.name, arguments: '' }
    part.ordinal = this.#nextOrdinal()
    return this.#chunk(
      { tool_calls: [{ index: part.ordinal, id: open.callId, type: 'function', function: inner }] },
      null,
    )
  }

  #nextOrdinal(): number {
    const ordinal = this.#calls
    this.#calls += 1
    return ordinal
  }

  #delta(key: Key, text: string): string {
    const part = this.#parts.get(key)
    if (part === undefined || text === '') return ''
    const { open } = part
    const first = part.text === ''
    part.text += text
    if (open.part === 'call') {
      if (open.tool === 'custom') return ''
      return this.#chunk({ tool_calls: [{ index: part.ordinal, function: { arguments: text } }] }, null)
    }
    const field = fields[open.part]
    if (field === '') return ''
    const said = first && this.#said[field] !== '' ? separator + text : text
    this.#said[field] += said
    const tokens = this.#waiting
    this.#waiting = []
    this.#tokens.push(...tokens)
    return this.#chunk({ [field]: said }, null, tokens)
  }

  #close(key: Key): string {
    const part = this.#parts.get(key)
    this.#parts.delete(key)
    if (part === undefined || part.open.part !== 'call') return ''
    part.finished = true
    if (part.open.tool === 'custom') {
      part.ordinal = this.#nextOrdinal()
      return this.#chunk({ tool_calls: [{ index: part.ordinal, ...this.#call(part, false) }] }, null)
    }
    if (part.text.trim() !== '') return ''
    part.text += '{}'
    return this.#chunk({ tool_calls: [{ index: part.ordinal, function: { arguments: '{}' } }] }, null)
  }

  #call({ open, text }: Part, whole: boolean): object {
    if (open.part !== 'call') return {}
    const { callId, name } = open
    if (open.tool === 'custom') return { id: callId, type: 'custom', custom: { name, input: text } }
    return { id: callId, type: 'function', function: { name, arguments: text === '' && whole ? '{}' : text } }
  }

  #finish(stop: Stop): string {
    this.#stop = stop
    let out = ''
    for (const [key, { open }] of [...this.#parts]) if (open.part !== 'call') out += this.#close(key)
    out += this.#chunk({}, reasons[stop])
    if (this.#identity.wantsUsage) {
      out += chunk({ ...this.#head('chat.completion.chunk'), choices: [], usage: chatUsage(this.#usage) })
    }
    return `${out}data: [DONE]\n\n`
  }
}
