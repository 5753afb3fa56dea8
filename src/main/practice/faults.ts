/** What a person can do to a simulated source, by name; each takes the place of the one before. */
import type { Grants } from './grants.ts'
import type { Script } from './script.ts'
import { isFull, spentUntil } from './windows.ts'
import { type Fault, type PracticeSource, windowsNow } from './world.ts'

export interface FaultParts {
  readonly script: Script
  readonly grants: Grants
  readonly nowMs: number
  /** How long `exhaust` lasts. */
  readonly minutes: number
}

export function setFault(source: PracticeSource, fault: Fault, parts: FaultParts): void {
  const { script, grants, nowMs } = parts
  lift(source, parts)
  source.fault = fault
  switch (fault) {
    case 'none':
      return
    case 'exhaust':
      if (source.kind === 'account') {
        source.kept = windowsNow(source, nowMs)
        source.windows = spentUntil(source.kept, nowMs + parts.minutes * 60_000)
      } else {
        script.always(source.id, { reply: { kind: 'error', error: source.kind === 'key' ? 'spent' : 'burst' } })
      }
      return
    case 'overload':
      script.always(source.id, { reply: { kind: 'error', error: 'overloaded' } })
      return
    case 'cut':
      script.always(source.id, { wire: { end: { how: 'reset', afterEvents: 8 }, pieceDelayMs: 25 } })
      return
    case 'slow':
      script.always(source.id, { delayMs: 1_500, wire: { split: { every: 64 }, pieceDelayMs: 60 } })
      return
    case 'revoke':
      if (source.kind === 'account') grants.suspend(source)
      else if (source.kind === 'key') source.refusal = 'unauthorised'
      else script.always(source.id, { reply: { kind: 'error', error: 'unauthorised' } })
      return
  }
}

/** An exhausted account whose window has renewed by itself is in order again. */
export function settle(source: PracticeSource, nowMs: number): void {
  if (source.kind !== 'account' || source.fault !== 'exhaust' || windowsNow(source, nowMs).some(isFull)) return
  source.fault = 'none'
  source.kept = null
}

function lift(source: PracticeSource, { script, grants, nowMs }: FaultParts): void {
  script.always(source.id, null)
  if (source.kind === 'key') source.refusal = null
  if (source.kind !== 'account') return
  grants.restore(source)
  if (source.kept === null) return
  const exhausted = windowsNow(source, nowMs)
  const { kept } = source
  source.windows = exhausted.map((window) =>
    isFull(window) ? (kept.find((old) => old.name === window.name) ?? window) : window,
  )
  source.kept = null
}
