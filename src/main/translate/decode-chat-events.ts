/** Reads a Chat Completions stream as neutral events (bridge §3.3). */
import { failureIn } from './failure.ts'
import { type Token, tokensIn } from './logprobs.ts'
import { cutShort, cutsOff, type Emit, type EventDecoder, type Stop } from './neutral-events.ts'
import { isWholeInput } from './tool-input.ts'
import { usageOfOpenAi } from './usage.ts'
import { entryIn, type JsonObject, listIn, numberIn, objectIn, textIn } from './value.ts'

interface Slot {
  readonly key: string
  callId: string
  name: string
  isCustom: boolean
  opened: boolean
  /** Arguments that came before the name. */
  early: string
  /** All of them. */
  text: string
}

const stops: Readonly<Record<string, Stop>> = {
  stop: 'end',
  length: 'length',
  tool_calls: 'calls',
  function_call: 'calls',
  content_filter: 'refusal',
}

export class ChatEvents implements EventDecoder {
  readonly lost = new Set<string>()
  readonly #emit: Emit
  readonly #newId: () => string
  /** Ordinal of the text or thought that is open; each is a part of its own. */
  #speech: { readonly key: string; readonly part: 'text' | 'thinking' | 'refusal' } | null = null
  #speeches = 0
  readonly #slots: Slot[] = []
  readonly #byIndex = new Map<number, Slot>()
  /** The call that spoke last, unless text followed it. */
  #latest: Slot | null = null
  #usage: JsonObject | null = null
  #stop: Stop | null = null
  #sequence: string | null = null
  #refused = false
  /** Of text that is to come: a token may be half a letter. */
  #tokens: readonly Token[] = []
  #started = false
  #over = false

  constructor(emit: Emit, newId: () => string) {
    this.#emit = emit
    this.#newId = newId
  }

  event(data: JsonObject): void {
    if (this.#over) return
    if ((data.error !== undefined && data.error !== null) || data.object === 'error') {
      this.#over = true
      this.#emit({ kind: 'fail', failure: failureIn(0, data) })
      return
    }
    this.#start()
    const usage = objectIn(data.usage)
    if (usage !== null) this.#usage = usage
    for (const value of listIn(data.choices)) {
      const choice = objectIn(value)
      // Only one answer was asked for.
      if (choice === null || (numberIn(choice.index) ?? 0) !== 0) continue
      this.#tokens = [...this.#tokens, ...tokensIn(objectIn(choice.logprobs)?.content)]
      this.#delta(objectIn(choice.delta) ?? objectIn(choice.message) ?? {})
      const reason = textIn(choice.finish_reason)
      if (reason !== null && reason !== '') this.#stop = entryIn(stops, reason) ?? 'end'
      const matched = textIn(choice.matched_stop) ?? textIn(choice.stop_reason)
      if (matched !== null && this.#stop === 'end') {
        this.#stop = 'sequence'
        this.#sequence = matched
      }
    }
  }

  doneMark(): void {
    if (!this.#over) this.#finish()
  }

  end(): void {
    if (this.#over) return
    if (this.#stop !== null) {
      this.#finish()
      return
    }
    this.#over = true
    this.#emit({ kind: 'fail', failure: cutShort })
  }

  #start(): void {
    if (this.#started) return
    this.#started = true
    this.#emit({ kind: 'start' })
  }

  #delta(delta: JsonObject): void {
    if (listIn(delta.annotations).length > 0) this.lost.add('citations_dropped')
    this.#say('thinking', thoughtOf(delta))
    this.#say('text', contentOf(delta.content))
    const refusal = textIn(delta.refusal) ?? ''
    if (refusal !== '') this.#refused = true
    this.#say('refusal', refusal)
    for (const call of listIn(delta.tool_calls)) this.#call(objectIn(call) ?? {})
    const old = objectIn(delta.function_call)
    if (old !== null) this.#call({ index: 0, function: old })
  }

  #say(part: 'text' | 'thinking' | 'refusal', text: string): void {
    if (text === '') return
    if (this.#speech?.part !== part) {
      this.#silence()
      this.#speeches += 1
      this.#speech = { key: `speech-${this.#speeches}`, part }
      this.#emit({ kind: 'open', key: this.#speech.key, part })
    }
    this.#latest = null
    const { key } = this.#speech
    if (part === 'text' && this.#tokens.length > 0) {
      this.#emit({ kind: 'logprobs', key, tokens: this.#tokens })
      this.#tokens = []
    }
    this.#emit({ kind: 'delta', key, text })
  }

  #silence(): void {
    if (this.#speech !== null) this.#emit({ kind: 'close', key: this.#speech.key })
    this.#speech = null
  }

  #call(call: JsonObject): void {
    const slot = this.#slot(numberIn(call.index), textIn(call.id) ?? '')
    const inner = objectIn(call.custom) ?? objectIn(call.function) ?? {}
    if (call.custom !== undefined && call.custom !== null) slot.isCustom = true
    // The first id and name win; repeats are neither new calls nor appended.
    if (slot.callId === '') slot.callId = textIn(call.id) ?? ''
    if (slot.name === '') slot.name = textIn(inner.name) ?? ''
    const given = inner.arguments ?? inner.input
    const text = typeof given === 'string' ? given : objectIn(given) === null ? '' : JSON.stringify(given)
    if (!slot.opened && slot.name !== '') this.#openCall(slot)
    this.#latest = slot
    slot.text += text
    if (text === '') return
    if (slot.opened) this.#emit({ kind: 'delta', key: slot.key, text })
    else slot.early += text
  }

  /** By index; without one by id; the same index under a new id is a new call. */
  #slot(index: number | null, id: string): Slot {
    const known =
      index === null ? this.#slots.findLast((slot) => id === '' || slot.callId === id) : this.#byIndex.get(index)
    if (known !== undefined && (id === '' || known.callId === '' || known.callId === id)) return known
    const again = index === null || id === '' ? undefined : this.#slots.find((slot) => slot.callId === id)
    const slot = again ?? {
      key: `call-${this.#slots.length}`,
      callId: id,
      name: '',
      isCustom: false,
      opened: false,
      early: '',
      text: '',
    }
    if (again === undefined) this.#slots.push(slot)
    if (index !== null) this.#byIndex.set(index, slot)
    return slot
  }

  /** In an answer that was cut off: raw text has no end of its own, and blank may be one that had not begun. */
  #isWhole(slot: Slot): boolean {
    if (slot.isCustom || slot.text.trim() === '') return slot !== this.#latest
    return isWholeInput(slot.text)
  }

  #openCall(slot: Slot): void {
    this.#silence()
    slot.opened = true
    if (slot.callId === '') slot.callId = this.#newId()
    const { key, callId, name } = slot
    const tool = slot.isCustom ? 'custom' : 'function'
    this.#emit({ kind: 'open', key, part: 'call', callId, name, namespace: null, tool })
    if (slot.early !== '') this.#emit({ kind: 'delta', key, text: slot.early })
  }

  #finish(): void {
    this.#start()
    this.#over = true
    this.#silence()
    const calls = this.#slots.filter((slot) => slot.opened)
    const isCut = cutsOff(this.#stop ?? 'end')
    for (const slot of calls) if (!isCut || this.#isWhole(slot)) this.#emit({ kind: 'close', key: slot.key })
    if (this.#usage !== null) this.#emit({ kind: 'usage', usage: usageOfOpenAi(this.#usage) })
    const said = this.#stop ?? 'end'
    const plain = said === 'calls' ? 'end' : said
    const stop =
      said === 'length'
        ? 'length'
        : this.#refused
          ? 'refusal'
          : calls.length > 0 && said !== 'refusal'
            ? 'calls'
            : plain
    this.#emit({ kind: 'finish', stop, sequence: this.#sequence })
  }
}

function contentOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listIn(content)
    .map((part) => textIn(objectIn(part)?.text) ?? '')
    .join('')
}

function thoughtOf(delta: JsonObject): string {
  const plain = textIn(delta.reasoning_content) ?? textIn(delta.reasoning)
  if (plain !== null) return plain
  return listIn(delta.reasoning_details)
    .map((detail) => textIn(objectIn(detail)?.text) ?? textIn(objectIn(detail)?.summary) ?? '')
    .join('')
}
