/** Which changes are worth a notification, and what it says. */
import { describe, expect, test } from 'vitest'
import { noticesOf } from '../../src/main/shell/desktop/notices.ts'
import type { Outlook } from '../../src/main/shell/desktop/outlook.ts'
import { english, hourMs, nowMs, outlook, weekly, window, withAccount } from './outlooks.ts'

const said = (before: Outlook, after: Outlook): readonly string[] =>
  noticesOf(before, after, english).map(({ kind, title, body }) => [kind, title, body].filter(Boolean).join(' | '))

const claude = (windows: Parameters<typeof withAccount>[2]['windows'], more: Partial<Outlook> = {}): Outlook =>
  withAccount(outlook(more), 'claude-work', windows === undefined ? {} : { windows })
const toPersonal = {
  next: [
    { provider: 'claude', sourceId: 'claude-personal', label: 'Claude, personal', because: 'rank', isReady: true },
  ],
} as const

describe('says', () => {
  test.each([
    [
      'that little is left, when the window crosses 10 %',
      claude([window({ usedPercent: 89 })]),
      claude([window({ usedPercent: 90 })]),
      ['low | Claude, work: 10 % of its 5 h window left | It renews 16:00.'],
    ],
    [
      'that an account is used up, and where its calls go',
      claude([window({ usedPercent: 97 })]),
      claude([window({ usedPercent: 97, state: 'spent' })], toPersonal),
      ['exhausted | Claude, work is used up | Calls now go to Claude, personal. It is back 16:00.'],
    ],
    [
      'that nobody can take over',
      claude([window()]),
      claude([window({ usedPercent: 100 })], { next: [] }),
      ['exhausted | Claude, work is used up | No other account can take its calls. It is back 16:00.'],
    ],
    [
      'a window that only a refusal tells of',
      claude([weekly()]),
      claude([weekly(), window({ usedPercent: null, resetAtMs: null, state: 'spent', source: 'refusal' })], toPersonal),
      ['exhausted | Claude, work is used up | Calls now go to Claude, personal.'],
    ],
    [
      'that a window has renewed, once a reading shows it',
      claude([window({ state: 'spent' })]),
      claude([window({ usedPercent: 0, resetAtMs: nowMs + 5 * hourMs })]),
      ['reset | Claude, work: its 5 h window has renewed'],
    ],
    [
      'that quota is about to be wasted',
      { ...claude([weekly({ resetAtMs: nowMs + 6 * hourMs })]) },
      { ...claude([weekly({ resetAtMs: nowMs + 6 * hourMs })]), nowMs: nowMs + 1 },
      ['waste | Claude, work: 44 % of its week window unused | What is left ends 18:00.'],
    ],
    [
      'that a login is no longer accepted',
      outlook(),
      withAccount(outlook(), 'claude-work', { state: 'signed-out' }),
      ['sign-in | Claude, work is signed out | Sign in again; other accounts go on.'],
    ],
    [
      'that calls moved, when the one that served can’t for a while',
      outlook(),
      withAccount(outlook(toPersonal), 'claude-work', { state: 'resting', untilMs: nowMs + hourMs }),
      ['switched | Claude calls now go to Claude, personal | Claude, work can not serve now.'],
    ],
  ] as const)('%s', (_name, before, after, notices) => {
    expect(said(before, after)).toEqual(notices)
  })
})

describe('keeps silent', () => {
  test.each([
    ['while nothing changes', outlook(), outlook()],
    ['about a window that stays low', claude([window({ usedPercent: 91 })]), claude([window({ usedPercent: 95 })])],
    ['about little left in an old reading', claude([window()]), claude([window({ usedPercent: 95, state: 'stale' })])],
    [
      'about a reset that nothing has shown yet',
      claude([window({ state: 'spent' })]),
      claude([window({ state: 'reset-pending' })]),
    ],
    [
      'about short windows that always end soon',
      { ...claude([window()]) },
      { ...claude([window()]), nowMs: nowMs + hourMs },
    ],
    [
      'about 20 % that will be lost',
      claude([weekly({ usedPercent: 80, resetAtMs: nowMs + 7 * hourMs })]),
      { ...claude([weekly({ usedPercent: 80, resetAtMs: nowMs + 7 * hourMs })]), nowMs: nowMs + 2 * hourMs },
    ],
    ['about an account that was just added', outlook({ accounts: [] }), claude([window({ usedPercent: 100 })])],
    [
      'about an inactive account',
      outlook(),
      withAccount(outlook(), 'claude-work', {
        active: false,
        state: 'inactive',
        windows: [window({ usedPercent: 100 })],
      }),
    ],
    ['when a strategy rotates', outlook(), outlook(toPersonal)],
    [
      'about a rest of seconds',
      outlook(),
      withAccount(outlook(toPersonal), 'claude-work', { state: 'resting', untilMs: nowMs + 30_000 }),
    ],
    [
      'about an account that stays signed out',
      withAccount(outlook(), 'claude-work', { state: 'signed-out' }),
      withAccount(outlook(), 'claude-work', { state: 'signed-out' }),
    ],
  ] as const)('%s', (_name, before, after) => {
    expect(said(before, after)).toEqual([])
  })

  test('about what the person switched off; the move is then told by itself', () => {
    const before = outlook()
    const spent = withAccount(outlook(toPersonal), 'claude-work', {
      state: 'resting',
      windows: [window({ state: 'spent' })],
    })
    const off = (names: readonly string[]): Outlook => ({
      ...spent,
      settings: { ...spent.settings, ...Object.fromEntries(names.map((name) => [name, false])) },
    })
    expect(said(before, off([]))).toEqual([
      'exhausted | Claude, work is used up | Calls now go to Claude, personal. It is back 16:00.',
    ])
    expect(said(before, off(['notifyExhausted']))).toEqual([
      'switched | Claude calls now go to Claude, personal | Claude, work can not serve now.',
    ])
    expect(said(before, off(['notifyExhausted', 'notifySwitched']))).toEqual([])
  })
})

test('the same event has the same id, the next cycle’s another', () => {
  const id = (resetAtMs: number) =>
    noticesOf(claude([window()]), claude([window({ usedPercent: 95, resetAtMs })]), english).map((notice) => notice.id)
  expect([id(nowMs + 1), id(nowMs + 1), id(nowMs + 2)]).toEqual([
    [`low claude-work five-hour  ${nowMs + 1}`],
    [`low claude-work five-hour  ${nowMs + 1}`],
    [`low claude-work five-hour  ${nowMs + 2}`],
  ])
})
