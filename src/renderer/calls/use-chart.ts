/** Reads what is charted, and again when calls or readings have come in. */
import { useEffect, useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { onChange } from '../state/areas.ts'
import type { Texts } from '../text/en.ts'
import { useTexts } from '../text/texts.ts'
import {
  type ChartData,
  type ChartSpan,
  lastOf,
  type Metric,
  type Sample,
  type Series,
  slotsOf,
  summed,
} from './chart-data.ts'
import type { Names } from './names.ts'

/** A month of many calls takes seconds to sum up. */
const restMs = 5_000
const mostSeries = 8

export interface ChartAnswer {
  readonly data: ChartData | null
  readonly problem: Problem | null
}

export function useChart(metric: Metric, span: ChartSpan, names: Names): ChartAnswer {
  const { calls: texts } = useTexts()
  const [answer, setAnswer] = useState<ChartAnswer & { readonly asked: string }>({
    data: null,
    problem: null,
    asked: '',
  })
  const { sources } = names
  const asked = `${metric} ${span}`
  useEffect(() => {
    let isLeft = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    const read = async () => {
      isReading = true
      try {
        const data = await dataOf(metric, span, sources, texts)
        if (!isLeft) setAnswer({ data, problem: null, asked })
      } catch (cause) {
        const problem = problemOf(cause)
        if (!isLeft && problem.code !== 'connection') setAnswer({ data: null, problem, asked })
      }
      isReading = false
    }
    void read()
    const stop = onChange(metric === 'quota' ? 'quota' : 'calls', () => {
      if (isLeft || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        if (!isReading) void read()
      }, restMs)
    })
    return () => {
      isLeft = true
      clearTimeout(timer)
      stop()
    }
  }, [metric, span, sources, texts, asked])
  return answer.asked === asked ? answer : { data: null, problem: null }
}

async function dataOf(
  metric: Metric,
  span: ChartSpan,
  sources: ReadonlyMap<string, string>,
  texts: Texts['calls'],
): Promise<ChartData> {
  const nowMs = Date.now()
  const offsetMs = -new Date(nowMs).getTimezoneOffset() * 60_000
  const slots = slotsOf(span, nowMs, offsetMs)
  const { slotsMs, fromMs, toMs, stepMs } = slots
  if (metric === 'quota') return { slotsMs, series: await quotaSeries(sources, texts, slots) }
  const totals = await client.calls.stats({ fromMs, toMs, stepMs, offsetMs })
  const { series } = texts
  switch (metric) {
    case 'calls':
      return {
        slotsMs,
        series: [
          { name: series.calls, values: summed(totals, slots, (one) => one.calls) },
          { name: series.failed, values: summed(totals, slots, (one) => one.failed) },
        ],
      }
    case 'tokens':
      return {
        slotsMs,
        series: [
          { name: series.input, values: summed(totals, slots, (one) => one.inputTokens) },
          { name: series.output, values: summed(totals, slots, (one) => one.outputTokens) },
        ],
      }
    case 'cost':
      return { slotsMs, series: [{ name: series.cost, values: summed(totals, slots, (one) => one.cost / 1e9) }] }
  }
}

/** One line for each window of each account that has been read in this time. */
async function quotaSeries(
  sources: ReadonlyMap<string, string>,
  texts: Texts['calls'],
  slots: ReturnType<typeof slotsOf>,
): Promise<readonly Series[]> {
  const windows = await client.quota.windows({})
  const accounts = [...new Set(windows.map(({ sourceId }) => sourceId))]
  const { fromMs, toMs } = slots
  const histories = await Promise.all(
    accounts.map(async (sourceId) => ({ sourceId, samples: await client.quota.history({ sourceId, fromMs, toMs }) })),
  )
  return histories
    .flatMap(({ sourceId, samples }) => {
      const byWindow = new Map<string, Sample[]>()
      for (const sample of samples) {
        const name = sample.family === null ? (texts.windows[sample.window] ?? sample.window) : sample.window
        byWindow.set(name, [...(byWindow.get(name) ?? []), sample])
      }
      const label = sources.get(sourceId) ?? sourceId
      return [...byWindow].map(([name, own]) => ({ name: `${label} · ${name}`, values: lastOf(own, slots) }))
    })
    .slice(0, mostSeries)
}
