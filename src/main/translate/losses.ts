/** What a translation could not carry: every loss is emulated, moved, clamped, dropped, all with a warning, or refused. */

import type { JsonObject } from './value.ts'

export interface Warning {
  /** Stable, snake_case. */
  readonly code: string
  /** Where in the client's request, `messages[2].content[0]`. */
  readonly path: string
  readonly action: 'emulated' | 'moved' | 'clamped' | 'dropped'
}

/** Thrown inside a translation and caught at its door: the request means something that the upstream can't be asked. */
export class Untranslatable extends Error {
  readonly code: string
  readonly path: string

  constructor(code: string, path: string, why: string) {
    super(why)
    this.code = code
    this.path = path
  }
}

/** A client may name its fields as it likes and send any number of them; codes stand in a header and in each call's record. */
const mostFields = 32

/** Some clients send every field that there is. */
const defaults: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['speed', 'standard'],
  ['truncation', 'disabled'],
  ['frequency_penalty', 0],
  ['presence_penalty', 0],
])

export class Losses {
  readonly warnings: Warning[] = []
  readonly #strict: boolean
  #fields = 0

  /** `strict` turns every drop into a refusal. */
  constructor(strict: boolean) {
    this.#strict = strict
  }

  dropped(code: string, path: string): void {
    if (this.#strict)
      throw new Untranslatable(code, path, `${path} can not be carried to this model, and translation is strict here`)
    this.#note({ code, path, action: 'dropped' })
  }

  /** A field that only the client's dialect has; one that says what holds anyway is none. */
  fieldDropped(field: string, value?: unknown): void {
    if (value !== undefined && defaults.get(field) === value) return
    this.#fields += 1
    const isName = this.#fields <= mostFields && /^[A-Za-z0-9_]{1,64}$/.test(field)
    this.dropped(isName ? `${field}_dropped` : 'field_dropped', field.slice(0, 64))
  }

  /** The same inside a field that both have. */
  fieldsDropped(field: string, value: JsonObject | null, known: readonly string[]): void {
    for (const [name, inner] of Object.entries(value ?? {}))
      if (inner != null && !known.includes(name)) this.fieldDropped(`${field}.${name}`)
  }

  changed(action: 'emulated' | 'moved' | 'clamped', code: string, path: string): void {
    this.#note({ code, path, action })
  }

  /** A refusal, whatever the switch says: the answer would be one to another question. */
  refuse(code: string, path: string, why = `${path} can not be carried to this model`): never {
    throw new Untranslatable(code, path, why)
  }

  /** Once per code and action: a history repeats the same loss a hundred times. */
  #note(warning: Warning): void {
    const known = this.warnings.some(({ code, action }) => code === warning.code && action === warning.action)
    if (!known) this.warnings.push(warning)
  }
}
