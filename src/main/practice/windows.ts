/** Usage windows of a simulated account: they start on first use, fill with each call and renew by the clock. */

export interface PracticeWindow {
  readonly name: string
  readonly lengthMs: number
  /** Only models of this family count against it, or every model when null. */
  readonly family: string | null
  /** The family's calls count here and nowhere else (codex §4.1 `additional_rate_limits`). */
  readonly ownPool: boolean
  readonly usedPercent: number
  /** Null: not started. */
  readonly resetAtMs: number | null
  readonly percentPerCall: number
}

/** Windows past their reset are empty and wait for their next use. */
export function renewed(windows: readonly PracticeWindow[], nowMs: number): readonly PracticeWindow[] {
  return windows.map((window) =>
    window.resetAtMs !== null && window.resetAtMs <= nowMs ? { ...window, usedPercent: 0, resetAtMs: null } : window,
  )
}

/** The windows that a call to a model of this family counts against. */
export function counting(windows: readonly PracticeWindow[], family: string | null): readonly PracticeWindow[] {
  const own = windows.filter((window) => window.ownPool && window.family === family)
  if (own.length > 0) return own
  return windows.filter((window) => !window.ownPool && (window.family === null || window.family === family))
}

export function afterCall(
  windows: readonly PracticeWindow[],
  family: string | null,
  nowMs: number,
): readonly PracticeWindow[] {
  const counted = new Set(counting(windows, family))
  return windows.map((window) =>
    counted.has(window)
      ? {
          ...window,
          usedPercent: Math.min(100, rounded(window.usedPercent + window.percentPerCall)),
          resetAtMs: window.resetAtMs ?? nowMs + window.lengthMs,
        }
      : window,
  )
}

export const isFull = (window: PracticeWindow): boolean => window.usedPercent >= 100

/** The full window that renews last among those that count; null when the call may be served. */
export function blocking(windows: readonly PracticeWindow[], family: string | null): PracticeWindow | null {
  return counting(windows, family)
    .filter(isFull)
    .reduce<PracticeWindow | null>(
      (worst, window) => (worst === null || (window.resetAtMs ?? 0) > (worst.resetAtMs ?? 0) ? window : worst),
      null,
    )
}

/** The same windows with one spent until `untilMs`: the shortest that counts every model, or the family's own. */
export function spentUntil(
  windows: readonly PracticeWindow[],
  untilMs: number,
  family: string | null = null,
): readonly PracticeWindow[] {
  const candidates = windows.filter((window) => window.family === family)
  const shortest = candidates.reduce<PracticeWindow | null>(
    (least, window) => (least === null || window.lengthMs < least.lengthMs ? window : least),
    null,
  )
  return windows.map((window) => (window === shortest ? { ...window, usedPercent: 100, resetAtMs: untilMs } : window))
}

const rounded = (percent: number): number => Math.round(percent * 100) / 100
