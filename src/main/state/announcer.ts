/** One revision for everything the window shows, and who wants to hear that it grew. */
export type Area = 'app' | 'accounts' | 'models' | 'calls' | 'quota'

export class Announcer {
  #revision = 0
  readonly #listeners = new Set<(area: Area, revision: number) => void>()

  get revision(): number {
    return this.#revision
  }

  changed(area: Area): void {
    this.#revision += 1
    for (const listener of this.#listeners) listener(area, this.#revision)
  }

  /** The returned function ends the subscription. */
  subscribe(listener: (area: Area, revision: number) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
