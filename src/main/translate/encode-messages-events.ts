/** Writes an answer as Messages: one open block at a time, in order of first appearance (bridge §3.2). */
import { failureBody } from './failure.ts'
import { Losses } from './losses.ts'
import type { EventEncoder, Key, NeutralEvent, Stop } from './neutral-events.ts'
import { unsigned, wrap } from './opaque.ts'
import { askBlock, resultBlock, type Search, searchId } from './shown-search.ts'
import { frame } from './sse.ts'
import { inputObject } from './tool-input.ts'
import { messagesUsage, noUsage } from './usage.ts'

type Open = Extract<NeutralEvent, { kind: 'open' }>

interface Block {
  readonly open: Open
  /** Blocks of what an upstream ran itself, sent as they stand; `input` follows as a delta. */
  readonly fixed?: { readonly start: object; readonly input: string; readonly whole: object }
  readonly index: number
  /** Everything so far, for the whole answer. */
  text: string
  signature: string
  /** Not yet sent, while another block is open. */
  waiting: string
  closed: boolean
}

export interface MessagesIdentity {
  readonly id: string
  readonly model: string
  readonly issuer: string
}

const reasons: Readonly<Record<Stop, string>> = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  sequence: 'stop_sequence',
  refusal: 'refusal',
  pause: 'pause_turn',
}

export class MessagesWriter implements EventEncoder {
  readonly #identity: MessagesIdentity
  readonly #blocks = new Map<Key, Block>()
  readonly #all: Block[] = []
  /** Calls that were cut off: left out of a whole answer, since their input is none. */
  readonly #unfinished = new Set<Block>()
  /** The one that is open on the wire, by its place in `#all`. */
  #current = 0
  #usage = noUsage
  #stop: Stop = 'end'
  #sequence: string | null = null

  readonly #losses = new Losses(false)

  constructor(identity: MessagesIdentity) {
    this.#identity = identity
  }

  write(event: NeutralEvent): string {
    switch (event.kind) {
      case 'start':
        return frame('message_start', {
          type: 'message_start',
          message: { ...this.#head(), content: [], ...this.#tail(null) },
        })
      case 'open':
        return this.#open(event)
      case 'delta':
        return this.#delta(event.key, event.text)
      case 'seal': {
        const block = this.#blocks.get(event.key)
        if (block !== undefined) block.signature = wrap(this.#identity.issuer, event.opaque)
        return ''
      }
      case 'search':
        return this.#search(event.search)
      // Whoever asks for them is refused: this dialect has no place for them.
      case 'logprobs':
        return ''
      case 'close':
        return this.#close(event.key)
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'finish':
        return this.#finish(event.stop, event.sequence)
      case 'fail':
        return frame('error', failureBody('messages', event.failure))
    }
  }

  whole(): Record<string, unknown> {
    const content = this.#all
      .filter((block) => !this.#unfinished.has(block))
      .map((block) => ({ ...this.#whole(block) }))
    return { ...this.#head(), content, ...this.#tail(reasons[this.#stop]) }
  }

  get lost(): readonly string[] {
    return this.#losses.warnings.map(({ code }) => code)
  }

  #head(): object {
    return { id: this.#identity.id, type: 'message', role: 'assistant', model: this.#identity.model }
  }

  #tail(reason: string | null): object {
    return { ...this.#ending(reason), usage: messagesUsage(this.#usage) }
  }

  #ending(reason: string | null): object {
    const ending = { stop_reason: reason, stop_sequence: reason === 'stop_sequence' ? this.#sequence : null }
    if (reason !== 'refusal') return ending
    return { ...ending, stop_details: { type: 'refusal', category: null, explanation: null } }
  }

  #open(open: Open): string {
    const block: Block = { open, index: this.#all.length, text: '', signature: '', waiting: '', closed: false }
    this.#blocks.set(open.key, block)
    this.#all.push(block)
    return this.#isCurrent(block) ? this.#startOf(block) : ''
  }

  #isCurrent(block: Block): boolean {
    return this.#all[this.#current] === block
  }

  #delta(key: Key, text: string): string {
    const block = this.#blocks.get(key)
    if (block === undefined || text === '') return ''
    block.text += text
    if (this.#isCurrent(block)) return this.#deltaOf(block, text)
    block.waiting += text
    return ''
  }

  #close(key: Key): string {
    const block = this.#blocks.get(key)
    if (block === undefined) return ''
    this.#blocks.delete(key)
    block.closed = true
    return this.#advance()
  }

  /** A search that the upstream ran, as the pair of blocks that clients know. */
  #search(search: Search): string {
    const id = searchId(this.#identity.id, this.#all.length)
    const input = { query: search.query }
    const result = resultBlock(id, search)
    const isNext = this.#all.length === this.#current
    for (const fixed of [
      { start: askBlock(id, {}), input: JSON.stringify(input), whole: askBlock(id, input) },
      { start: result, input: '', whole: result },
    ]) {
      const open: Open = { kind: 'open', key: `${id} ${fixed.input}`, part: 'text' }
      this.#all.push({
        open,
        fixed,
        index: this.#all.length,
        text: '',
        signature: '',
        waiting: '',
        closed: true,
      })
    }
    const first = this.#all[this.#current]
    return isNext && first !== undefined ? this.#startOf(first) + this.#advance() : ''
  }

  #advance(): string {
    let out = ''
    // The next in line may be closed already: then it goes out whole.
    for (let at = this.#all[this.#current]; at?.closed === true; at = this.#all[this.#current]) {
      out += this.#stopOf(at)
      this.#current += 1
      const next = this.#all[this.#current]
      if (next === undefined) break
      out += this.#startOf(next)
      if (next.waiting !== '') out += this.#deltaOf(next, next.waiting)
      next.waiting = ''
    }
    return out
  }

  #startOf(block: Block): string {
    const { open, index, fixed } = block
    if (fixed !== undefined) return this.#begun(index, fixed.start)
    const content = ((): object => {
      switch (open.part) {
        case 'thinking':
          return { type: 'thinking', thinking: '', signature: '' }
        case 'redacted':
          return { type: 'redacted_thinking', data: block.signature }
        case 'call':
          return { type: 'tool_use', id: open.callId, name: open.name, input: {} }
        default:
          return { type: 'text', text: '' }
      }
    })()
    // What is redacted comes whole: it waits for its value.
    if (open.part === 'redacted' && block.signature === '') return ''
    return this.#begun(index, content)
  }

  #begun(index: number, content: object): string {
    return frame('content_block_start', { type: 'content_block_start', index, content_block: content })
  }

  #deltaOf({ open, index }: Block, text: string): string {
    const delta =
      open.part === 'thinking'
        ? { type: 'thinking_delta', thinking: text }
        : open.part === 'call'
          ? { type: 'input_json_delta', partial_json: text }
          : { type: 'text_delta', text }
    return frame('content_block_delta', { type: 'content_block_delta', index, delta })
  }

  #stopOf(block: Block): string {
    const { open, index, fixed } = block
    let out = ''
    if (fixed !== undefined) {
      const delta = { type: 'input_json_delta', partial_json: fixed.input }
      if (fixed.input !== '') out += frame('content_block_delta', { type: 'content_block_delta', index, delta })
    } else if (open.part === 'redacted') out += this.#begun(index, { type: 'redacted_thinking', data: block.signature })
    else if (open.part === 'thinking') {
      const delta = { type: 'signature_delta', signature: block.signature === '' ? unsigned : block.signature }
      out += frame('content_block_delta', { type: 'content_block_delta', index, delta })
    } else if (open.part === 'call' && block.text.trim() === '')
      out += this.#unfinished.has(block) ? '' : this.#deltaOf(block, '{}')
    return out + frame('content_block_stop', { type: 'content_block_stop', index })
  }

  #whole({ open, text, signature, fixed }: Block): object {
    if (fixed !== undefined) return fixed.whole
    switch (open.part) {
      case 'thinking':
        return { type: 'thinking', thinking: text, signature: signature === '' ? unsigned : signature }
      case 'redacted':
        return { type: 'redacted_thinking', data: signature }
      case 'call':
        return { type: 'tool_use', id: open.callId, name: open.name, input: inputObject(text, this.#losses, '') }
      default:
        return { type: 'text', text }
    }
  }

  #finish(stop: Stop, sequence: string | null): string {
    this.#stop = stop
    this.#sequence = sequence
    let out = ''
    for (const [key, block] of [...this.#blocks]) {
      if (block.open.part === 'call') this.#unfinished.add(block)
      out += this.#close(key)
    }
    const delta = this.#ending(reasons[stop])
    out += frame('message_delta', { type: 'message_delta', delta, usage: messagesUsage(this.#usage) })
    return out + frame('message_stop', { type: 'message_stop' })
  }
}
