/** Calls, tokens, cost and quota over time: as a chart, or the same numbers as a table. */
import { useCallback, useState } from 'react'
import { useLanguage } from '../state/choices.ts'
import { localeOf } from '../text/locale.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { useCallFormat } from './call-format.ts'
import { type ChartSpan, chartSpans, type Metric, metrics } from './chart-data.ts'
import type { Names } from './names.ts'
import { Plot } from './plot.tsx'
import { Table } from './reasons.tsx'
import { useChart } from './use-chart.ts'
import '../styles/charts.css'

export function Charts({ names }: { readonly names: Names }) {
  const { calls: texts, ui } = useTexts()
  const format = useCallFormat()
  const locale = localeOf[useLanguage()]
  const [metric, setMetric] = useState<Metric>('calls')
  const [span, setSpan] = useState<ChartSpan>('day')
  const [isTable, setTable] = useState(false)
  const { data, problem } = useChart(metric, span, names)
  const valueText = useCallback(
    (value: number) => {
      if (metric === 'cost') return format.money(value * 1_000_000_000)
      return metric === 'quota' ? `${format.count(value)} %` : format.count(value)
    },
    [metric, format],
  )
  const timeText = useCallback(
    (atMs: number) =>
      new Intl.DateTimeFormat(
        locale,
        span === 'day'
          ? { hour: '2-digit', minute: '2-digit' }
          : { day: 'numeric', month: 'short', ...(span === 'week' ? { hour: '2-digit' as const } : {}) },
      ).format(atMs),
    [locale, span],
  )
  const name = texts.chartName(texts.metrics[metric], texts.chartSpans[span])
  const isEmpty = data?.series.every(({ values }) => values.every((value) => value === null))
  return (
    <section className="charts" aria-label={texts.charts}>
      <div className="charts-head">
        <Select
          label={texts.metric}
          value={metric}
          choices={metrics.map((id) => ({ id, text: texts.metrics[id] }))}
          onChange={setMetric}
          isBare
        />
        <Select
          label={texts.chartSpan}
          value={span}
          choices={chartSpans.map((id) => ({ id, text: texts.chartSpans[id] }))}
          onChange={setSpan}
          isBare
        />
        <Button kind="quiet" onPress={() => setTable(!isTable)}>
          {isTable ? texts.asChart : texts.asTable}
        </Button>
      </div>
      <ProblemNotice problem={problem} />
      {isEmpty && <p className="charts-empty">{texts.noHistory}</p>}
      {data !== null && !isEmpty && isTable && (
        <Table
          name={name}
          heads={[texts.time, ...data.series.map((series) => visible(series.name))]}
          rows={data.slotsMs
            .map((slotMs, place) => [
              timeText(slotMs),
              ...data.series.map(({ values }) => {
                const value = values[place] ?? null
                return value === null ? ui.missing : valueText(value)
              }),
            ])
            .toReversed()}
        />
      )}
      {data !== null && !isEmpty && !isTable && (
        <Plot data={data} name={name} valueText={valueText} timeText={timeText} isCounted={metric !== 'quota'} />
      )}
    </section>
  )
}
