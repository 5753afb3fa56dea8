/** Numbers and times as a person reads them, in local time. */

const two = (value: number): string => String(value).padStart(2, '0')

/** `2026-12-03 07:00:12`. */
export function timeText(atMs: number): string {
  const at = new Date(atMs)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** `12 s`, `4 min`, `3 h`, `2 d`: one unit, rounded down. */
export function spanText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}

/** Nano-USD: `$0.0019`, `-$1.2500`. */
export const usdText = (nano: number): string => `${nano < 0 ? '-' : ''}$${(Math.abs(nano) / 1e9).toFixed(4)}`

/** `850 ms`, `12.3 s`. */
export const durationText = (ms: number | null): string =>
  ms === null ? '–' : ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`

export const percentText = (percent: number | null): string => (percent === null ? '–' : `${Math.round(percent)} %`)

/** `1.2k`, `3.4M`. */
export function countText(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

interface Window {
  readonly window: string
  readonly usedPercent: number | null
  readonly state: string
}

/** `five-hour 42 %, weekly spent`: used, as the vendors say it. */
export function windowsText(windows: readonly Window[]): string {
  if (windows.length === 0) return '–'
  return windows
    .map(({ window, usedPercent, state }) => `${window} ${state === 'spent' ? 'spent' : percentText(usedPercent)}`)
    .join(', ')
}
