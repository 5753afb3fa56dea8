/** The window's listener against raw clients: whose Host and whose origin, on every route (T1.2 to T1.5). */
import { hostname, networkInterfaces } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { enter, fileMark, get, type Listening, listening, openGuard, routes, send } from './control-server-kit.ts'

let server: Listening

beforeEach(async () => {
  server = await listening()
})

afterEach(() => server.close())

const lanAddress = (): string =>
  Object.values(networkInterfaces())
    .flat()
    .find((found) => found?.family === 'IPv4' && !found.internal)?.address ?? '192.168.1.20'

/** Host lines that are not ours; `P` stands for our port, `Q` for another. */
const foreignNames = [
  'evil.test',
  'localhost.evil.test',
  '127.0.0.1.evil.test',
  'evil.test#127.0.0.1',
  'user@127.0.0.1',
  'localhost.',
  'foo.localhost',
  'foo.local',
  'foo.internal',
  hostname(),
  lanAddress(),
  '0.0.0.0',
  '[::]',
  '[::1]',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
  '127.1',
  '127.0.0.2',
  '0x7f.1',
  '2130706433',
  'ⅼocalhost',
  'xn--n3h.test',
  '%6c%6f%63alhost',
  `${'a'.repeat(300)}.test`,
]
const foreignHosts = [
  ...foreignNames.flatMap((name) => [`${name}:P`, `${name}:Q`, name]),
  '127.0.0.1:Q',
  '127.0.0.1',
  'localhost:Q',
  'localhost',
  '',
  ':P',
  '127.0.0.1:P:P',
  '127.0.0.1:P, evil.test',
  '127.0.0.1:P,127.0.0.1:P',
  '127.0.0.1:0P',
  'http://127.0.0.1:P',
  '127.0.0.1:P/',
]

const hostLine = (host: string): string =>
  `Host: ${host.replaceAll('P', String(server.port)).replaceAll('Q', String(server.port + 1))}`

const refusedOf = ({ status }: { readonly status: number }): boolean => [0, 400, 403, 421].includes(status)

describe('T1.3 T1.4 Host', () => {
  test('the table has at least 60 values', () => expect(foreignHosts.length).toBeGreaterThanOrEqual(60))

  test('no route answers a Host that is not exactly ours, whoever sends it', async () => {
    const { cookie } = await enter(server)
    const let_in: string[] = []
    for (const host of foreignHosts) {
      for (const route of routes) {
        const answer = await send(server.port, `GET ${route} HTTP/1.1`, [hostLine(host), `Cookie: ${cookie}`])
        if (!refusedOf(answer) || answer.raw.includes(fileMark)) let_in.push(`${host} ${route} ${answer.status}`)
      }
    }
    expect(let_in).toEqual([])
  })

  test('two Host lines, none, bare control characters and absolute targets are refused', async () => {
    const { cookie } = await enter(server)
    const ours = `Host: 127.0.0.1:${server.port}`
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['GET / HTTP/1.1', [ours, ours]],
      ['GET / HTTP/1.1', [ours, 'Host: evil.test']],
      ['GET / HTTP/1.1', []],
      ['GET / HTTP/1.0', []],
      ['GET / HTTP/1.1', [`${ours}\u0000`]],
      ['GET / HTTP/1.1', [`Host: \t127.0.0.1 :${server.port}`]],
      [`GET http://evil.test:${server.port}/ HTTP/1.1`, [ours]],
      [`GET http://127.0.0.1:${server.port}/ HTTP/1.1`, [ours]],
      [`GET //evil.test/ HTTP/1.1`, ['Host: evil.test']],
    ]
    const statuses = await Promise.all(
      cases.map(async ([first, lines]) => refusedOf(await send(server.port, first, [...lines, `Cookie: ${cookie}`]))),
    )
    expect(statuses).toEqual(cases.map(() => true))
  })

  test('ours are let in, in any case', async () => {
    const { cookie } = await enter(server)
    const hosts = ['127.0.0.1:P', 'localhost:P', 'LOCALHOST:P']
    const answers = hosts.map((host) => send(server.port, 'GET / HTTP/1.1', [hostLine(host), `Cookie: ${cookie}`]))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('negative control: without the guard the foreign Host gets the page', async () => {
    const open = await listening(openGuard)
    const { cookie } = await enter(open)
    const answer = await send(open.port, 'GET / HTTP/1.1', [`Host: evil.test:${open.port}`, `Cookie: ${cookie}`])
    expect([answer.status, answer.body.includes(fileMark)]).toEqual([200, true])
    await open.close()
  })
})

describe('T1.2 T1.5 origins and methods', () => {
  const foreignOrigins = (port: number): readonly string[] => [
    'null',
    'https://evil.test',
    `http://localhost:${port + 1}`,
    'http://127.0.0.1.evil.test',
    'chrome-extension://x',
    `https://127.0.0.1:${port}`,
    `http://localhost:${port}`,
  ]

  test('OPTIONS is refused everywhere, without one access-control header', async () => {
    const { cookie } = await enter(server)
    const origins = [...foreignOrigins(server.port), server.origin]
    for (const route of routes) {
      for (const origin of origins) {
        const lines = [`Host: 127.0.0.1:${server.port}`, `Origin: ${origin}`, `Cookie: ${cookie}`]
        const answer = await send(server.port, `OPTIONS ${route} HTTP/1.1`, [
          ...lines,
          'Access-Control-Request-Method: POST',
          'Access-Control-Request-Private-Network: true',
        ])
        expect([answer.status, /access-control/i.test(answer.raw)]).toEqual([403, false])
      }
    }
  })

  test('every method that could change something is refused, also to whoever is let in', async () => {
    const { cookie } = await enter(server)
    const lines = [`Host: 127.0.0.1:${server.port}`, `Origin: ${server.origin}`, `Cookie: ${cookie}`]
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      for (const route of routes) {
        const { status } = await send(server.port, `${method} ${route} HTTP/1.1`, [...lines, 'Content-Length: 0'])
        expect([method, route, status]).toEqual([method, route, 403])
      }
    }
  })

  test('a page from elsewhere reads nothing, with the cookie too', async () => {
    const { cookie } = await enter(server)
    const strangers = [
      ...foreignOrigins(server.port).map((origin) => `Origin: ${origin}`),
      'Sec-Fetch-Site: cross-site',
      'Sec-Fetch-Site: same-site',
      'Sec-Fetch-Site: ',
    ]
    for (const line of strangers) {
      for (const route of routes) {
        const { status } = await get(server.port, route, [line, `Cookie: ${cookie}`])
        expect([line, route, status]).toEqual([line, route, 403])
      }
    }
  })

  test('a link is not used up by a page from elsewhere', async () => {
    const link = new URL(server.openLink())
    const path = link.pathname + link.search
    const statuses: number[] = []
    for (const line of ['Sec-Fetch-Site: cross-site', 'Origin: https://evil.test', 'Sec-Fetch-Site: none']) {
      statuses.push((await get(server.port, path, [line])).status)
    }
    expect(statuses).toEqual([403, 403, 303])
  })
})
