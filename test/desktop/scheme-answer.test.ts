/** The window's own scheme serves the files that it has, at its own address, and nothing else (T4.1, T7.7). */
import { describe, expect, test } from 'vitest'
import { pageAddress } from '../../src/main/shell/desktop/address.ts'
import { schemeAnswer } from '../../src/main/shell/desktop/scheme-answer.ts'

const file = (type: string, lasting: boolean) => ({ type, bytes: Buffer.from(`a file of ${type}`), lasting })
const files = new Map([
  ['/', file('text/html; charset=utf-8', false)],
  ['/assets/main.js', file('text/javascript; charset=utf-8', true)],
])
const ask = (url: string, method = 'GET') => schemeAnswer({ method, url }, files)

describe('T4.1 what the window loads', () => {
  test('T4.1 comes under a policy that lets no other code in, whatever is asked', async () => {
    for (const url of [pageAddress, `${pageAddress}assets/main.js`, `${pageAddress}nothing`]) {
      const { headers } = ask(url)
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self'/)
      expect([headers.get('x-content-type-options'), headers.get('x-frame-options')]).toEqual(['nosniff', 'DENY'])
    }
  })

  test('T4.1 the control: its own files are served, named ones for good', async () => {
    const page = ask(`${pageAddress}#settings`)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const code = ask(`${pageAddress}assets/main.js`)
    expect([code.headers.get('cache-control'), await code.text()]).toEqual([
      'private, max-age=31536000, immutable',
      'a file of text/javascript; charset=utf-8',
    ])
  })

  test.each([
    'app://elsewhere/',
    'app://pointsman.evil/',
    'app://pointsman@evil/',
    'app://person@pointsman/',
    'https://pointsman/',
    'file:///etc/passwd',
    `${pageAddress}../../etc/passwd`,
    `${pageAddress}assets/../../main.js`,
    `${pageAddress}%2e%2e/%2e%2e/etc/passwd`,
    `${pageAddress}assets%2fmain.js`,
    `${pageAddress}assets/main.js%00`,
    `${pageAddress}assets/`,
    `${pageAddress}/assets/main.js`,
    'nonsense',
  ])('T7.7 %s is nothing', (url) => expect(ask(url).status).toBe(404))

  test.each(['POST', 'PUT', 'HEAD', 'OPTIONS'])('T7.7 a %s is nothing', (method) =>
    expect(ask(pageAddress, method).status).toBe(404),
  )
})
