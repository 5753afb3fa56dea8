/** The tray's menu and sign as data. */
import { describe, expect, test } from 'vitest'
import type { Outlook } from '../../src/main/shell/desktop/outlook.ts'
import { type MenuItem, type Platform, trayMenu } from '../../src/main/shell/desktop/tray-menu.ts'
import { trayPicture } from '../../src/main/shell/desktop/tray-picture.ts'
import { traySign, trayStates } from '../../src/main/shell/desktop/tray-state.ts'
import {
  account,
  chinese,
  english,
  hourMs,
  nowMs,
  outlook,
  personal,
  weekly,
  window,
  withAccount,
  work,
} from './outlooks.ts'

/** One line an item: what it is, its label, what it does. */
const lines = (items: readonly MenuItem[], depth = ''): readonly string[] =>
  items.flatMap((item) => {
    if (item.kind === 'separator') return ['—']
    if (item.kind === 'line') return [`${depth}${item.label}`]
    if (item.kind === 'group') return [`${depth}▸ ${item.label}`, ...lines(item.items, `${depth}  `)]
    const mark = item.kind === 'action' ? '' : item.checked ? '● ' : '○ '
    return [`${depth}${mark}${item.label} → ${JSON.stringify(item.act)}`]
  })

const menu = (from: Outlook, platform: Platform = 'linux', wording = english) =>
  lines(trayMenu(from, wording, platform))

describe('the menu', () => {
  const profiles = '{"kind":"errand","errand":{"kind":"profiles"}}'
  const codexAdd = '{"kind":"errand","errand":{"kind":"add-account","provider":"codex"}}'
  const claudeAdd = '{"kind":"errand","errand":{"kind":"add-account","provider":"claude"}}'
  const tail = [
    '○ Pause routing → {"kind":"pause"}',
    '▸ Default strategy',
    '  ● Ordered → {"kind":"strategy","id":"ordered"}',
    '  ○ Smart → {"kind":"strategy","id":"smart"}',
    '  ○ Least used → {"kind":"strategy","id":"least-used"}',
    'Copy address 127.0.0.1:7646 → {"kind":"copy","text":"http://127.0.0.1:7646"}',
    '—',
    'Open Pointsman → {"kind":"open"}',
    'Settings… → {"kind":"errand","errand":{"kind":"settings"}}',
    'Quit Pointsman → {"kind":"quit"}',
  ]
  const head = [
    'Routing',
    'Claude next: Claude, work (first in order)',
    'Codex next: Codex, team (the only one)',
    '—',
    `Claude, work: 5 h 71 % left, resets 16:00 · week 44 % left, resets Fri 07:00 → ${profiles}`,
    `Claude, personal: 5 h 71 % left, resets 16:00 · week 44 % left, resets Fri 07:00 → ${profiles}`,
    `Codex, team: week 62 % left, resets Fri 07:00 → ${profiles}`,
    '—',
  ]

  test('is flat on Linux but for the strategies', () => {
    expect(menu(outlook())).toEqual([
      ...head,
      `Add Claude account… → ${claudeAdd}`,
      `Add Codex account… → ${codexAdd}`,
      '—',
      ...tail,
    ])
  })

  test.each(['mac', 'windows'] as const)('groups what can be added on %s', (platform) => {
    expect(menu(outlook(), platform)).toEqual([
      ...head,
      '▸ Add account',
      `  Claude… → ${claudeAdd}`,
      `  Codex… → ${codexAdd}`,
      '—',
      ...tail,
    ])
  })

  test('says first what to do while there is no account', () => {
    expect(menu(outlook({ accounts: [], next: [] })).slice(0, 5)).toEqual([
      'Routing',
      'No account yet',
      '—',
      `Add Claude account… → ${claudeAdd}`,
      `Add Codex account… → ${codexAdd}`,
    ])
  })

  test('offers to sign in again by name, and to unlock the vault', () => {
    const base = outlook({ app: { vault: { kind: 'keychain', state: 'locked', why: 'x', unsaved: null } } as never })
    const out = withAccount(base, 'codex-team', { state: 'signed-out', windows: [] })
    const found = menu(out)
    expect(found).toContain('Unlock the vault… → {"kind":"unlock"}')
    expect(found).toContain(
      'Sign in again: Codex, team → {"kind":"errand","errand":{"kind":"sign-in","sourceId":"codex-team"}}',
    )
    expect(found).toContain(`Codex, team: sign in again → ${profiles}`)
  })

  test.each([
    [
      'a resting account says when it is back',
      { state: 'resting', untilMs: nowMs + hourMs },
      'resting · back 13:00 · 5 h 71 %',
    ],
    ['a missing value is a dash', { windows: [] }, 'Claude, work: – →'],
    ['a spent window has nothing left', { windows: [window({ usedPercent: null, state: 'spent' })] }, '5 h 0 % left'],
    ['a refusal without a number is not a number', { windows: [window({ usedPercent: null })] }, '5 h – % left'],
    ['a window of one family says whose', { windows: [weekly({ family: 'fable' })] }, 'week Fable 44 % left'],
    [
      'old readings are said to be old',
      { windows: [window({ state: 'stale' })] },
      '71 % left, resets 16:00 · old reading',
    ],
    [
      'a reset that is over is not promised',
      { windows: [window({ resetAtMs: nowMs - 1, state: 'reset-pending' })] },
      'work: 5 h 71 % left →',
    ],
    ['a reset a week ahead is a date', { windows: [weekly({ resetAtMs: nowMs + 168 * hourMs })] }, 'resets 9 Dec'],
  ] as const)('%s', (_name, change, text) => {
    expect(menu(withAccount(outlook(), 'claude-work', change))[4]).toContain(text)
  })

  test('pausing and practice are said first', () => {
    const paused = outlook({ app: { paused: true, practice: true } as never })
    expect([menu(paused)[0], menu(paused).find((line) => line.includes('Pause'))]).toEqual([
      'Routing is paused · Practice mode',
      '● Pause routing → {"kind":"resume"}',
    ])
  })

  test('T4.8 a foreign name can’t turn the text round or fill the screen', () => {
    const nasty = `\u202eevil\u0000 ${'x'.repeat(500)}`
    const line = menu(withAccount(outlook(), 'claude-work', { label: nasty }))[4] ?? ''
    expect(line.startsWith(`evil ${'x'.repeat(34)}…: 5 h`)).toBe(true)
  })

  test('speaks Chinese', () => {
    const found = menu(outlook(), 'linux', chinese)
    expect([found[0], found[1], found[4]]).toEqual([
      '正在路由',
      'Claude 下一个：Claude, work（排在首位）',
      `Claude, work: 5 小时剩余 71%，16:00 重置 · 每周剩余 44%，周五 07:00 重置 → ${profiles}`,
    ])
  })
})

describe('the sign', () => {
  const nobody = { next: outlook().next.map((found) => ({ ...found, isReady: false })) }
  const resting = outlook().accounts.map((known) => ({ ...known, state: 'resting' as const }))
  const closed = { vault: { kind: 'keychain', state: 'hung', why: 'x', unsaved: null } } as never
  test.each([
    ['all is well', outlook(), 'ok', 'routing'],
    ['there is no account yet', outlook({ accounts: [], next: [] }), 'ok', 'routing'],
    [
      'the next account has 10 % left',
      withAccount(outlook(), 'claude-work', { windows: [window({ usedPercent: 90 })] }),
      'low',
      'little-left',
    ],
    [
      'another account has little left',
      withAccount(outlook(), 'claude-personal', { windows: [window({ usedPercent: 99 })] }),
      'ok',
      'routing',
    ],
    [
      'what little is left was read long ago',
      withAccount(outlook(), 'claude-work', { windows: [window({ usedPercent: 95, state: 'stale' })] }),
      'stale',
      'readings-old',
    ],
    [
      'all readings of the next account are old',
      withAccount(outlook(), 'claude-work', {
        windows: [window({ state: 'stale' }), weekly({ state: 'reset-pending' })],
      }),
      'stale',
      'readings-old',
    ],
    [
      'one of its readings is fresh',
      withAccount(outlook(), 'claude-work', { windows: [window(), weekly({ state: 'stale' })] }),
      'ok',
      'routing',
    ],
    ['every account rests', outlook({ accounts: resting, ...nobody }), 'exhausted', 'nobody-can-serve'],
    ['one vendor’s accounts rest', outlook({ next: [outlook().next[0] as never] }), 'exhausted', 'nobody-can-serve'],
    ['routing is paused', outlook({ app: { paused: true } as never }), 'paused', 'paused'],
    ['the vault is closed', outlook({ app: closed }), 'error', 'vault-closed'],
    [
      'calls are not saved',
      outlook({ app: { saving: { saving: false, waiting: 1, dropped: 0, why: 'full' } } as never }),
      'error',
      'log-not-saved',
    ],
    [
      'the only account of a vendor is signed out',
      withAccount(outlook({ next: [outlook().next[0] as never] }), 'codex-team', { state: 'signed-out' }),
      'error',
      'sign-in-needed',
    ],
    ['one of two is signed out', withAccount(outlook(), 'claude-personal', { state: 'signed-out' }), 'ok', 'routing'],
    [
      'an inactive account rests',
      outlook({
        accounts: [work, personal, account('codex-team', 'x', { active: false, state: 'inactive' })],
        next: [outlook().next[0] as never],
      }),
      'ok',
      'routing',
    ],
  ] as const)('when %s', (_name, from, state, because) => {
    expect(traySign(from)).toEqual({ state, because })
  })

  test('has a picture of its own for every state and platform', () => {
    const names = trayStates.flatMap((state) =>
      (['mac', 'windows', 'linux'] as const).flatMap((platform) =>
        [true, false].map((isDark) => trayPicture(state, platform, isDark)),
      ),
    )
    expect(new Set(names).size).toBe(6 * 4)
    expect([trayPicture('ok', 'windows', true), trayPicture('ok', 'windows', false)]).toEqual([
      'ok-light.ico',
      'ok-dark.ico',
    ])
  })
})
