/** Finished rows that the disk refused: a bounded list, the oldest dropped first and counted (F36). */
import type { FinishedRow } from './call-database.ts'

const mostWaiting = 1_000

export class WaitingRows {
  #rows: FinishedRow[] = []
  #dropped = 0

  get length(): number {
    return this.#rows.length
  }

  get dropped(): number {
    return this.#dropped
  }

  /** The refused commit may have reached the disk after all, so each row may exist when it is tried again. */
  add(rows: readonly FinishedRow[]): void {
    for (const { record } of rows) this.#rows.push({ record, mayExist: true })
    const excess = this.#rows.length - mostWaiting
    if (excess <= 0) return
    this.#rows.splice(0, excess)
    this.drop(excess)
  }

  /** Counts rows that will never be saved. */
  drop(count: number): void {
    this.#dropped += count
  }

  first(count: number): readonly FinishedRow[] {
    return this.#rows.slice(0, count)
  }

  remove(count: number): void {
    this.#rows.splice(0, count)
  }
}
