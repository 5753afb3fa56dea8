/** What is charted: sums and readings of a span of time, in equal slots; pure. */

export const chartSpans = ['day', 'week', 'month'] as const
export type ChartSpan = (typeof chartSpans)[number]
export const metrics = ['calls', 'tokens', 'cost', 'quota'] as const
export type Metric = (typeof metrics)[number]

export interface Series {
  readonly name: string
  /** One for each slot; null where nothing is known. */
  readonly values: readonly (number | null)[]
}

export interface ChartData {
  readonly slotsMs: readonly number[]
  readonly series: readonly Series[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const stepOf: Readonly<Record<ChartSpan, number>> = { day: hourMs, week: 6 * hourMs, month: dayMs }
const countOf: Readonly<Record<ChartSpan, number>> = { day: 24, week: 28, month: 30 }

export interface Slots {
  readonly slotsMs: readonly number[]
  readonly stepMs: number
  readonly fromMs: number
  readonly toMs: number
}

/** Slots that begin at whole steps of local time; the present one is the last. */
export function slotsOf(span: ChartSpan, nowMs: number, offsetMs: number): Slots {
  const stepMs = stepOf[span]
  const last = Math.floor((nowMs + offsetMs) / stepMs) * stepMs - offsetMs
  const count = countOf[span]
  const slotsMs = Array.from({ length: count }, (_, place) => last - (count - 1 - place) * stepMs)
  return { slotsMs, stepMs, fromMs: last - (count - 1) * stepMs, toMs: last + stepMs }
}

export interface Totals {
  readonly slotMs: number
  readonly calls: number
  readonly failed: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number
}

/** Sums of all sources, slot by slot; a slot without calls is 0, not unknown. */
export function summed(totals: readonly Totals[], { slotsMs }: Slots, of: (one: Totals) => number): readonly number[] {
  const sums = new Map<number, number>()
  for (const one of totals) sums.set(one.slotMs, (sums.get(one.slotMs) ?? 0) + of(one))
  return slotsMs.map((slotMs) => sums.get(slotMs) ?? 0)
}

export interface Sample {
  readonly atMs: number
  readonly usedPercent: number
}

/** The last reading of each slot, oldest first as they come. */
export function lastOf(samples: readonly Sample[], { slotsMs, stepMs }: Slots): readonly (number | null)[] {
  const last = new Map<number, number>()
  const [first = 0] = slotsMs
  for (const { atMs, usedPercent } of samples) last.set(Math.floor((atMs - first) / stepMs), usedPercent)
  return slotsMs.map((_, place) => last.get(place) ?? null)
}
