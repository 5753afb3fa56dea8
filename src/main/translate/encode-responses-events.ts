/** Writes an answer as Responses events: gapless numbers, each item added and done once, the whole output at the end (bridge §3.7). */
import { failureBody, responsesCode } from './failure.ts'
import { responsesEventTokens, type Token } from './logprobs.ts'
import type { EventEncoder, Failure, Key, NeutralEvent, Stop } from './neutral-events.ts'
import { wrap } from './opaque.ts'
import { doneItem, type Item, isUnreadable, openItem, prefixOf, textPart } from './responses-items.ts'
import { frame } from './sse.ts'
import { noUsage, responsesUsage } from './usage.ts'
import type { JsonObject } from './value.ts'

export interface ResponsesIdentity {
  /** What ids are made of; no two answers share it. */
  readonly seed: string
  readonly model: string
  readonly createdS: number
  readonly issuer: string
  readonly echo: JsonObject
}

export class ResponsesWriter implements EventEncoder {
  readonly #identity: ResponsesIdentity
  readonly #items = new Map<Key, Item>()
  readonly #all: Item[] = []
  #sequence = 0
  /** Of the next piece of text. */
  #waiting: readonly Token[] = []
  #usage = noUsage
  readonly #lost = new Set<string>()
  #stop: Stop = 'end'

  constructor(identity: ResponsesIdentity) {
    this.#identity = identity
  }

  write(event: NeutralEvent): string {
    switch (event.kind) {
      case 'start': {
        const response = this.#response('in_progress', [])
        return this.#event('response.created', { response }) + this.#event('response.in_progress', { response })
      }
      case 'open':
        return this.#open(event)
      case 'delta':
        return this.#delta(event.key, event.text)
      case 'seal': {
        const item = this.#items.get(event.key)
        if (item !== undefined) item.blob = wrap(this.#identity.issuer, event.opaque)
        return ''
      }
      case 'search':
        return ''
      case 'logprobs':
        this.#waiting = event.tokens
        return ''
      case 'close':
        return this.#close(event.key, 'completed')
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'finish':
        return this.#finish(event.stop)
      case 'fail':
        return this.#failed(event.failure)
    }
  }

  whole(): Record<string, unknown> {
    return this.#ended(this.#all.filter(({ open, closed }) => open.part !== 'call' || closed === 'completed'))
  }

  get lost(): readonly string[] {
    return [...this.#lost]
  }

  #event(type: string, fields: object): string {
    const data = { type, sequence_number: this.#sequence, ...fields }
    this.#sequence += 1
    return frame(type, data)
  }

  #response(status: string, output: readonly object[]): Record<string, unknown> {
    const { seed, model, createdS, echo } = this.#identity
    return {
      id: `resp_${seed}`,
      object: 'response',
      created_at: createdS,
      status,
      error: null,
      incomplete_details: null,
      model,
      output,
      usage: null,
      ...echo,
    }
  }

  #open(open: Extract<NeutralEvent, { kind: 'open' }>): string {
    const at = this.#all.length
    const item: Item = {
      open,
      at,
      id: `${prefixOf(open)}_${this.#identity.seed}_${at}`,
      text: '',
      tokens: [],
      blob: null,
      closed: null,
    }
    this.#items.set(open.key, item)
    this.#all.push(item)
    return this.#event('response.output_item.added', { output_index: at, item: openItem(item) })
  }

  #delta(key: Key, text: string): string {
    const item = this.#items.get(key)
    if (item === undefined || text === '') return ''
    const first = item.text === ''
    item.text += text
    const logprobs = responsesEventTokens(this.#waiting)
    item.tokens.push(...this.#waiting)
    this.#waiting = []
    const where = { item_id: item.id, output_index: item.at }
    switch (item.open.part) {
      case 'text':
        return (
          (first
            ? this.#event('response.content_part.added', { ...where, content_index: 0, part: textPart('') })
            : '') + this.#event('response.output_text.delta', { ...where, content_index: 0, delta: text, logprobs })
        )
      case 'refusal':
        return (
          (first
            ? this.#event('response.content_part.added', { ...where, content_index: 0, part: refusalPart('') })
            : '') + this.#event('response.refusal.delta', { ...where, content_index: 0, delta: text })
        )
      case 'thinking':
        return (
          (first
            ? this.#event('response.reasoning_summary_part.added', {
                ...where,
                summary_index: 0,
                part: summaryPart(''),
              })
            : '') + this.#event('response.reasoning_summary_text.delta', { ...where, summary_index: 0, delta: text })
        )
      case 'call':
        // A vendor's own tool types have no deltas.
        if (item.open.tool === 'custom')
          return this.#event('response.custom_tool_call_input.delta', { ...where, delta: text })
        if (item.open.tool !== 'function') return ''
        return this.#event('response.function_call_arguments.delta', { ...where, delta: text })
      case 'redacted':
        return ''
    }
  }

  #close(key: Key, status: 'completed' | 'incomplete'): string {
    const item = this.#items.get(key)
    if (item === undefined) return ''
    this.#items.delete(key)
    item.closed = status
    if (status === 'completed' && isUnreadable(item)) this.#lost.add('tool_arguments_unreadable')
    return (
      this.#partDone(item) + this.#event('response.output_item.done', { output_index: item.at, item: doneItem(item) })
    )
  }

  /** Each `done` repeats its own part whole: clients overwrite what they have gathered. */
  #partDone(item: Item): string {
    const { open, text } = item
    const where = { item_id: item.id, output_index: item.at }
    if (open.part === 'call') {
      if (open.tool === 'custom') return this.#event('response.custom_tool_call_input.done', { ...where, input: text })
      if (open.tool !== 'function') return ''
      let out = ''
      if (text.trim() === '' && item.closed === 'completed') out = this.#delta2(item)
      return (
        out + this.#event('response.function_call_arguments.done', { ...where, name: open.name, arguments: item.text })
      )
    }
    if (text === '') return ''
    switch (open.part) {
      case 'text':
        return (
          this.#event('response.output_text.done', {
            ...where,
            content_index: 0,
            text,
            logprobs: responsesEventTokens(item.tokens),
          }) +
          this.#event('response.content_part.done', { ...where, content_index: 0, part: textPart(text, item.tokens) })
        )
      case 'refusal':
        return (
          this.#event('response.refusal.done', { ...where, content_index: 0, refusal: text }) +
          this.#event('response.content_part.done', { ...where, content_index: 0, part: refusalPart(text) })
        )
      case 'thinking':
        return (
          this.#event('response.reasoning_summary_text.done', { ...where, summary_index: 0, text }) +
          this.#event('response.reasoning_summary_part.done', { ...where, summary_index: 0, part: summaryPart(text) })
        )
      default:
        return ''
    }
  }

  /** A call without arguments has the empty object. */
  #delta2(item: Item): string {
    item.text += '{}'
    const where = { item_id: item.id, output_index: item.at }
    return this.#event('response.function_call_arguments.delta', { ...where, delta: '{}' })
  }

  #finish(stop: Stop): string {
    this.#stop = stop
    let out = ''
    for (const [key, item] of [...this.#items].sort(([, a], [, b]) => a.at - b.at)) {
      out += this.#close(key, item.open.part === 'call' ? 'incomplete' : 'completed')
    }
    const type = this.#cutBy() === null ? 'response.completed' : 'response.incomplete'
    return out + this.#event(type, { response: this.#ended(this.#all) })
  }

  #ended(items: readonly Item[]): Record<string, unknown> {
    const reason = this.#cutBy()
    const response = this.#response(reason === null ? 'completed' : 'incomplete', items.map(doneItem))
    return {
      ...response,
      incomplete_details: reason === null ? null : { reason },
      usage: responsesUsage(this.#usage),
    }
  }

  /** A filter that cut an answer off shows only here; a refusal in words is an answer of its own. */
  #cutBy(): string | null {
    if (isCut(this.#stop)) return 'max_output_tokens'
    const told = this.#all.some(({ open }) => open.part === 'refusal')
    const isCutCall = this.#all.some(({ closed }) => closed === 'incomplete')
    return this.#stop === 'refusal' && (!told || isCutCall) ? 'content_filter' : null
  }

  #failed(failure: Failure): string {
    const { message } = failureBody('responses', failure).error as { readonly message: string }
    const finished = this.#all.filter((item) => item.closed !== null).map(doneItem)
    const response = { ...this.#response('failed', finished), error: { code: responsesCode(failure), message } }
    return this.#event('response.failed', { response })
  }
}

const isCut = (stop: Stop): boolean => stop === 'length' || stop === 'pause'
const refusalPart = (refusal: string): object => ({ type: 'refusal', refusal })
const summaryPart = (text: string): object => ({ type: 'summary_text', text })
