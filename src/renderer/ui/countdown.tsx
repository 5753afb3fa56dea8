/** How long until something, from its absolute time; the date itself is in the tooltip. */
import { useNow } from '../state/now.ts'
import { useFormat } from '../text/format.ts'
import { Hint } from './tooltip.tsx'

const dayMs = 24 * 3_600_000

export interface CountdownProps {
  readonly atMs: number
  /** Puts the length of time into a sentence: `resets in 38 min`. */
  readonly relative: (duration: string) => string
  /** The same with a point in time, used from a day on: `Thu 07:00`. */
  readonly absolute: (time: string) => string
  /** Once it is past. */
  readonly over: string
}

export function Countdown({ atMs, relative, absolute, over }: CountdownProps) {
  const nowMs = useNow()
  const format = useFormat()
  const leftMs = atMs - nowMs
  const text =
    leftMs <= 0 ? over : leftMs < dayMs ? relative(format.duration(leftMs)) : absolute(format.soon(atMs, nowMs))
  return <Hint text={format.full(atMs)}>{text}</Hint>
}
