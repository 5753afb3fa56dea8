/** A chart of several series over time, drawn by uPlot in the window's own colours; the table says the same in words. */
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { useChoices } from '../state/choices.ts'
import type { ChartData } from './chart-data.ts'
import 'uplot/dist/uPlot.min.css'

export interface PlotProps {
  readonly data: ChartData
  readonly name: string
  readonly valueText: (value: number) => string
  readonly timeText: (atMs: number) => string
  /** Columns for what is counted, lines for what is measured. */
  readonly isCounted: boolean
}

const height = 190
const timeWidth = 96
/** A line is known by its colour and its dashes. */
const looks = [
  { colour: '--good', dash: [] },
  { colour: '--bad', dash: [6, 4] },
  { colour: '--warn', dash: [2, 3] },
  { colour: '--ink-soft', dash: [10, 4] },
] as const

export function Plot({ data, name, valueText, timeText, isCounted }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const theme = useChoices((choices) => choices.theme)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme decides the colours
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const colourOf = colours(element)
    const axis = {
      stroke: colourOf('--ink-faint'),
      font: `11px ${getComputedStyle(document.body).fontFamily}`,
      grid: { stroke: colourOf('--line'), width: 1 },
      ticks: { show: false },
    }
    const { slotsMs } = data
    const [first = 0, second = 1] = slotsMs
    const last = slotsMs.at(-1) ?? 0
    const step = second - first
    // Times stand under slots, as many as have room.
    const every = Math.ceil((slotsMs.length * timeWidth) / Math.max(1, element.clientWidth))
    const splits = slotsMs.filter((_, place) => (slotsMs.length - 1 - place) % every === 0)
    const columns = uPlot.paths.bars?.({ size: [0.7, 40] })
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: () => [first - step * 0.6, last + step * 0.6] },
          y: { range: (_plot, _least, most) => [0, Math.max(1e-9, (most ?? 0) * 1.1)] },
        },
        axes: [
          {
            ...axis,
            splits: () => splits,
            values: (_plot, values) => values.map((value) => timeText(value)),
            size: 28,
          },
          { ...axis, values: (_plot, values) => values.map((value) => valueText(value)), size: 64 },
        ],
        series: [
          {},
          ...data.series.map((_, place) => {
            const look = looks[place % looks.length] ?? looks[0]
            const colour = colourOf(look.colour)
            return {
              stroke: colour,
              width: 2,
              dash: [...look.dash],
              points: { show: !isCounted, size: 5 },
              spanGaps: true,
              ...(isCounted && columns !== undefined ? { paths: columns, fill: colour, width: 0 } : {}),
            }
          }),
        ],
      },
      [[...data.slotsMs], ...data.series.map(({ values }) => [...values])],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [data, theme, valueText, timeText, isCounted])
  return (
    <figure className="plot">
      <div ref={box} role="img" aria-label={name} className="plot-box" />
      <figcaption className="plot-legend">
        {data.series.map(({ name: series }, place) => (
          <span key={series} className={`plot-key plot-key-${place % looks.length}`}>
            {series}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

/** A canvas doesn't know custom properties; a probe does. */
function colours(element: HTMLElement): (name: string) => string {
  const probe = document.createElement('span')
  return (name) => {
    element.append(probe)
    probe.style.color = `var(${name})`
    const colour = getComputedStyle(probe).color
    probe.remove()
    return colour
  }
}
