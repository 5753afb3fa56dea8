/** One quota window as a meter: what is left, when it resets, and how far the value can be trusted. */
import { useNow } from '../state/now.ts'
import type { QuotaWindow } from '../state/sources.ts'
import type { Texts } from '../text/en.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { Countdown } from '../ui/countdown.tsx'
import { Meter } from '../ui/meter.tsx'
import { Hint } from '../ui/tooltip.tsx'

/** Below this much left a window is near its limit. */
const lowLeftPercent = 15
/** Coarse, so that the line rests. */
const ageStepMs = 10_000

export function QuotaMeter({ window }: { readonly window: QuotaWindow }) {
  const { profiles: texts, ui } = useTexts()
  const format = useFormat()
  const { usedPercent, resetAtMs, state } = window
  const left = state === 'spent' ? 0 : usedPercent === null ? null : Math.max(0, 100 - usedPercent)
  // Never rounded up to more than there is, nor down to nothing while something is left.
  const shown = left === null ? null : left > 0 && left < 1 ? 1 : Math.floor(left)
  const leftText = shown === null ? ui.missing : texts.left(format.number(shown))
  const isOld = state === 'stale' || state === 'reset-pending'
  const tone = isOld
    ? 'off'
    : left !== null && left <= 0
      ? 'bad'
      : left !== null && left < lowLeftPercent
        ? 'warn'
        : 'good'
  return (
    <Meter label={windowName(window, texts)} percent={left} text={leftText} tone={tone}>
      <span className={isOld ? 'quota-left is-old' : 'quota-left'}>{leftText}</span>
      {resetAtMs !== null && (
        <span className="quota-reset">
          {'· '}
          <Countdown atMs={resetAtMs} relative={texts.resetsIn} absolute={texts.resetsAt} over={texts.resetDue} />
        </span>
      )}
    </Meter>
  )
}

export function windowName({ window, family }: QuotaWindow, texts: Texts['profiles']): string {
  const base = family === null ? window : window.replace(family, '').replace(/^:|:$/g, '')
  const name = texts.windows[base] ?? base
  return family === null ? name : texts.windowOf(name, family.charAt(0).toUpperCase() + family.slice(1))
}

/** Where the numbers come from and how old the oldest of them is. */
export interface ProvenanceProps {
  readonly windows: readonly QuotaWindow[]
  /** The account takes no part, so its numbers don't either. */
  readonly isUnused: boolean
}

export function Provenance({ windows, isUnused }: ProvenanceProps) {
  const { profiles: texts, ui } = useTexts()
  const format = useFormat()
  const nowMs = useNow(ageStepMs)
  const oldest = windows.reduce((a, b) => (b.readAtMs < a.readAtMs ? b : a))
  const ageMs = nowMs - oldest.readAtMs
  const age = ageMs < ageStepMs ? ui.justNow : ui.ago(format.duration(ageMs))
  const isOld = windows.some(({ state }) => state === 'stale')
  const text = isUnused ? texts.unused(age) : isOld ? texts.stale(age) : texts.readings[oldest.source](age)
  return <Hint text={format.full(oldest.readAtMs)}>{text}</Hint>
}
