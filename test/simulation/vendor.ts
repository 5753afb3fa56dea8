/** Simulated subscription accounts: windows that fill, renew and keep books, so that every granted token is found again. */
import type { Reading } from '../../src/main/domain/quota.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export interface WindowRule {
  readonly name: 'five-hour' | 'weekly'
  readonly lengthMs: number
  /** Tokens per window. */
  readonly granted: number
  /** A window renews at this time and every length after it; null: it begins with the first use. */
  readonly phaseMs: number | null
}

/** One window from its beginning to its end: granted = used + lost + left. */
export interface Entry {
  readonly window: string
  readonly beganMs: number
  readonly endsMs: number
  readonly granted: number
  readonly used: number
  /** Not used when it ended. */
  readonly lost: number
  /** Not used so far, in a window still open. */
  readonly left: number
  /** What the window's last call took beyond the grant: a vendor lets a call finish that it has begun. */
  readonly over: number
}

class Meter {
  readonly rule: WindowRule
  readonly closed: Entry[] = []
  #beganMs: number | null = null
  #used = 0
  #over = 0

  constructor(rule: WindowRule, startMs: number) {
    this.rule = rule
    if (rule.phaseMs !== null) this.#beganMs = lastPhase(rule.phaseMs, rule.lengthMs, startMs)
  }

  get endsMs(): number | null {
    return this.#beganMs === null ? null : this.#beganMs + this.rule.lengthMs
  }

  get remaining(): number {
    return this.rule.granted - this.#used
  }

  get usedPercent(): number {
    return (100 * this.#used) / this.rule.granted
  }

  advance(nowMs: number): void {
    for (let ends = this.endsMs; ends !== null && ends <= nowMs; ends = this.endsMs) {
      this.closed.push(this.#entry(ends, this.remaining, 0))
      this.#used = 0
      this.#over = 0
      this.#beganMs = this.rule.phaseMs === null ? null : ends
    }
  }

  use(tokens: number, nowMs: number): void {
    this.#beganMs ??= nowMs
    const within = Math.min(tokens, this.remaining)
    this.#used += within
    this.#over += tokens - within
  }

  open(): Entry | null {
    return this.endsMs === null ? null : this.#entry(this.endsMs, 0, this.remaining)
  }

  #entry(endsMs: number, lost: number, left: number): Entry {
    const { name: window, granted, lengthMs } = this.rule
    return { window, beganMs: endsMs - lengthMs, endsMs, granted, used: this.#used, lost, left, over: this.#over }
  }
}

const lastPhase = (phaseMs: number, lengthMs: number, nowMs: number): number =>
  phaseMs + Math.floor((nowMs - phaseMs) / lengthMs) * lengthMs

export interface Limit {
  readonly window: string
  readonly resetAtMs: number
}

export class SimulatedAccount {
  readonly id: string
  readonly #meters: readonly Meter[]

  constructor(id: string, rules: readonly WindowRule[], startMs: number) {
    this.id = id
    this.#meters = rules.map((rule) => new Meter(rule, startMs))
  }

  /** Null when it served; otherwise the window that has no room left. */
  serve(tokens: number, nowMs: number): Limit | null {
    for (const meter of this.#meters) meter.advance(nowMs)
    const full = this.#meters.find(({ remaining }) => remaining === 0)
    if (full !== undefined) return { window: full.rule.name, resetAtMs: full.endsMs ?? nowMs + full.rule.lengthMs }
    for (const meter of this.#meters) meter.use(tokens, nowMs)
    return null
  }

  /** What its usage endpoint or its answer's headers say at this moment. */
  readings(nowMs: number, source: Reading['source']): readonly Reading[] {
    for (const meter of this.#meters) meter.advance(nowMs)
    return this.#meters.map((meter) => ({
      window: meter.rule.name,
      usedPercent: meter.usedPercent,
      lengthMs: meter.rule.lengthMs,
      resetAtMs: meter.endsMs,
      family: null,
      source,
      readAtMs: nowMs,
    }))
  }

  /** When its windows last renewed before `nowMs`, for the poll that follows each reset. */
  lastResetMs(nowMs: number): number {
    for (const meter of this.#meters) meter.advance(nowMs)
    return Math.max(0, ...this.#meters.map(({ closed }) => closed.at(-1)?.endsMs ?? 0))
  }

  /** Every window there was, the open ones last. */
  books(nowMs: number): readonly Entry[] {
    return this.#meters.flatMap((meter) => {
      meter.advance(nowMs)
      const open = meter.open()
      return open === null ? meter.closed : [...meter.closed, open]
    })
  }
}
