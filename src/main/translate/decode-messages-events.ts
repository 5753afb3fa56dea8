/** Reads a Messages stream as neutral events (bridge §3.5, §3.7). */
import { failureIn } from './failure.ts'
import { type Block, isServers } from './messages-blocks.ts'
import { cutShort, cutsOff, type Emit, type EventDecoder, type Stop } from './neutral-events.ts'
import { SaidBlocks } from './said-blocks.ts'
import { isWholeInput } from './tool-input.ts'
import { noUsage, saidOf, sumOf, usageOfMessages } from './usage.ts'
import { entryIn, type JsonObject, numberIn, objectIn, textIn } from './value.ts'

const stops: Readonly<Record<string, Stop>> = {
  end_turn: 'end',
  tool_use: 'calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  stop_sequence: 'sequence',
  refusal: 'refusal',
  pause_turn: 'pause',
}

/** Requests that one turn may take beyond its first. */
const mostPauses = 5

export class MessagesEvents implements EventDecoder {
  readonly lost = new Set<string>()
  readonly #emit: Emit
  /** Kept only where the turn may be paused. */
  readonly #said: SaidBlocks | null
  #pauses = 0
  #isPaused = false
  /** Indices of the blocks that the next request's answer brings begin here. */
  #firstIndex = 0
  #nextIndex = 0
  #usageBefore = noUsage
  readonly #blocks = new Map<number, Block>()
  /** The text that goes on with the next block if that is a text too: what is cited stands in blocks of its own. */
  #text: number | null = null
  #explanation = ''
  /** A call that has stopped where no input ends, until it is known whether the answer was cut off there. */
  #unsure: number | null = null
  #usage: JsonObject = {}
  #stop: Stop = 'end'
  #sequence: string | null = null
  #calls = 0
  #started = false
  #over = false

  constructor(emit: Emit, mayPause: boolean) {
    this.#emit = emit
    this.#said = mayPause ? new SaidBlocks() : null
  }

  /** What was said before the pause that the turn is in; null when it is in none. */
  get paused(): readonly JsonObject[] | null {
    return this.#isPaused && this.#said !== null ? this.#said.content() : null
  }

  /** The events that follow are of the request that goes on. */
  goOn(): void {
    this.#isPaused = false
    this.#over = false
    this.#firstIndex = this.#nextIndex
    this.#usageBefore = sumOf(this.#usageBefore, usageOfMessages(this.#usage))
    this.#usage = {}
    this.#stop = 'end'
  }

  /** Nobody goes on: it ends as a turn that its limit cut (bridge §2.2). */
  endPaused(): void {
    this.#isPaused = false
    this.#end()
  }

  event(data: JsonObject): void {
    if (this.#over) return
    // Some servers leave the type out.
    const type = objectIn(data.error) === null ? data.type : 'error'
    const at = numberIn(data.index) ?? 0
    // Beyond these numbers two blocks could have the same.
    const index = this.#firstIndex + (Number.isSafeInteger(at) ? at : 0)
    switch (type) {
      case 'message_start':
        this.#count(objectIn(objectIn(data.message)?.usage))
        this.#start()
        return
      case 'content_block_start':
        this.#open(index, objectIn(data.content_block) ?? {})
        return
      case 'content_block_delta':
        this.#delta(index, objectIn(data.delta) ?? {})
        return
      case 'content_block_stop':
        this.#close(index)
        return
      case 'message_delta': {
        const delta = objectIn(data.delta)
        const reason = textIn(delta?.stop_reason)
        if (reason !== null) this.#reason(reason)
        this.#sequence = textIn(delta?.stop_sequence) ?? this.#sequence
        this.#explanation = textIn(objectIn(delta?.stop_details)?.explanation) ?? this.#explanation
        this.#count(objectIn(data.usage))
        return
      }
      case 'message_stop':
        this.#finish()
        return
      case 'error':
        this.#over = true
        this.#emit({ kind: 'fail', failure: failureIn(0, data) })
    }
  }

  #reason(reason: string): void {
    const known = entryIn(stops, reason)
    if (known === undefined) this.lost.add('stop_reason_unknown')
    this.#stop = known ?? 'end'
  }

  doneMark(): void {}

  end(): void {
    if (this.#over) return
    this.#over = true
    this.#emit({ kind: 'fail', failure: cutShort })
  }

  #start(): void {
    if (this.#started) return
    this.#started = true
    this.#emit({ kind: 'start' })
  }

  #open(index: number, block: JsonObject): void {
    this.#start()
    this.#close(index)
    this.#settle(false)
    this.#nextIndex = Math.max(this.#nextIndex, index + 1)
    this.#said?.open(index, block)
    const type = textIn(block.type) ?? ''
    const input = objectIn(block.input)
    const whole = input !== null && Object.keys(input).length > 0 ? JSON.stringify(input) : ''
    if (isServers(type)) this.lost.add('server_tool_hidden')
    if (Array.isArray(block.citations) && block.citations.length > 0) this.lost.add('citations_dropped')
    if (type !== 'text') this.#closeText()
    const made: Block = { type, key: this.#text ?? index, input: whole, opened: this.#text !== null, sent: '' }
    this.#blocks.set(index, made)
    switch (type) {
      case 'text':
        this.#say(made, textIn(block.text) ?? '')
        return
      case 'thinking': {
        this.#emit({ kind: 'open', key: index, part: 'thinking' })
        made.opened = true
        this.#say(made, textIn(block.thinking) ?? '')
        const signature = textIn(block.signature) ?? ''
        if (signature !== '') this.#emit({ kind: 'seal', key: index, opaque: { kind: 'signature', data: signature } })
        return
      }
      case 'redacted_thinking':
        this.#emit({ kind: 'open', key: index, part: 'redacted' })
        made.opened = true
        this.#emit({ kind: 'seal', key: index, opaque: { kind: 'redacted', data: textIn(block.data) ?? '' } })
        return
      case 'tool_use':
        if ((textIn(block.name) ?? '') === '') {
          this.lost.add('call_without_name')
          this.#blocks.delete(index)
          return
        }
        this.#calls += 1
        made.opened = true
        this.#emit({
          kind: 'open',
          key: index,
          part: 'call',
          callId: textIn(block.id) ?? '',
          name: textIn(block.name) ?? '',
          namespace: null,
          tool: 'function',
        })
        return
      default:
        if (!isServers(type)) this.lost.add('answer_part_unknown')
    }
  }

  #delta(index: number, delta: JsonObject): void {
    const block = this.#blocks.get(index)
    if (block === undefined) return
    this.#said?.delta(index, delta)
    switch (delta.type) {
      case 'citations_delta':
        this.lost.add('citations_dropped')
        return
      case 'text_delta':
        if (block.type === 'text') this.#say(block, textIn(delta.text) ?? '')
        return
      case 'thinking_delta':
        if (block.type === 'thinking') this.#say(block, textIn(delta.thinking) ?? '')
        return
      case 'signature_delta': {
        const data = textIn(delta.signature) ?? ''
        if (block.type === 'thinking' && data !== '') {
          this.#emit({ kind: 'seal', key: index, opaque: { kind: 'signature', data } })
        }
        return
      }
      case 'input_json_delta':
        if (block.type === 'tool_use') this.#say(block, textIn(delta.partial_json) ?? '')
    }
  }

  /** Why it refused, as the words of its refusal. */
  #explain(): void {
    const key = 'explanation'
    this.#emit({ kind: 'open', key, part: 'refusal' })
    this.#emit({ kind: 'delta', key, text: this.#explanation })
    this.#emit({ kind: 'close', key })
  }

  /** An empty piece changes nothing; a text block opens with its first letter. */
  #say(block: Block, text: string): void {
    if (text === '') return
    if (!block.opened) this.#emit({ kind: 'open', key: block.key, part: 'text' })
    block.opened = true
    if (block.type === 'tool_use') block.sent += text
    this.#emit({ kind: 'delta', key: block.key, text })
  }

  #close(index: number): void {
    const block = this.#blocks.get(index)
    if (block === undefined) return
    this.#blocks.delete(index)
    if (block.type === 'tool_use' && block.sent === '') this.#say(block, block.input)
    if (block.type === 'tool_use' && !isWholeInput(block.sent)) {
      this.#settle(false)
      this.#unsure = index
    } else if (block.opened && block.type === 'text') this.#text = block.key
    else if (block.opened) this.#emit({ kind: 'close', key: index })
  }

  #closeText(): void {
    if (this.#text !== null) this.#emit({ kind: 'close', key: this.#text })
    this.#text = null
  }

  /** Whatever follows shows that it was not cut off. */
  #settle(isCut: boolean): void {
    if (this.#unsure !== null && !isCut) this.#emit({ kind: 'close', key: this.#unsure })
    this.#unsure = null
  }

  /** Cumulative: the last number said of each field counts; what says the cache's share says all of the input. */
  #count(usage: JsonObject | null): void {
    if (usage === null) return
    const said = saidOf(usage)
    const splits =
      numberIn(said.cache_read_input_tokens) !== null || numberIn(said.cache_creation_input_tokens) !== null
    const before = splits && numberIn(said.input_tokens) !== null ? withoutInput(this.#usage) : this.#usage
    this.#usage = { ...before, ...said }
  }

  #finish(): void {
    this.#start()
    for (const index of [...this.#blocks.keys()]) this.#close(index)
    this.#closeText()
    this.#over = true
    // A call that waits for its result can't be gone on from.
    this.#isPaused = this.#stop === 'pause' && this.#said !== null && this.#calls === 0 && this.#pauses < mostPauses
    if (this.#isPaused) this.#pauses += 1
    else this.#end()
  }

  #end(): void {
    this.#settle(cutsOff(this.#stop))
    if (this.#stop === 'refusal' && this.#explanation !== '') this.#explain()
    if (this.#stop === 'pause') this.lost.add('paused_turn_ended')
    if (Object.keys(this.#usage).length > 0 || this.#pauses > 0)
      this.#emit({ kind: 'usage', usage: sumOf(this.#usageBefore, usageOfMessages(this.#usage)) })
    // A call wants its result, whatever stopped the text behind it.
    const isPlain = this.#stop === 'end' || this.#stop === 'sequence'
    const stop = isPlain && this.#calls > 0 ? 'calls' : this.#stop
    this.#emit({ kind: 'finish', stop: stop === 'calls' && this.#calls === 0 ? 'end' : stop, sequence: this.#sequence })
  }
}

function withoutInput(usage: JsonObject): JsonObject {
  const { input_tokens: _i, cache_read_input_tokens: _r, cache_creation_input_tokens: _w, ...rest } = usage
  return rest
}
