/** The shell's small pure parts: arguments, language, where the window was, launch at login, the scheme's answers. */
import { describe, expect, test } from 'vitest'
import { addressOf, type Errand, pageAddress } from '../../src/main/shell/desktop/address.ts'
import { readArguments } from '../../src/main/shell/desktop/arguments.ts'
import { autostartFile } from '../../src/main/shell/desktop/autostart.ts'
import { visibleBounds } from '../../src/main/shell/desktop/desktop-file.ts'
import { languageOf } from '../../src/main/shell/desktop/text.ts'
import { errandIn } from '../../src/renderer/state/errand.ts'
import { PointsmanError } from '../../src/shared/errors.ts'

const nothing = { dataDir: null, port: null, vault: null, practice: false, traffic: false, hidden: false }

describe('arguments', () => {
  test.each([
    [[], nothing],
    [['.', '--practice', '--traffic'], { ...nothing, practice: true, traffic: true }],
    [['--data-dir', '/x', '--port', '0', '--vault=file'], { ...nothing, dataDir: '/x', port: 0, vault: 'file' }],
    [['--hidden', '--no-sandbox', '--remote-debugging-port=0', '-psn_0_1'], { ...nothing, hidden: true }],
  ] as const)('%j', (words, options) => {
    expect(readArguments(words)).toEqual(options)
  })

  test.each([[['--port', 'many']], [['--port', '70000']], [['--port']], [['--vault', 'pocket']]])(
    '%j is refused',
    (words) => {
      expect(() => readArguments(words)).toThrow(PointsmanError)
    },
  )
})

test.each([
  ['system', ['de-DE', 'zh-Hans-CN', 'en'], 'zh'],
  ['system', ['de-DE'], 'en'],
  ['system', [], 'en'],
  ['system', ['en-US', 'zh-CN'], 'en'],
  ['zh', ['en-US'], 'zh'],
  ['en', ['zh-CN'], 'en'],
] as const)('language %s on a desktop that speaks %j is %s', (chosen, spoken, language) => {
  expect(languageOf(chosen, spoken)).toBe(language)
})

describe('the window comes back where it was', () => {
  const screen = { x: 0, y: 0, width: 1_280, height: 800 }
  const at = (x: number, y: number) => ({ x, y, width: 1_000, height: 700 })
  test.each([
    ['on its screen', at(100, 50), [screen], at(100, 50)],
    ['half off it', at(1_000, 50), [screen], at(1_000, 50)],
    ['on a second screen', at(1_400, 0), [screen, { ...screen, x: 1_280 }], at(1_400, 0)],
    ['not where no screen is any more', at(1_400, 0), [screen], null],
    ['not by a sliver', at(1_250, 0), [screen], null],
    ['not at first', null, [screen], null],
  ] as const)('%s', (_name, bounds, screens, expected) => {
    expect(visibleBounds(bounds, screens)).toEqual(expected)
  })
})

test('an autostart file names the program as the desktop reads it', () => {
  const line = (program: string) => autostartFile(program).split('\n')[3]
  expect([line('/opt/Pointsman/pointsman'), line('/home/a b/100%/"x"$y`z`\\')]).toEqual([
    'Exec="/opt/Pointsman/pointsman" --hidden',
    'Exec="/home/a b/100%%/\\\\"x\\\\"\\\\$y\\\\`z\\\\`\\\\\\\\" --hidden',
  ])
})

test.each<Errand>([
  { kind: 'settings' },
  { kind: 'add-account', provider: 'claude' },
  { kind: 'sign-in', sourceId: 'codex-team' },
  { kind: 'sign-in', sourceId: 'ä/%2F #?' },
])('the window reads the errand %j that the shell sends', (errand) => {
  const fragment = new URL(addressOf(errand)).hash.slice(1)
  expect(addressOf(errand).startsWith(`${pageAddress}#`)).toBe(true)
  expect(errandIn(fragment)).toEqual(errand)
})

test.each(['', 'models', 'calls', 'add-account/other', 'sign-in/', 'settings-x'])('%j is no errand', (fragment) => {
  expect(errandIn(fragment)).toBeNull()
})
