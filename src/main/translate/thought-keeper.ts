/** Gathers an answer's sealed thoughts by the call that they led to, for clients that have no field for them (bridge §1.5). */
import type { KeptThought } from './decode-chat.ts'
import type { Key, NeutralEvent } from './neutral-events.ts'

export class ThoughtKeeper {
  readonly #texts = new Map<Key, string>()
  readonly #thoughts: KeptThought[] = []
  #firstCall: string | null = null

  see(event: NeutralEvent): void {
    switch (event.kind) {
      case 'open':
        if (event.part === 'call') this.#firstCall ??= event.callId
        else if (event.part === 'thinking' || event.part === 'redacted') this.#texts.set(event.key, '')
        return
      case 'delta': {
        const text = this.#texts.get(event.key)
        if (text !== undefined) this.#texts.set(event.key, text + event.text)
        return
      }
      case 'seal':
        this.#thoughts.push({ text: this.#texts.get(event.key) ?? '', opaque: event.opaque })
    }
  }

  /** All of them under the first call: an answer's thoughts come before its calls. */
  kept(): readonly (readonly [string, readonly KeptThought[]])[] {
    return this.#firstCall === null || this.#thoughts.length === 0 ? [] : [[this.#firstCall, this.#thoughts]]
  }
}
