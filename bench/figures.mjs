/** From runs to figures: each the median of its per-round ratios, beside its target, reached or not. */
import { paceMs } from './cases.mjs'

const sorted = (values) => values.filter(Number.isFinite).toSorted((a, b) => a - b)

export function median(values) {
  const list = sorted(values)
  if (list.length === 0) return Number.NaN
  return (list[(list.length - 1) >> 1] + list[list.length >> 1]) / 2
}

const perSecond = (run) => run.perSecond
const p50 = (run) => run.total?.p50
const p99 = (run) => run.total?.p99
const firstEvent = (run) => run.firstEvent?.p50
const transitP99 = (run) => run.transit?.p99
const cpuPerRequest = (run) => run.cpuUs / run.done
const cpuPerEvent = (run) => run.cpuUs / run.events

/** Lookups in one bench's results. */
export function readings({ runs }) {
  const of = (name, competitor) => runs.filter((run) => run.case === name && run.competitor === competitor)
  /** One value a round, from the runs of several competitors in that round. */
  const perRound = (name, competitors, value) => {
    const lists = competitors.map((competitor) => of(name, competitor))
    return lists[0].flatMap((first) => {
      const same = lists.map((list) => list.find((run) => run.round === first.round))
      return same.includes(undefined) ? [] : [value(...same)]
    })
  }
  return {
    has: (competitor) => runs.some((run) => run.competitor === competitor),
    median: (name, competitor, value) => median(of(name, competitor).map(value)),
    ratio: (name, ours, base, value) => perRound(name, [ours, base], (a, b) => value(a) / value(b)),
    /** (ours − direct) / (relay − direct). */
    added: (name, ours, value) =>
      perRound(name, [ours, 'relay', 'direct'], (a, b, c) => (value(a) - value(c)) / (value(b) - value(c))),
    aboveDirectMs: (name, ours, value) => perRound(name, [ours, 'direct'], (a, b) => (value(a) - value(b)) / 1_000),
    all: (name, competitor, value) => of(name, competitor).map(value),
    sum: (name, competitor, value) => of(name, competitor).reduce((total, run) => total + value(run), 0),
  }
}

const lostOf = (run) => run.refused + run.failed + run.incomplete + run.disordered

/** Every target of the project that this bench can measure; `values` are per round, their median counts. */
export function targets({ runs, starts, idleMb, growthMb, leaving, stages, picks }) {
  const of = readings({ runs })
  const rows = []
  const atMost = (id, name, limit, values, unit = '×') =>
    rows.push(row(id, name, `≤ ${limit}`, values, unit, (x) => x <= limit))
  const atLeast = (id, name, limit, values, unit = '×') =>
    rows.push(row(id, name, `≥ ${limit}`, values, unit, (x) => x >= limit))
  const stage = (name) => stages.find((entry) => entry.stage === name)

  atMost(
    '1',
    'added p50, small JSON, 1 connection, without rows / relay',
    1.15,
    of.added('json, 1 connection', 'ours-without-rows', p50),
  )
  atMost('1', 'the same with rows', 1.5, of.added('json, 1 connection', 'ours', p50))
  atMost('2', 'p99, small JSON, 16 connections / relay', 1.5, of.ratio('json, 16 connections', 'ours', 'relay', p99))
  atLeast('3', 'requests/s, 16 connections / relay', 0.85, of.ratio('json, 16 connections', 'ours', 'relay', perSecond))
  atLeast('3', 'the same without rows', 0.85, of.ratio('json, 16 connections', 'ours-without-rows', 'relay', perSecond))
  if (of.has('nginx'))
    atLeast(
      '4',
      'requests/s, 16 connections / nginx',
      0.28,
      of.ratio('json, 16 connections', 'ours', 'nginx', perSecond),
    )
  if (of.has('http-proxy-3')) {
    atLeast(
      '5',
      'requests/s, 16 connections / http-proxy-3',
      2.2,
      of.ratio('json, 16 connections', 'ours', 'http-proxy-3', perSecond),
    )
  }
  if (of.has('llms'))
    atLeast(
      '6',
      'requests/s, 16 connections / best LLM gateway (llms)',
      10,
      of.ratio('json, 16 connections', 'ours', 'llms', perSecond),
    )
  atMost(
    '7',
    'CPU per request, 16 connections / relay',
    1.2,
    of.ratio('json, 16 connections', 'ours', 'relay', cpuPerRequest),
  )
  atLeast(
    '8',
    'requests/s, 256 connections / relay',
    0.85,
    of.ratio('json, 256 connections', 'ours', 'relay', perSecond),
  )
  atMost(
    '8',
    'failures in all small JSON cases',
    0,
    [smallCases.reduce((sum, name) => sum + of.sum(name, 'ours', lostOf), 0)],
    '',
  )
  atMost(
    '9',
    'first event p50, 1 connection / relay',
    1.2,
    of.ratio('stream, 1 connection', 'ours', 'relay', firstEvent),
  )
  atMost('9', 'first event above direct', 1, of.aboveDirectMs('stream, 1 connection', 'ours', firstEvent), 'ms')
  atMost(
    '10',
    '256 streams of 50 events/s: total p99 / direct',
    1.1,
    of.ratio('256 paced streams', 'ours', 'direct', p99),
  )
  atMost(
    '10',
    'lost or reordered events',
    0,
    [
      of.sum('256 paced streams', 'ours', lostOf) +
        streamCases.reduce((sum, name) => sum + of.sum(name, 'ours', lostOf), 0),
    ],
    '',
  )
  atMost(
    '11',
    '256 streams: transit of an event p99 / relay',
    1.5,
    of.ratio('256 paced streams', 'ours', 'relay', transitP99),
  )
  atMost('11', '256 streams: CPU per event / relay', 1.2, of.ratio('256 paced streams', 'ours', 'relay', cpuPerEvent))
  atMost(
    '12',
    '256 streams beside a 20 MB request: longest gap above the pace',
    60,
    of.all('256 paced streams beside 20 MB', 'ours', longestGapMs),
    'ms',
  )
  for (const size of ['100 KB', '2 MB', '20 MB']) {
    atMost('13', `body of ${size}, p50 / relay`, 1.25, of.ratio(`body ${size}`, 'ours', 'relay', p50))
  }
  if (of.has('nginx')) atMost('14', 'body of 20 MB, p50 / nginx', 4, of.ratio('body 20 MB', 'ours', 'nginx', p50))
  const inFlightMb = 80
  const peak = of.all(
    'four bodies of 20 MB at once',
    'ours',
    (run) => (run.memoryMb.highest - idleMb.ours) / inFlightMb,
  )
  atMost('15', 'peak memory with 4 × 20 MB above idle / bytes in flight', 2.5, peak)
  atMost(
    '16',
    'start to the first answer / relay',
    2,
    starts.ours.map((ms, round) => ms / starts.relay[round]),
  )
  atMost('17', 'memory idle above the relay', 25, [idleMb.ours - idleMb.relay], 'MB')
  if (growthMb !== null)
    atMost('18', 'memory growth from the 2nd to the 3rd 100,000 requests', 5, [growthMb.ours], 'MB')
  atMost('19', 'event loop held by the commit of 64 rows, p99', 2, [stage('commit of 64 rows').p99 / 1_000], 'ms')
  for (const kind of ['streaming', 'waiting']) {
    atMost('21', `upstream closed after the client left while ${kind}, p99`, 50, [leaving.ours[kind].p99], 'ms')
  }
  atMost('21', 'sockets left open afterwards', 0, [leaving.ours.leaked], '')
  for (const [backends, limit] of [
    [10, 20],
    [1_000, 2_000],
  ]) {
    const slowest = Math.max(...picks.filter((pick) => pick.backends === backends).map((pick) => pick.p50))
    atMost(
      'pick',
      `choice among ${backends} backends with 100,000 bindings, p50 of the slowest strategy`,
      limit,
      [slowest],
      'µs',
    )
  }
  return rows
}

const smallCases = [1, 16, 64, 256].map((count) => `json, ${count} connection${count === 1 ? '' : 's'}`)
const streamCases = [1, 16, 64, 256].map((count) => `stream, ${count} connection${count === 1 ? '' : 's'}`)
const longestGapMs = (run) => (run.gap === null ? Number.NaN : run.gap.max / 1_000 - paceMs)

function row(id, name, target, values, unit, isReached) {
  const list = sorted(values)
  const value = median(list)
  return {
    id,
    name,
    target: `${target} ${unit}`.trim(),
    value,
    unit,
    low: list[0],
    high: list.at(-1),
    reached: isReached(value),
  }
}
