/** The tables that the bench prints. */
import { median } from './figures.mjs'

const number = (value, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : '–')

function table(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One case: the median of every competitor's rounds. */
export function caseTable(name, runs) {
  const here = runs.filter((run) => run.case === name)
  const names = [...new Set(here.map((run) => run.competitor))]
  const head = [
    '',
    'req/s',
    'p50 µs',
    'p99 µs',
    'first byte p50',
    'event p50',
    'transit p99',
    'CPU µs/req',
    'MB',
    'bad',
    'others',
  ]
  const lines = names.map((competitor) => {
    const own = here.filter((run) => run.competitor === competitor)
    const middle = (value) => median(own.map(value))
    return [
      competitor,
      number(middle((run) => run.perSecond)),
      number(middle((run) => run.total?.p50)),
      number(middle((run) => run.total?.p99)),
      number(middle((run) => run.firstByte?.p50)),
      number(middle((run) => run.firstEvent?.p50)),
      number(middle((run) => run.transit?.p99)),
      number(
        middle((run) => run.cpuUs / run.done),
        1,
      ),
      number(Math.max(...own.map((run) => run.memoryMb.now))),
      String(own.reduce((sum, run) => sum + run.refused + run.failed + run.incomplete + run.disordered, 0)),
      `${number(Math.max(...own.map((run) => run.foreign)) * 100)} %`,
    ]
  })
  return `\n${name}\n${table([head, ...lines])}`
}

/** Every target: figure, range over the rounds, reached or not; and the bare numbers behind start, memory and leaving. */
export function targetTable(rows, { starts, idleMb, afterMb, growthMb, leaving }) {
  const digits = ({ unit }) => (unit === '×' ? 2 : unit === '' ? 0 : 1)
  const lines = rows.map((row) => [
    row.id,
    row.name,
    `${number(row.value, digits(row))} ${row.unit}`.trim(),
    row.low === row.high ? '' : `${number(row.low, digits(row))}–${number(row.high, digits(row))}`,
    row.target,
    row.reached ? 'reached' : 'MISSED',
  ])
  const bare = [
    [
      'start to first answer, ms',
      Object.fromEntries(Object.entries(starts).map(([name, list]) => [name, Math.round(median(list))])),
    ],
    ['memory idle, MB', rounded(idleMb)],
    ['memory after all load, MB', rounded(afterMb)],
    ['memory growth, 2nd to 3rd 100,000 requests, MB', growthMb === null ? 'left out' : rounded(growthMb)],
    ['client leaves, ms', leaving],
  ].map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `\n${bare.join('\n')}\n\n${table([['#', 'figure', 'value', 'range', 'target', ''], ...lines])}`
}

const rounded = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Math.round(value)]))
