/** Stop sequences for upstreams that have none: text that may begin one is held back, the answer is cut before it (bridge §1.7). */
import type { Token } from './logprobs.ts'
import type { Emit, Key, NeutralEvent } from './neutral-events.ts'
import { isWholeInput } from './tool-input.ts'

export class CutAtStop {
  readonly #stops: readonly string[]
  readonly #longest: number
  readonly #next: Emit
  readonly #texts = new Set<Key>()
  /** Held back, by text. */
  readonly #held = new Map<Key, string>()
  /** Tokens of texts, until their text is passed on. */
  readonly #tokens = new Map<Key, Token[]>()
  /** A call wants its result, whatever stops the text behind it. */
  #called = false
  /** Inputs of the calls that are open. */
  readonly #inputs = new Map<Key, string>()
  /** Set once a sequence was met: the upstream has nothing more to say. */
  cut = false

  constructor(stops: readonly string[], next: Emit) {
    this.#stops = stops
    this.#longest = Math.max(0, ...stops.map((stop) => stop.length))
    this.#next = next
  }

  pass(event: NeutralEvent): void {
    if (this.cut) return
    if (this.#stops.length === 0) {
      this.#next(event)
      return
    }
    switch (event.kind) {
      case 'open':
        if (event.part === 'text') this.#texts.add(event.key)
        if (event.part === 'call') this.#inputs.set(event.key, '')
        this.#next(event)
        return
      case 'delta':
        if (!this.#texts.has(event.key)) {
          const input = this.#inputs.get(event.key)
          if (input !== undefined) this.#inputs.set(event.key, input + event.text)
          this.#next(event)
          return
        }
        this.#text(event.key, event.text)
        return
      case 'logprobs':
        this.#tokens.set(event.key, [...(this.#tokens.get(event.key) ?? []), ...event.tokens])
        return
      case 'close':
        this.#release(event.key)
        if (this.#inputs.delete(event.key)) this.#called = true
        this.#next(event)
        return
      case 'finish':
        for (const key of [...this.#held.keys()]) this.#release(key)
        this.#next(event)
        return
      default:
        this.#next(event)
        return
    }
  }

  #text(key: Key, text: string): void {
    const all = (this.#held.get(key) ?? '') + text
    const met = this.#stops
      .map((stop) => ({ stop, at: all.indexOf(stop) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.stop.length - a.stop.length)[0]
    if (met !== undefined) {
      this.#give(key, all.slice(0, met.at))
      this.#next({ kind: 'close', key })
      for (const [call, input] of this.#inputs) {
        if (input.trim() !== '' && !isWholeInput(input)) continue
        this.#called = true
        this.#next({ kind: 'close', key: call })
      }
      this.#next({ kind: 'finish', stop: this.#called ? 'calls' : 'sequence', sequence: met.stop })
      this.cut = true
      return
    }
    const keep = this.#suffix(all)
    this.#held.set(key, all.slice(all.length - keep))
    this.#give(key, all.slice(0, all.length - keep))
  }

  /** How many of the last characters may begin a sequence. */
  #suffix(text: string): number {
    for (let length = Math.min(text.length, this.#longest - 1); length > 0; length -= 1) {
      const end = text.slice(text.length - length)
      if (this.#stops.some((stop) => stop.startsWith(end))) return length
    }
    return 0
  }

  #release(key: Key): void {
    const text = this.#held.get(key) ?? ''
    this.#held.delete(key)
    this.#give(key, text)
  }

  /** With the tokens that it holds whole; those of what is cut off go with it. */
  #give(key: Key, text: string): void {
    if (text === '') return
    const waiting = this.#tokens.get(key) ?? []
    let length = 0
    let count = 0
    for (const { token } of waiting) {
      length += token.length
      if (length > text.length) break
      count += 1
    }
    const tokens = waiting.splice(0, count)
    if (tokens.length > 0) this.#next({ kind: 'logprobs', key, tokens })
    this.#next({ kind: 'delta', key, text })
  }
}
