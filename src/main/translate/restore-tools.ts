/** Gives calls back the names and forms that the client declared, between decoder and encoder (bridge §1.6). */
import type { Origin } from './names.ts'
import type { Emit, Key, NeutralEvent } from './neutral-events.ts'
import type { ToolKind } from './neutral-request.ts'
import { unwrappedInput } from './tool-input.ts'

/** Calls whose input must be whole before it can be given back; to clients that know the form. */
export class RestoreTools {
  readonly #origins: ReadonlyMap<string, Origin>
  readonly #next: Emit
  /** Custom calls made as functions: their input is gathered. What there is of an unfinished one is no input. */
  readonly #gathered = new Map<Key, string>()

  constructor(origins: readonly (readonly [string, Origin])[], next: Emit) {
    this.#origins = new Map(origins)
    this.#next = next
  }

  pass(event: NeutralEvent): void {
    switch (event.kind) {
      case 'open': {
        if (event.part !== 'call') {
          this.#next(event)
          return
        }
        const origin = this.#origins.get(event.name)
        if (origin === undefined) {
          this.#next(event)
          return
        }
        const tool: ToolKind = event.tool === 'custom' ? 'custom' : origin.kind
        if (tool === 'custom' && event.tool !== 'custom') this.#gathered.set(event.key, '')
        this.#next({ ...event, name: origin.name, namespace: origin.namespace, tool })
        return
      }
      case 'delta': {
        const before = this.#gathered.get(event.key)
        if (before === undefined) {
          this.#next(event)
          return
        }
        this.#gathered.set(event.key, before + event.text)
        return
      }
      case 'close':
        this.#give(event.key)
        this.#next(event)
        return
      default:
        this.#next(event)
        return
    }
  }

  #give(key: Key): void {
    const text = this.#gathered.get(key)
    if (text === undefined) return
    this.#gathered.delete(key)
    const raw = unwrappedInput(text)
    if (raw !== '') this.#next({ kind: 'delta', key, text: raw })
  }
}
