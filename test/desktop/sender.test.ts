/** Who may hand over a port, and which addresses are the window's own (threats T4.4). */
import { describe, expect, test } from 'vitest'
import { addressOf, isOurPage, isOurs } from '../../src/main/shell/desktop/address.ts'
import { type Contents, type Frame, isFromOurPage } from '../../src/main/shell/desktop/sender.ts'

const mainFrame: Frame = { url: 'app://pointsman/', parent: null, frameTreeNodeId: 7 }
const ours: Contents = { id: 1, mainFrame }

describe('a port is taken', () => {
  test.each(['app://pointsman/', 'app://pointsman/#models', 'app://pointsman/index.html'])('from %s', (url) => {
    expect(isFromOurPage({ sender: ours, senderFrame: { ...mainFrame, url } }, ours)).toBe(true)
  })
})

describe('T4.4 a port is refused', () => {
  const frame = (change: Partial<Frame>): Frame => ({ ...mainFrame, ...change })
  test.each([
    ['of another window', { sender: { ...ours, id: 2 }, senderFrame: mainFrame }, ours],
    ['of a frame inside the page', { sender: ours, senderFrame: frame({ parent: {}, frameTreeNodeId: 8 }) }, ours],
    ['of another main frame', { sender: ours, senderFrame: frame({ frameTreeNodeId: 8 }) }, ours],
    ['of a frame that has gone', { sender: ours, senderFrame: null }, ours],
    ['while there is no window', { sender: ours, senderFrame: mainFrame }, null],
  ] as const)('%s', (_name, sending, window) => {
    expect(isFromOurPage(sending, window)).toBe(false)
  })

  test.each([
    '',
    'about:blank',
    'about:srcdoc',
    'app://evil/',
    'app://pointsman.evil/',
    'app://evil/pointsman/',
    'app://pointsman@evil/',
    'app://user@pointsman/',
    'app://:secret@pointsman/',
    'app://pointsman:81/',
    'app:pointsman',
    'apps://pointsman/',
    'https://pointsman/',
    'http://pointsman/',
    'file:///pointsman/',
    'data:text/html,app://pointsman/',
    'blob:app://pointsman/1',
    'null',
  ])('of a page at %j', (url) => {
    expect([isOurs(url), isFromOurPage({ sender: ours, senderFrame: frame({ url }) }, ours)]).toEqual([false, false])
  })
})

test.each([
  ['app://pointsman/', true],
  ['app://pointsman/#settings', true],
  ['app://pointsman/?x=1', false],
  ['app://pointsman/index.html', false],
  ['app://pointsman//', false],
  ['app://evil/#', false],
])('a navigation to %s is a reload of the page: %s', (address, isPage) => {
  expect(isOurPage(address)).toBe(isPage)
})

test.each([
  [{ kind: 'settings' }, 'app://pointsman/#settings'],
  [{ kind: 'profiles' }, 'app://pointsman/#profiles'],
  [{ kind: 'add-account', provider: 'codex' }, 'app://pointsman/#add-account/codex'],
  [{ kind: 'sign-in', sourceId: 'a/b c' }, 'app://pointsman/#sign-in/a%2Fb%20c'],
] as const)('the errand %j has an address of our page', (errand, address) => {
  expect([addressOf(errand), isOurPage(addressOf(errand))]).toEqual([address, true])
})
