/** The window's listener against raw clients: which link, which cookie, which token, and what it answers (T1.5 to T1.10). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startControlServer } from '../../src/main/shell/headless/window/control-server.ts'
import {
  enter,
  fileMark,
  files,
  get,
  type Listening,
  listening,
  MemoryShelf,
  openGuard,
  readAnswer,
  routes,
  send,
  socketMark,
  upgrade,
} from './control-server-kit.ts'
import { rawSend } from './raw-socket.ts'

let server: Listening

beforeEach(async () => {
  server = await listening()
})

afterEach(() => server.close())

describe('T1.6 one-time links', () => {
  const visit = async (link: string) => {
    const { pathname, search } = new URL(link)
    return get(server.port, pathname + search)
  }

  test('a link leads to a clean address with a cookie that scripts and other sites never see', async () => {
    const answer = await visit(server.openLink())
    expect([answer.status, answer.headers.location, answer.headers['referrer-policy']]).toEqual([
      303,
      '/',
      'no-referrer',
    ])
    expect(answer.headers['set-cookie']).toMatch(
      new RegExp(`^pointsman_${server.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000$`),
    )
  })

  test('it works once', async () => {
    const link = server.openLink()
    expect([(await visit(link)).status, (await visit(link)).status]).toEqual([303, 401])
  })

  test('it works for a minute', async () => {
    const [early, late] = [server.openLink(), server.openLink()]
    server.pass(59_999)
    const first = (await visit(early)).status
    server.pass(2)
    expect([first, (await visit(late)).status]).toEqual([303, 401])
  })

  test('asking with HEAD does not use it up', async () => {
    const link = server.openLink()
    const { pathname, search } = new URL(link)
    const head = await send(server.port, `HEAD ${pathname}${search} HTTP/1.1`, [`Host: 127.0.0.1:${server.port}`])
    expect([head.status, (await visit(link)).status]).toEqual([401, 303])
  })

  test('each has 32 random bytes, and nothing that is kept tells them', async () => {
    const links = Array.from({ length: 50 }, () => new URL(server.openLink()).searchParams.get('link') ?? '')
    expect(new Set(links).size).toBe(50)
    expect(links.every((link) => Buffer.from(link, 'base64url').length === 32)).toBe(true)
    const { cookie, token } = await enter(server)
    const kept = JSON.stringify(server.shelf.sessions)
    expect([kept.includes(token), kept.includes(cookie.split('=')[1] ?? '')]).toEqual([false, false])
  })

  test('a session ends after thirty days', async () => {
    const { cookie } = await enter(server)
    server.pass(30 * 24 * 3_600_000 - 1)
    const before = (await get(server.port, '/', [`Cookie: ${cookie}`])).status
    server.pass(1)
    expect([before, (await get(server.port, '/', [`Cookie: ${cookie}`])).status]).toEqual([200, 401])
  })
})

describe('T1.5 T1.8 the socket', () => {
  const linesOf = (parts: { host?: string; origin?: string | null; cookie?: string; protocol?: string }) => [
    `Host: ${parts.host ?? `127.0.0.1:${server.port}`}`,
    ...(parts.origin === null ? [] : [`Origin: ${parts.origin ?? server.origin}`]),
    ...(parts.cookie === undefined ? [] : [`Cookie: ${parts.cookie}`]),
    ...(parts.protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${parts.protocol}`]),
  ]

  test('origin, cookie and token are each needed, and all three are enough', async () => {
    const { cookie, token } = await enter(server)
    const other = await enter(server)
    const protocol = `pointsman, ${token}`
    const foreign = `http://127.0.0.1:${server.port + 1}`
    const cases = [
      [linesOf({ cookie, protocol }), 101],
      [linesOf({ cookie, protocol, host: `localhost:${server.port}`, origin: `http://localhost:${server.port}` }), 101],
      [linesOf({ cookie, protocol, origin: null }), 403],
      [linesOf({ cookie, protocol, origin: 'null' }), 403],
      [linesOf({ cookie, protocol, origin: foreign }), 403],
      [linesOf({ cookie, protocol, origin: `http://localhost:${server.port}` }), 403],
      [linesOf({ cookie, protocol, host: 'evil.test', origin: 'http://evil.test' }), 403],
      [[...linesOf({ cookie, protocol }), `Origin: ${foreign}`], 403],
      [[...linesOf({ cookie, protocol, origin: foreign }), `X-Forwarded-Host: 127.0.0.1:${server.port}`], 403],
      [[...linesOf({ cookie, protocol, origin: foreign }), `Forwarded: host=127.0.0.1:${server.port}`], 403],
      [[...linesOf({ cookie, protocol }), 'Sec-Fetch-Site: cross-site'], 403],
      [linesOf({ protocol }), 401],
      [linesOf({ cookie }), 401],
      [linesOf({ cookie, protocol: 'pointsman' }), 401],
      [linesOf({ cookie, protocol: `pointsman, ${other.token}` }), 401],
      [linesOf({ cookie: other.cookie, protocol }), 401],
      [linesOf({ cookie, protocol: token }), 401],
      [linesOf({ cookie: `${cookie}x`, protocol }), 401],
    ] as const
    const statuses: number[] = []
    for (const [lines] of cases) statuses.push((await upgrade(server.port, lines)).status)
    expect(statuses).toEqual(cases.map(([, status]) => status))
    expect(server.served.length).toBe(2)
  })

  test('negative control: without the guard a foreign page with a token is served', async () => {
    const open = await listening(openGuard)
    const { cookie, token } = await enter(open)
    const answer = await upgrade(open.port, [
      `Host: 127.0.0.1:${open.port}`,
      'Origin: https://evil.test',
      `Cookie: ${cookie}`,
      `Sec-WebSocket-Protocol: pointsman, ${token}`,
    ])
    expect([answer.status, answer.raw.includes(socketMark)]).toEqual([101, true])
    await open.close()
  })

  test('the token is handed out once: the cookie alone never brings it again', async () => {
    const { cookie, token } = await enter(server)
    const again = await get(server.port, '/', [`Cookie: ${cookie}`])
    expect([token.length, again.status, again.body.includes('content=""')]).toEqual([43, 200, true])
  })

  test('a session outlives a restart on the same port', async () => {
    const { cookie, token } = await enter(server)
    const { port, shelf } = server
    await server.close()
    server = await listening(undefined, shelf, port)
    const answer = await upgrade(port, linesOf({ cookie, protocol: `pointsman, ${token}` }))
    expect(answer.status).toBe(101)
  })

  test('the cookie is named after the port, so that two programs do not sign each other out', async () => {
    const second = await listening()
    const [one, two] = [await enter(server), await enter(second)]
    const both = `Cookie: ${two.cookie}; ${one.cookie}`
    expect([(await get(server.port, '/', [both])).status, (await get(second.port, '/', [both])).status]).toEqual([
      200, 200,
    ])
    expect((await get(second.port, '/', [`Cookie: ${one.cookie}`])).status).toBe(401)
    await second.close()
  })
})

describe('T1.7 T1.10 answers', () => {
  test('every answer carries the headers that keep pages out', async () => {
    const { cookie } = await enter(server)
    const { pathname, search } = new URL(server.openLink())
    const answers = await Promise.all([
      get(server.port, '/', [`Cookie: ${cookie}`]),
      get(server.port, '/nothing', [`Cookie: ${cookie}`]),
      get(server.port, '/'),
      get(server.port, '/', ['Origin: https://evil.test']),
      get(server.port, pathname + search),
      upgrade(server.port, [`Host: 127.0.0.1:${server.port}`]),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 403, 303, 403])
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
      const policy = headers['content-security-policy'] ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(policy).not.toMatch(/unsafe|nonce|\*|data:|http/)
    }
  })

  test('to strangers all paths are the same, and none names the program', async () => {
    const paths = [...routes, ...Array.from({ length: 43 }, (_, index) => `/${'abc/'.repeat(index % 5)}p${index}.json`)]
    const answers = new Set<string>()
    for (const path of paths) answers.add((await get(server.port, path)).raw)
    expect(answers.size).toBe(1)
    const [only = ''] = answers
    expect(only).not.toMatch(/pointsman|\d+\.\d+\.\d+|node/i)
    expect(readAnswer(only).status).toBe(401)
  })

  test('nonsense on the wire ends the connection and nothing else', async () => {
    const junk = ['\u0016\u0003\u0001\u0002\u0000', 'GET\r\n\r\n', `GET / HTTP/1.1\r\n${'a'.repeat(70_000)}`]
    for (const bytes of junk) {
      const { text } = await rawSend(server.port, [bytes], /./).catch(() => ({ text: '' }))
      expect(text).not.toContain(fileMark)
    }
    const { cookie } = await enter(server)
    expect((await get(server.port, '/', [`Cookie: ${cookie}`])).status).toBe(200)
  })

  test('a taken port is said so', async () => {
    const taken = startControlServer({
      port: server.port,
      files,
      shelf: new MemoryShelf(),
      nowMs: () => 0,
      serve: () => {},
    })
    await expect(taken).rejects.toMatchObject({ problem: { code: 'port_in_use' } })
  })
})
