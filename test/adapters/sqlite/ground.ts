/** What the store tests share: a folder that goes away, clocks, a bounded wait, damage. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../../src/main/ports.ts'

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pointsman-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
}

/** A clock that stands still until it is moved; timers run as it passes them. */
export class HandClock implements Clock {
  #atMs: number
  #timers: { readonly dueMs: number; readonly act: () => void }[] = []

  constructor(atMs = 1_790_000_000_000) {
    this.#atMs = atMs
  }

  nowMs(): number {
    return this.#atMs
  }

  elapsedMs(): number {
    return this.#atMs
  }

  after(delayMs: number, act: () => void): () => void {
    const timer = { dueMs: this.#atMs + delayMs, act }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  get timers(): number {
    return this.#timers.length
  }

  forward(ms: number): void {
    const untilMs = this.#atMs + ms
    for (;;) {
      const [next] = this.#timers.filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)
      if (next === undefined) break
      this.#timers = this.#timers.filter((other) => other !== next)
      this.#atMs = Math.max(this.#atMs, next.dueMs)
      next.act()
    }
    this.#atMs = untilMs
  }
}

/** Resolves once `holds` does; fails after ten seconds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const deadlineMs = performance.now() + 10_000
  while (!holds()) {
    if (performance.now() > deadlineMs) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export const oneTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

export const pageSize = 4096

/** Pages overwritten with noise, as a failing disk does. */
export function stomp(path: string, pages: Iterable<number>, seed = 1): void {
  const descriptor = openSync(path, 'r+')
  let state = seed
  for (const page of pages) {
    const noise = Buffer.alloc(pageSize)
    for (let n = 0; n < pageSize; n += 1) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      noise[n] = state >> 16
    }
    writeSync(descriptor, noise, 0, pageSize, (page - 1) * pageSize)
  }
  closeSync(descriptor)
}
