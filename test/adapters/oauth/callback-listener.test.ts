/** The loopback listener over real sockets: what it answers, to whom, and how it takes and gives back its port. */
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcp } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { callbackHost } from '../../../src/main/adapters/oauth/callback-listener.ts'
import type { CallbackVerdict } from '../../../src/main/sign-in-ports.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function freePort(): Promise<number> {
  const server = createTcp()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function listening(verdict: CallbackVerdict = 'refused', ports?: readonly number[]) {
  const queries: string[] = []
  let cancelled = 0
  const listener = await callbackHost.listen(ports ?? [await freePort()], {
    callback(query) {
      queries.push(query)
      return verdict
    },
    cancelled: () => {
      cancelled += 1
    },
  })
  if (listener === null) throw new Error('no port could be had')
  undo.push(() => listener.close())
  return { listener, port: listener.port, queries, cancelled: () => cancelled }
}

/** Status and body of a raw request, which may be as wrong as it likes. */
function raw(port: number, text: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(text))
    let answer = ''
    socket.on('data', (bytes) => {
      answer += bytes.toString()
    })
    socket.on('error', reject)
    socket.on('close', () =>
      resolve({ status: Number(answer.split(' ')[1]), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) }),
    )
  })
}

const get = (port: number, target: string, more = '', host = `localhost:${port}`, method = 'GET') =>
  raw(port, `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`)

const refused =
  '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Pointsman</title>' +
  '<p>This sign-in is not known here. Start it again in Pointsman.</p></html>\n'

it('T1.9 hands on the query of a GET on the exact path, and answers in fixed words', async () => {
  const { port, queries } = await listening('accepted')
  const answer = await get(port, '/auth/callback?code=echo-me&state=b')
  expect([answer.status, queries]).toEqual([200, ['code=echo-me&state=b']])
  expect(answer.body).toContain('Pointsman has the sign-in.')
  expect(answer.body).not.toContain('echo-me')
})

it.each([
  ['POST', '/auth/callback?code=a&state=b', 'localhost', 405],
  ['HEAD', '/auth/callback?code=a&state=b', 'localhost', 405],
  ['GET', '/auth/callback/?code=a&state=b', 'localhost', 404],
  ['GET', '/auth/Callback?code=a&state=b', 'localhost', 404],
  ['GET', '/', 'localhost', 404],
  ['GET', '/auth/callback?code=a&state=b', 'evil.test', 403],
  ['GET', '/auth/callback?code=a&state=b', 'localhost.evil.test', 403],
  ['POST', '/cancel', 'localhost', 405],
])('T1.9 %s %s for %s is answered %#, and nobody hears of it', async (method, target, name, status) => {
  const { port, queries, cancelled } = await listening()
  const answer = await get(port, target, '', `${name}:${port}`, method)
  expect([answer.status, queries, cancelled()]).toEqual([status, [], 0])
  expect(answer.body).toBe(method === 'HEAD' ? '' : refused)
})

it('T1.9 refuses the right host with another port, and two Host lines', async () => {
  const { port, queries } = await listening()
  const target = '/auth/callback?code=a&state=b'
  const twice = await get(port, target, `Host: localhost:${port}\r\n`)
  const other = await get(port, target, '', 'localhost:1')
  expect([twice.status >= 400, other.status, queries]).toEqual([true, 403, []])
})

it('T1.9 a callback with a bad state gets the same page as any other stray', async () => {
  const { port } = await listening('refused')
  expect(await get(port, '/auth/callback?error=<script>alert(1)</script>')).toEqual({ status: 400, body: refused })
})

it('leaves for another program that asks, but not for a page in a browser', async () => {
  const { port, cancelled } = await listening()
  expect((await get(port, '/cancel', 'Sec-Fetch-Site: cross-site\r\n')).status).toBe(403)
  expect((await get(port, '/cancel', 'Origin: https://evil.test\r\n')).status).toBe(403)
  expect(cancelled()).toBe(0)
  expect((await get(port, '/cancel')).status).toBe(200)
  expect(cancelled()).toBe(1)
})

it('gives the port back, and answers nothing afterwards', async () => {
  const { listener, port } = await listening()
  await listener.close()
  await expect(get(port, '/auth/callback?code=a&state=b')).rejects.toThrow()
  const again = await listening('refused', [port])
  expect(again.port).toBe(port)
})

it('F58 asks an earlier listener to leave, and takes its port', async () => {
  const earlier = createServer((asked, answer) => {
    answer.end('bye')
    if (asked.url === '/cancel') earlier.close()
  })
  const port = await opened(earlier)
  const { port: got } = await listening('refused', [port])
  expect(got).toBe(port)
})

it('F58 takes the second port when the first one stays taken, and none when both do', async () => {
  const stubborn = createServer((_, answer) => answer.end('no'))
  const first = await opened(stubborn)
  const second = await freePort()
  expect((await listening('refused', [first, second])).port).toBe(second)
  expect(await callbackHost.listen([first], { callback: () => 'refused', cancelled: () => {} })).toBe(null)
})

async function opened(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return (server.address() as AddressInfo).port
}
