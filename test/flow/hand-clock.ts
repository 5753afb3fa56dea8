/** Time in the hands of a test. */
import type { Clock } from '../../src/main/ports.ts'

/** A clock that a test moves; due acts run in their order. */
export function handClock(): Clock & { advance(ms: number): void } {
  let now = 0
  let acts: { readonly at: number; readonly act: () => void }[] = []
  return {
    nowMs: () => now,
    elapsedMs: () => now,
    after(delayMs, act) {
      const entry = { at: now + delayMs, act }
      acts.push(entry)
      return () => {
        acts = acts.filter((other) => other !== entry)
      }
    },
    advance(ms) {
      const until = now + ms
      for (;;) {
        const next = acts.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        acts = acts.filter((other) => other !== next)
        now = next.at
        next.act()
      }
      now = until
    },
  }
}
