/** What a row says of a backend: badge, signal, one line; every kind of standing once. */
import { describe, expect, it } from 'vitest'
import type { Backend, Pool } from '../../../src/renderer/models/pools.ts'
import { rowState } from '../../../src/renderer/models/row-state.ts'
import { models as texts } from '../../../src/renderer/text/en/models.ts'
import { said } from '../../../src/renderer/text/en/said.ts'
import type { Format } from '../../../src/renderer/text/formatting.ts'

const nowMs = 1_000_000
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Enough of the format to see which moment and which length is told. */
const format: Format = {
  number: String,
  duration: (ms) => `${ms / minuteMs} min`,
  soon: (atMs) => `+${(atMs - nowMs) / hourMs} h`,
  full: String,
  day: String,
  bytes: String,
}

const backend = (change: Partial<Backend> = {}): Backend => ({
  backendId: 'team:m',
  sourceType: 'subscription',
  sourceId: 'team',
  sourceLabel: 'Team',
  provider: 'codex',
  upstreamModel: 'm',
  aliases: [],
  free: false,
  dialects: ['responses'],
  translates: [],
  enabled: true,
  weight: 1,
  health: 'healthy',
  usable: true,
  because: 'ready',
  sentence: '56 % left.',
  untilMs: null,
  usedPercent: 56,
  tightest: { window: 'weekly', family: null, resetAtMs: nowMs + 30 * hourMs },
  ...change,
})

const serving = (change: Partial<Pool['serving']> = {}): Pool['serving'] =>
  ({
    route: null,
    address: 'codex',
    client: 'codex',
    order: ['team:m', 'other:m'],
    excluded: [],
    sentence: '',
    ...change,
  }) as Pool['serving']

const stopped = (because: string, sentence: string, untilMs: number | null = null): Partial<Backend> => ({
  usable: false,
  because,
  sentence,
  untilMs,
})

const renews = nowMs + 30 * hourMs

describe('a row says', () => {
  it.each([
    ['who would serve now', {}, {}, ['now', 'good', '44 % of the week left, renews +30 h', renews]],
    [
      'who is next',
      {},
      { order: ['other:m', 'team:m'] },
      ['next', 'good', '44 % of the week left, renews +30 h', renews],
    ],
    ['the others are ready', {}, { order: ['a:m', 'b:m', 'team:m'] }, ['ready', 'good', expect.any(String), renews]],
    ['little left, as a warning', { usedPercent: 90 }, {}, ['now', 'warn', expect.stringMatching(/^10 %/), renews]],
    [
      'more than all used as nothing left',
      { usedPercent: 130 },
      {},
      ['now', 'warn', expect.stringMatching(/^0 %/), renews],
    ],
    [
      'a window of one model family',
      { tightest: { window: 'weekly:fable', family: 'fable', resetAtMs: null } },
      {},
      ['now', 'good', '44 % of the week (fable) left', null],
    ],
    [
      'a window it has no word for',
      { tightest: { window: '3h', family: null, resetAtMs: null } },
      {},
      ['now', 'good', '44 % of 3h left', null],
    ],
    ['a share whose window is not known', { tightest: null }, {}, ['now', 'good', '44 % left', null]],
    [
      'that nothing was read yet',
      { usedPercent: null, tightest: null },
      {},
      ['now', 'good', 'No quota read yet', null],
    ],
    [
      'what a key costs',
      { sourceType: 'api', usedPercent: null, tightest: null },
      {},
      ['now', 'good', 'Paid by use', null],
    ],
    [
      'what is free',
      { sourceType: 'local', free: true, usedPercent: null, tightest: null },
      {},
      ['now', 'good', 'Free', null],
    ],
    [
      'a short rest by its length',
      stopped('burst', 'Too many at once.', nowMs + 2 * minuteMs),
      { order: [] },
      ['resting', 'warn', 'Too many at once, back in 2 min', nowMs + 2 * minuteMs],
    ],
    [
      'a long one by the clock',
      stopped('exhausted:weekly', 'Weekly window spent.', renews),
      { order: [] },
      ['spent', 'warn', 'Weekly window spent, back +30 h', renews],
    ],
    ['no time that is over', stopped('cooldown', 'Failed.', nowMs), { order: [] }, ['resting', 'warn', 'Failed', null]],
    [
      'a rest of the only candidate, which serves all the same',
      stopped('burst', 'Burst.'),
      { order: ['team:m'] },
      ['now', 'warn', 'Burst', null],
    ],
    [
      'what only a person can mend',
      stopped('signed-out', 'Signed out: revoked.'),
      { order: [] },
      ['skipped', 'bad', 'Signed out: revoked', null],
    ],
    [
      'what is switched off here',
      { enabled: false, ...stopped('disabled', 'Switched off.') },
      { order: [] },
      ['off', 'off', 'Switched off', null],
    ],
    [
      'why this client is not served by it',
      {},
      {
        order: [],
        excluded: [{ backendId: 'team:m', because: 'genuine-client-only', sentence: 'It serves the Codex CLI only.' }],
      },
      ['skipped', 'off', 'It serves the Codex CLI only', null],
    ],
    [
      'what is refused as a whole, of no backend in particular',
      {},
      { order: [], excluded: [], sentence: 'Routing is paused.' },
      ['skipped', 'off', 'Routing is paused', null],
    ],
    [
      'that the address doesn’t reach it',
      {},
      { order: ['other:m'] },
      ['skipped', 'off', 'Not at /codex: it doesn’t join it', null],
    ],
  ] as const)('%s', (_, change, asked, [badge, tone, line, atMs]) => {
    const found = rowState(backend(change as Partial<Backend>), serving(asked as Partial<Pool['serving']>), nowMs, {
      texts,
      said,
      format,
    })
    expect(found).toEqual({ badge, tone, line, atMs })
  })
})
