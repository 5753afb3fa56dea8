/** Windows measured in answer headers: complete sets only, by stated length, never assumed (routing §7). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { providers } from '../../src/main/providers/index.ts'
import { dayMs, epoch, hourMs, nowMs } from './failure-case.ts'

type Row = readonly [name: string, headers: Readonly<Record<string, string | number>>, readings: readonly object[]]

const reading = (
  window: string,
  usedPercent: number,
  lengthMs: number,
  resetInMs: number,
  family: string | null = null,
) => ({
  window,
  usedPercent,
  lengthMs,
  resetAtMs: nowMs + resetInMs,
  family,
  source: 'header',
  readAtMs: nowMs,
})

const flat = (headers: Readonly<Record<string, string | number>>, prefix = ''): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => [prefix + name, String(value)])

const claudeRows: readonly Row[] = [
  [
    'scales fractions to percent',
    { '5h-utilization': 0.29, '5h-reset': epoch(hourMs), '7d-utilization': '0.125', '7d-reset': epoch(3 * dayMs) },
    [reading('five-hour', 29, 5 * hourMs, hourMs), reading('weekly', 12.5, 7 * dayMs, 3 * dayMs)],
  ],
  [
    'counts the Fable bucket for its family',
    { '7d_oi-utilization': 0.88, '7d_oi-reset': epoch(dayMs) },
    [reading('weekly:fable', 88, 7 * dayMs, dayMs, 'fable')],
  ],
  [
    'counts older and unknown scoped buckets for their family',
    {
      ...{
        '7d_opus-utilization': 1,
        '7d_opus-reset': epoch(dayMs),
        '7d_sonnet-utilization': 0,
        '7d_sonnet-reset': epoch(dayMs),
      },
      ...{ '7d_cowork-utilization': 0.5, '7d_cowork-reset': epoch(dayMs) },
    },
    [
      reading('weekly:opus', 100, 7 * dayMs, dayMs, 'opus'),
      reading('weekly:sonnet', 0, 7 * dayMs, dayMs, 'sonnet'),
      reading('weekly:cowork', 50, 7 * dayMs, dayMs, 'cowork'),
    ],
  ],
  [
    'keeps the raw percent over a hundred',
    { '5h-utilization': 1.07, '5h-reset': epoch(hourMs) },
    [reading('five-hour', 107, 5 * hourMs, hourMs)],
  ],
  [
    'reads a very small fraction in scientific notation',
    { '5h-utilization': '1e-05', '5h-reset': epoch(hourMs) },
    [reading('five-hour', 0.001, 5 * hourMs, hourMs)],
  ],
  [
    'keeps a window that has just ended',
    { '5h-utilization': 1, '5h-reset': epoch(-60_000) },
    [reading('five-hour', 100, 5 * hourMs, -60_000)],
  ],
  [
    'names another length by itself',
    { '30d-utilization': 0.5, '30d-reset': epoch(dayMs) },
    [reading('monthly', 50, 30 * dayMs, dayMs)],
  ],
  ['gives nothing without a reset', { '5h-utilization': 0.4 }, []],
  ['gives nothing without a share', { '5h-reset': epoch(hourMs), '5h-status': 'allowed' }, []],
  ['gives nothing for a name without a length', { 'fortnight-utilization': 0.4, 'fortnight-reset': epoch(hourMs) }, []],
  ['never takes paid overage for a window', { 'overage-utilization': 1, 'overage-reset': epoch(hourMs) }, []],
  ['gives nothing for a share on another scale', { '5h-utilization': 41, '5h-reset': epoch(hourMs) }, []],
  ['gives nothing for a reset over a year ahead', { '5h-utilization': 0.4, '5h-reset': epoch(400 * dayMs) }, []],
  ['gives nothing for a reset in milliseconds', { '5h-utilization': 0.4, '5h-reset': nowMs + hourMs }, []],
  [
    'gives nothing for words, signs and empty values',
    {
      '5h-utilization': '',
      '5h-reset': epoch(hourMs),
      '7d-utilization': '-0.1',
      '7d-reset': epoch(dayMs),
      '1h-utilization': 'NaN',
      '1h-reset': epoch(hourMs),
    },
    [],
  ],
]

const slot = (stem: string, percent: number | string, minutes: number | string, resetInMs: number) => ({
  [`${stem}-used-percent`]: percent,
  [`${stem}-window-minutes`]: minutes,
  [`${stem}-reset-at`]: epoch(resetInMs),
})

const codexRows: readonly Row[] = [
  [
    'names windows by length, also a week in the first slot',
    { ...slot('x-codex-primary', 42, 10_080, 3 * dayMs), ...slot('x-codex-secondary', '17.5', 300, hourMs) },
    [reading('weekly', 42, 7 * dayMs, 3 * dayMs), reading('five-hour', 17.5, 5 * hourMs, hourMs)],
  ],
  [
    'takes a zero length and an empty value for no window',
    {
      ...slot('x-codex-primary', 42, 300, hourMs),
      ...slot('x-codex-secondary', 0, 0, hourMs),
      'x-codex-other-primary-used-percent': '',
    },
    [reading('five-hour', 42, 5 * hourMs, hourMs)],
  ],
  [
    'takes the seconds where no absolute reset is given',
    {
      'x-codex-primary-used-percent': 5,
      'x-codex-primary-window-minutes': 43_200,
      'x-codex-primary-reset-after-seconds': 3600,
    },
    [reading('monthly', 5, 30 * dayMs, hourMs)],
  ],
  [
    'knows the family of another pool by its id',
    slot('x-codex-bengalfox-primary', 3, 300, hourMs),
    [reading('five-hour:spark', 3, 5 * hourMs, hourMs, 'spark')],
  ],
  [
    'knows the family of another pool by its name',
    { ...slot('x-codex-newfox-primary', 3, 300, hourMs), 'x-codex-newfox-limit-name': 'GPT-9-Codex-Spark' },
    [reading('five-hour:spark', 3, 5 * hourMs, hourMs, 'spark')],
  ],
  [
    'keeps an unknown pool under its id, where it counts against no model',
    slot('x-code-review-secondary', 90, 10_080, dayMs),
    [reading('weekly:code_review', 90, 7 * dayMs, dayMs, 'code_review')],
  ],
  [
    'keeps the tighter of two slots of one length',
    { ...slot('x-codex-primary', 42, 10_080, dayMs), ...slot('x-codex-secondary', 97, 10_080, 2 * dayMs) },
    [reading('weekly', 97, 7 * dayMs, 2 * dayMs)],
  ],
  [
    'keeps the tighter of two slots of one length when it comes first',
    { ...slot('x-codex-primary', 97, 10_080, 2 * dayMs), ...slot('x-codex-secondary', 42, 10_080, dayMs) },
    [reading('weekly', 97, 7 * dayMs, 2 * dayMs)],
  ],
  ['does not read the ratio of two limits as one', { 'x-codex-primary-over-secondary-limit-percent': 20 }, []],
  [
    'gives nothing without a length',
    { 'x-codex-primary-used-percent': 42, 'x-codex-primary-reset-at': epoch(hourMs) },
    [],
  ],
  ['gives nothing without a reset', { 'x-codex-primary-used-percent': 42, 'x-codex-primary-window-minutes': 300 }, []],
  [
    'gives nothing for garbage',
    { ...slot('x-codex-primary', 'lots', 300, hourMs), ...slot('x-codex-secondary', 1e9, '-5', hourMs) },
    [],
  ],
]

describe('readings from headers', () => {
  it.each(claudeRows)('claude %s', (_name, headers, readings) => {
    expect(providers.claude.readings(flat(headers, 'anthropic-ratelimit-unified-'), nowMs)).toEqual(readings)
    expect(providers.claude.readings(flat(headers, 'Anthropic-RateLimit-Unified-'), nowMs)).toEqual(readings)
  })

  it.each(codexRows)('codex %s', (_name, headers, readings) => {
    expect(providers.codex.readings(flat(headers), nowMs)).toEqual(readings)
  })

  it('reads no windows of keys and local providers', () => {
    const both = [
      ...flat(slot('x-codex-primary', 42, 300, hourMs)),
      ...flat({ '5h-utilization': 0.4, '5h-reset': epoch(hourMs) }, 'anthropic-ratelimit-unified-'),
    ]
    for (const kind of ['anthropic-compatible', 'openai-compatible', 'ollama'] as const) {
      expect(providers[kind].readings(both, nowMs)).toEqual([])
    }
  })

  it('T6.6 gives only believable readings, one per window, for 5,000 mutated header sets', () => {
    const rows = [
      ...claudeRows.map((row) => flat(row[1], 'anthropic-ratelimit-unified-')),
      ...codexRows.map((row) => flat(row[1])),
    ]
    const odd = fc.oneof(fc.string(), fc.constantFrom('', '0', '-1', 'NaN', '1e99', '0x1f', '٣', '1,5', ' 7 ', '00300'))
    fc.assert(
      fc.property(
        fc.constantFrom(...rows),
        fc.array(fc.tuple(fc.nat(), odd), { maxLength: 4 }),
        fc.boolean(),
        (row, changes, cut) => {
          const headers = [...row]
          for (const [at, value] of changes) headers[at % headers.length] = value
          if (cut) headers.pop()
          for (const kind of ['claude', 'codex'] as const) {
            const readings = providers[kind].readings(headers, nowMs)
            expect(new Set(readings.map(({ window }) => window)).size).toBe(readings.length)
            for (const { usedPercent, lengthMs, resetAtMs } of readings) {
              expect(usedPercent).toBeGreaterThanOrEqual(0)
              expect(usedPercent).toBeLessThanOrEqual(1_000)
              expect(lengthMs).toBeGreaterThan(0)
              expect(resetAtMs).toBeGreaterThan(0)
              expect(resetAtMs).toBeLessThanOrEqual(nowMs + 367 * dayMs)
            }
          }
        },
      ),
      { numRuns: 5_000 },
    )
  })
})
