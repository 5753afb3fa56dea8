/** A flat header list as sent, with lookups by lower-case name that are worked out once. */
export class HeaderList {
  readonly raw: readonly string[]
  #first: Map<string, string> | null = null
  #repeated: Set<string> | null = null

  constructor(raw: readonly string[]) {
    this.raw = raw
  }

  /** Number of header lines. */
  get count(): number {
    return this.raw.length >> 1
  }

  /** The first value of a header, null when absent. */
  readonly get = (name: string): string | null => this.#index().get(name) ?? null

  has(name: string): boolean {
    return this.#index().has(name)
  }

  /** True when the header was sent more than once. */
  repeats(name: string): boolean {
    this.#index()
    return this.#repeated?.has(name) === true
  }

  #index(): Map<string, string> {
    if (this.#first !== null) return this.#first
    const first = new Map<string, string>()
    for (let i = 0; i + 1 < this.raw.length; i += 2) {
      const name = (this.raw[i] ?? '').toLowerCase()
      if (!first.has(name)) first.set(name, this.raw[i + 1] ?? '')
      else {
        this.#repeated ??= new Set()
        this.#repeated.add(name)
      }
    }
    this.#first = first
    return first
  }
}
