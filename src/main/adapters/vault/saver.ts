/** Saves one file at a time, whole, from memory; what the disk refuses is tried again each second until it is there. */
import { PointsmanError } from '../../../shared/errors.ts'
import type { Clock } from '../../ports.ts'
import { errorCode, fileTrouble, replaceFile, type SaveStep } from './durable-file.ts'
import { freeReserve, holdReserve } from './reserve.ts'

const retryDelayMs = 1000

export interface SaverOptions {
  readonly path: string
  /** The bytes as they are now, and what to do once they are on disk; null when there is nothing to save. */
  readonly take: () => { readonly bytes: Buffer; readonly saved: () => void } | null
  readonly clock: Pick<Clock, 'after'>
  readonly onStep?: ((step: SaveStep) => void) | undefined
  /** `unsaved` has another value. */
  readonly onChange: () => void
}

export class Saver {
  readonly #options: SaverOptions
  readonly #reserve: string
  #unsaved: string | null = null
  /** The last save asked for. */
  #last: Promise<void> = Promise.resolve()
  /** A save that has been asked for and has not begun. */
  #next: Promise<void> | null = null
  #cancelRetry: (() => void) | null = null

  constructor(options: SaverOptions) {
    this.#options = options
    this.#reserve = `${options.path}.reserve`
  }

  /** Why the newest content is only in memory; null when it is on disk. */
  get unsaved(): string | null {
    return this.#unsaved
  }

  /** Sees to it that there is room for the next save. */
  async reserve(bytes: Buffer): Promise<void> {
    await holdReserve(this.#reserve, bytes.length)
  }

  /** Saves what is in memory when its turn comes; all who ask before then share that save. */
  save(): Promise<void> {
    this.#next ??= this.#last
      .catch(() => {})
      .then(() => {
        this.#next = null
        return this.#saveNow()
      })
    this.#last = this.#next
    return this.#last
  }

  /** Waits for the saves under way, then tries a last time for what is unsaved. */
  async close(): Promise<void> {
    await this.#last.catch(() => {})
    if (this.#unsaved !== null) await this.save().catch(() => {})
    this.#cancelRetry?.()
  }

  async #saveNow(): Promise<void> {
    const taken = this.#options.take()
    if (taken === null) return
    try {
      await this.#replace(taken.bytes)
    } catch (error) {
      this.#cancelRetry?.()
      this.#cancelRetry = this.#options.clock.after(retryDelayMs, () => void this.save().catch(() => {}))
      const why = fileTrouble(error)
      this.#setUnsaved(why)
      throw new PointsmanError('vault_write_failed', { why })
    }
    this.#cancelRetry?.()
    this.#cancelRetry = null
    taken.saved()
    this.#setUnsaved(null)
    await this.reserve(taken.bytes)
  }

  async #replace(bytes: Buffer): Promise<void> {
    const { path, onStep } = this.#options
    try {
      await replaceFile(path, bytes, { onStep, keepPrevious: true })
    } catch (error) {
      const full = errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT'
      if (!full || !(await freeReserve(this.#reserve))) throw error
      await replaceFile(path, bytes, { onStep, keepPrevious: true })
    }
  }

  #setUnsaved(why: string | null): void {
    if (this.#unsaved === why) return
    this.#unsaved = why
    this.#options.onChange()
  }
}
