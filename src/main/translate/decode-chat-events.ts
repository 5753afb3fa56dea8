/** Reads a Chat Completions stream as neutral events (bridge §3.3). */
import { failureIn } from './failure.ts'
import { type Token, tokensIn } from './logprobs.ts'
import { cutShort, cutsOff, type Emit, type EventDecoder, type Stop } from './neutral-events.ts'
import { isWholeInput } from './tool-input.ts'
import { saidOf, usageOfOpenAi } from './usage.ts'
import { entryIn, type JsonObject, listIn, numberIn, objectIn, textIn } from './value.ts'

interface Slot {
  readonly key: string
  readonly index: number | null
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
    if (usage !== null) this.#usage = { ...this.#usage, ...saidOf(usage) }
    for (const value of listIn(data.choices)) {
      const choice = objectIn(value)
      // Only one answer was asked for.
      if (choice === null || (numberIn(choice.index) ?? 0) !== 0) continue
      this.#tokens = [...this.#tokens, ...tokensIn(objectIn(choice.logprobs)?.content)]
      this.#delta(objectIn(choice.delta) ?? objectIn(choice.message) ?? {}, objectIn(choice.delta) === null)
      this.#reason(textIn(choice.finish_reason) ?? '')
      const matched = textIn(choice.matched_stop) ?? textIn(choice.stop_reason) ?? ''
      if (matched !== '' && this.#stop === 'end') {
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

  #reason(reason: string): void {
    if (reason === '' || this.#over) return
    if (reason === 'error') {
      this.#over = true
      this.#emit({ kind: 'fail', failure: failureIn(0, null) })
      return
    }
    const known = entryIn(stops, reason)
    if (known === undefined) this.lost.add('stop_reason_unknown')
    this.#stop = known ?? 'end'
  }

  #start(): void {
    if (this.#started) return
    this.#started = true
    this.#emit({ kind: 'start' })
  }

  #delta(delta: JsonObject, isWhole: boolean): void {
    if (listIn(delta.annotations).length > 0) this.lost.add('citations_dropped')
    this.#say('thinking', thoughtOf(delta))
    if (Array.isArray(delta.content)) for (const part of delta.content) this.#part(objectIn(part) ?? {})
    else this.#say('text', textIn(delta.content) ?? '')
    if (listIn(delta.images).length > 0 || objectIn(delta.audio) !== null) this.lost.add('answer_part_unknown')
    this.#refuse(textIn(delta.refusal) ?? '')
    for (const [at, value] of listIn(delta.tool_calls).entries()) {
      const call = objectIn(value) ?? {}
      this.#call(call, isWhole ? at : numberIn(call.index))
    }
    const old = objectIn(delta.function_call)
    if (old !== null) this.#call({ function: old }, 0)
  }

  /** Some servers give the content in parts, thoughts among them. */
  #part(part: JsonObject): void {
    if (part.type === 'thinking') this.#say('thinking', textsIn(part.thinking))
    else if (part.type === 'refusal') this.#refuse(textIn(part.refusal) ?? '')
    else if (textIn(part.text) !== null) this.#say('text', textIn(part.text) ?? '')
    else this.lost.add('answer_part_unknown')
  }

  #refuse(refusal: string): void {
    if (refusal !== '') this.#refused = true
    this.#say('refusal', refusal)
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

  #call(call: JsonObject, index: number | null): void {
    const inner = objectIn(call.custom) ?? objectIn(call.function) ?? {}
    const slot = this.#slot(index, textIn(call.id) ?? '', textIn(inner.name) ?? '')
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

  /**
   * By index; without one by id; the same index under a new id is a new call. Without either a name begins a new call
   * where the last one has another, or all of its input.
   */
  #slot(index: number | null, id: string, name: string): Slot {
    const known =
      index === null ? this.#slots.findLast((slot) => id === '' || slot.callId === id) : this.#byIndex.get(index)
    const isNext = index === null && id === '' && name !== '' && (known?.name ?? '') !== ''
    const isOther = isNext && (known?.name !== name || isWholeInput(known.text))
    if (known !== undefined && !isOther && (id === '' || known.callId === '' || known.callId === id)) return known
    const again =
      index === null || id === '' ? undefined : this.#slots.find((slot) => slot.index === index && slot.callId === id)
    const slot = again ?? {
      key: `call-${this.#slots.length}`,
      index,
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
    const { key, name } = slot
    // One that comes later still tells which fragments belong to it.
    const callId = slot.callId === '' ? this.#newId() : slot.callId
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
    if (calls.length < this.#slots.length) this.lost.add(isCut ? 'call_cut_off' : 'call_without_name')
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

function textsIn(content: unknown): string {
  if (typeof content === 'string') return content
  return listIn(content)
    .map((part) => textIn(objectIn(part)?.text) ?? '')
    .join('')
}

function thoughtOf(delta: JsonObject): string {
  const plain = textIn(delta.reasoning_content) || textIn(delta.reasoning)
  if (plain) return plain
  return listIn(delta.reasoning_details)
    .map((detail) => textIn(objectIn(detail)?.text) ?? textIn(objectIn(detail)?.summary) ?? '')
    .join('')
}
