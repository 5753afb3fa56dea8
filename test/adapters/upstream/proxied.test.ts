/** Requests through a real proxy: plain ones by their whole address, TLS in a tunnel, certificates checked all the same (T6.5). */
import { readFileSync, rmSync } from 'node:fs'
import { request as ask, createServer, type Server } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { transportFailure } from '../../../src/main/adapters/upstream/failures.ts'
import { proxyChooser } from '../../../src/main/adapters/upstream/proxy.ts'
import { openUpstream } from '../../../src/main/adapters/upstream/undici-upstream.ts'
import { openDialer } from '../../../src/main/adapters/websocket/dial.ts'
import { certificates } from '../../certificates.ts'
import { until } from '../../program/start-core.ts'

const { folder, made } = certificates()
if (!made) console.log('skipped T6.5 through a proxy: no openssl here that makes certificates')
const at = (name: string): string => join(folder, name)
const undo: (() => unknown)[] = []
afterAll(async () => {
  for (const step of undo.reverse()) await step()
  rmSync(folder, { recursive: true, force: true })
})

async function portOf(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => server.close())
  return (server.address() as AddressInfo).port
}

const heard: string[] = []
/** What the proxy says to every CONNECT instead of opening a tunnel. */
let refusal: string | null = null
const proxy: Server = createServer((near, answer) => {
  heard.push(`${near.method} ${near.url} ${near.headers['proxy-authorization'] ?? ''}`)
  const far = ask(near.url ?? '', { method: near.method ?? '', headers: near.headers }, (found) => {
    answer.writeHead(found.statusCode ?? 0, found.rawHeaders)
    found.pipe(answer)
  })
  near.pipe(far)
}).on('connect', (head, near: Socket) => {
  heard.push(`CONNECT ${head.url} ${head.headers['proxy-authorization'] ?? ''}`)
  if (refusal === 'silence') {
    near.resume().on('end', () => heard.push('closed'))
    return
  }
  if (refusal !== null) {
    near.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 0\r\n\r\n`)
    return
  }
  const far = connect(Number(head.url?.split(':')[1]), '127.0.0.1', () => {
    near.write('HTTP/1.1 200 OK\r\n\r\n')
    far.pipe(near).pipe(far)
  })
  for (const one of [near, far]) one.on('error', () => one.destroy())
})

/** What comes of dialling a WebSocket by this proxy; it is asked for one frame. */
function dialled(url: string, origin: string): Promise<string> {
  const dialer = openDialer({
    wayTo: () => ({ kind: 'proxy', url }),
    failureOf: (cause) => transportFailure(cause, false),
  })
  const request = {
    origin,
    path: '/socket',
    headers: ['authorization', 'Bearer x'],
    proxy: url,
    limitBytes: 1_000,
    compress: false,
  }
  return new Promise((resolve) => {
    let cut = (): void => {}
    const giveUp = dialer.dial(request, {
      opened: (socket) => {
        cut = () => socket.cut()
        socket.send(Buffer.from('ping'))
      },
      refused: (status) => resolve(`refused with ${status}`),
      failed: ({ kind }) => resolve(kind),
      text: (frame) => {
        resolve(Buffer.from(frame).toString())
        cut()
      },
      drained: () => {},
      closed: () => {},
    })
    undo.push(giveUp)
  })
}

function echo(server: Server | TlsServer): typeof server {
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, { headers }) =>
    socket.on('message', (data) => socket.send(`${data} with ${headers.authorization}`)),
  )
  undo.push(() => sockets.close())
  return server
}

let proxyUrl = ''
let through: (
  origin: string,
  body?: string,
) => Promise<{ readonly status?: number; readonly text?: string; readonly kind?: string }>
beforeAll(async () => {
  const url = `http://person:pass@127.0.0.1:${await portOf(proxy)}`
  proxyUrl = url
  const upstream = openUpstream({ proxyFor: () => ({ kind: 'proxy', url }), ownPort: () => 0 })
  undo.push(() => upstream.close())
  through = (origin, body = '{}') => {
    const pieces = [Buffer.from(body)]
    const late = { headTimeoutMs: 10_000, idleTimeoutMs: 10_000 }
    const headers = ['content-type', 'application/json']
    const request = {
      origin,
      path: '/v1/responses',
      method: 'POST',
      headers,
      body: { pieces, length: body.length },
      proxy: url,
    }
    return new Promise((resolve) => {
      let [status, text] = [0, '']
      upstream.send(
        { ...request, ...late },
        {
          head: (found) => {
            status = found
          },
          data: (bytes) => {
            text += Buffer.from(bytes).toString()
          },
          end: () => resolve({ status, text }),
          failed: resolve,
        },
      )
    })
  }
})

test('a plain request is asked of the proxy by its whole address, with the login of the proxy', async () => {
  const origin = `http://127.0.0.1:${await portOf(createServer((near, answer) => near.pipe(answer)))}`
  heard.length = 0
  expect(await through(origin, '{"plain":1}')).toEqual({ status: 200, text: '{"plain":1}' })
  expect(heard).toEqual([`POST ${origin}/v1/responses Basic ${btoa('person:pass')}`])
})

test('a WebSocket goes through a tunnel, also a plain one', async () => {
  const port = await portOf(echo(createServer()))
  heard.length = 0
  expect(await dialled(proxyUrl, `http://127.0.0.1:${port}`)).toBe('ping with Bearer x')
  expect(heard).toEqual([`CONNECT 127.0.0.1:${port} Basic ${btoa('person:pass')}`])
})

describe('a proxy that opens no tunnel', () => {
  afterAll(() => {
    refusal = null
  })
  test.each(['407 Proxy Authentication Required', '502 Bad Gateway'])(
    '%s is told as the proxy’s doing',
    async (said) => {
      refusal = said
      expect(await through('https://127.0.0.1:1')).toMatchObject({ kind: 'proxy' })
      expect(await dialled(proxyUrl, 'https://127.0.0.1:1')).toBe('proxy')
    },
  )
  test('of one that says nothing the connection is closed once it is given up', async () => {
    refusal = 'silence'
    heard.length = 0
    const gone = dialled(proxyUrl, 'https://127.0.0.1:1')
    await until(() => heard.length === 1 || null, 'the proxy is asked')
    undo.pop()?.()
    await until(() => heard[1] === 'closed' || null, 'its connection is closed')
    expect(await Promise.race([gone, Promise.resolve('nothing')])).toBe('nothing')
  })
  test('nor one that isn’t there: no WebSocket, and nothing was sent', async () => {
    const gone = await portOf(createServer())
    await undo.splice(-1)[0]?.()
    expect(await dialled(`http://127.0.0.1:${gone}`, 'https://127.0.0.1:1')).toBe('unreachable')
  })
})

describe.skipIf(!made)('T6.5 TLS through a proxy', () => {
  const pair = (name: string) => ({ key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.pem`)) })
  beforeAll(() => {
    setDefaultCACertificates([...getCACertificates(), readFileSync(at('known.pem'), 'utf8')])
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  })
  afterAll(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  })

  test('T6.5 a tunnel serves where the certificate is good, and the proxy sees nothing of the request', async () => {
    const port = await portOf(createTlsServer(pair('good'), (near, answer) => near.pipe(answer)))
    heard.length = 0
    expect(await through(`https://127.0.0.1:${port}`, '{"secret":1}')).toEqual({ status: 200, text: '{"secret":1}' })
    expect(heard).toEqual([`CONNECT 127.0.0.1:${port} Basic ${btoa('person:pass')}`])
  })

  test('T6.5 a WebSocket opens in a tunnel where the certificate is good', async () => {
    const port = await portOf(echo(createTlsServer(pair('good'))))
    heard.length = 0
    expect(await dialled(proxyUrl, `https://127.0.0.1:${port}`)).toBe('ping with Bearer x')
    expect(heard).toEqual([`CONNECT 127.0.0.1:${port} Basic ${btoa('person:pass')}`])
  })

  test.each(['other-host', 'expired', 'unknown-authority', 'stranger'])(
    'T6.5 in a tunnel no WebSocket opens with a bad certificate (%s)',
    async (name) => {
      const server = createTlsServer(pair(name))
      server.on('tlsClientError', () => {})
      let asked = 0
      server.on('upgrade', (_head, socket) => {
        asked += 1
        socket.destroy()
      })
      expect(await dialled(proxyUrl, `https://127.0.0.1:${await portOf(server)}`)).toBe('tls-untrusted')
      expect(asked).toBe(0)
    },
  )

  test.each(['other-host', 'expired', 'unknown-authority', 'stranger'])(
    'T6.5 in a tunnel a bad certificate (%s) is refused, whatever NODE_TLS_REJECT_UNAUTHORIZED says',
    async (name) => {
      let asked = 0
      const server = createTlsServer(pair(name), () => {
        asked += 1
      })
      server.on('tlsClientError', () => {})
      expect(await through(`https://127.0.0.1:${await portOf(server)}`)).toMatchObject({ kind: 'tls-untrusted' })
      expect(asked).toBe(0)
    },
  )
})

describe('farion1231/cc-switch#4642 which proxy', () => {
  const isKnown = (): boolean => true
  const environment = {
    http: 'http://plain:1',
    https: 'http://tls:2',
    none: 'inside.test,.corp.test,10.0.0.8:8443,*.wild.test',
  }
  const choose = proxyChooser(() => environment, isKnown)
  const url = (text: string) => ({ kind: 'proxy', url: text })
  const direct = { kind: 'direct' }

  test.each([
    ['https://api.anthropic.com', null, url('http://tls:2')],
    ['http://gateway.test', null, url('http://plain:1')],
    ['https://api.anthropic.com', 'http://own:3', url('http://own:3')],
    ['https://inside.test', null, direct],
    ['https://a.inside.test', null, direct],
    ['https://notinside.test', null, url('http://tls:2')],
    ['https://a.corp.test', null, direct],
    ['https://a.wild.test', null, direct],
    ['https://10.0.0.8:8443', null, direct],
    ['https://10.0.0.8', null, url('http://tls:2')],
    // This machine needs no proxy, whoever names one (farion1231/cc-switch#7293).
    ['http://127.0.0.1:11434', 'http://own:3', direct],
    ['http://localhost:1', null, direct],
    ['http://[::1]:1', null, direct],
  ])('farion1231/cc-switch#4642 %s with %s of its own', (origin, own, expected) => {
    expect(choose(origin, own)).toEqual(expected)
  })

  test('farion1231/cc-switch#4679 an empty entry is none, and one that is no HTTP proxy is said so', () => {
    const none = proxyChooser(() => ({ http: null, https: null, none: null }), isKnown)
    expect(none('https://api.anthropic.com', null)).toEqual(direct)
    expect(choose('https://api.anthropic.com', 'socks5://x:1')).toMatchObject({ kind: 'malformed' })
    expect(choose('https://api.anthropic.com', 'nonsense')).toMatchObject({ kind: 'malformed' })
  })

  test('farion1231/cc-switch#4642 a change is followed by the next request', () => {
    let https: string | null = 'http://first:1'
    const following = proxyChooser(() => ({ http: null, https, none: null }), isKnown)
    expect(following('https://api.anthropic.com', null)).toEqual(url('http://first:1'))
    https = null
    expect(following('https://api.anthropic.com', null)).toEqual(direct)
  })
})
