/** The loopback listener that a sign-in in the browser comes back to: exact path, GET only, fixed pages (threats T1.9). */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallbackHooks, CallbackHost, CallbackListener, CallbackVerdict } from '../../sign-in-ports.ts'

const path = '/auth/callback'
const cancelPath = '/cancel'
/** As the vendor's CLI waits for a listener that was asked to leave (codex §1.1). */
const tries = 10
const tryEveryMs = 200
const politeMs = 1_000

const page = (sentence: string): string =>
  `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Pointsman</title><p>${sentence}</p></html>\n`

const pages: Readonly<Record<CallbackVerdict, { readonly status: number; readonly html: string }>> = {
  accepted: { status: 200, html: page('Pointsman has the sign-in. You can close this page.') },
  denied: { status: 200, html: page('The sign-in was not given. You can close this page.') },
  refused: { status: 400, html: page('This sign-in is not known here. Start it again in Pointsman.') },
}

export const callbackHost: CallbackHost = {
  async listen(ports, hooks) {
    for (const port of ports) {
      const listener = await take(port, hooks)
      if (listener !== null) return listener
    }
    return null
  },
}

/** Asks whoever holds the port to leave, once, and waits about two seconds for it. */
async function take(port: number, hooks: CallbackHooks): Promise<CallbackListener | null> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const server = await open(port, hooks)
    if (server !== null) return listenerOf(server)
    if (attempt === 0) await askToLeave(port)
    else await new Promise((resolve) => setTimeout(resolve, tryEveryMs))
  }
  return null
}

function open(port: number, hooks: CallbackHooks): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 10_000 }, (asked, answer) => {
      asked.resume()
      reply(asked, answer, hooks)
    })
    server.once('error', () => resolve(null))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })
}

function listenerOf(server: Server): CallbackListener {
  const { port } = server.address() as AddressInfo
  server.on('error', () => {})
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        // An answer under way is still sent; connections that wait for nothing are not waited for.
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

/** Everything that isn't a callback as it should be gets the same words, whatever is wrong with it. */
function reply(asked: IncomingMessage, answer: ServerResponse, hooks: CallbackHooks): void {
  const { port } = asked.socket.address() as AddressInfo
  const [target, query] = split(asked.url ?? '')
  const status = refusalOf(asked, target, port)
  if (status !== null) send(answer, status, pages.refused.html)
  else if (target === path) {
    const verdict = hooks.callback(query)
    send(answer, pages[verdict].status, pages[verdict].html)
  } else {
    send(answer, 200, page('The sign-in was cancelled.'))
    hooks.cancelled()
  }
}

function refusalOf(asked: IncomingMessage, target: string, port: number): number | null {
  const host = asked.headersDistinct.host ?? []
  const isOurHost = host.length === 1 && (host[0] === `localhost:${port}` || host[0] === `127.0.0.1:${port}`)
  if (!isOurHost) return 403
  if (target !== path && target !== cancelPath) return 404
  if (asked.method !== 'GET') return 405
  // For programs of this machine: a page that a browser shows can't end a sign-in.
  const isPage = asked.headers['sec-fetch-site'] !== undefined || asked.headers.origin !== undefined
  return target === cancelPath && isPage ? 403 : null
}

function split(url: string): readonly [string, string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

function send(answer: ServerResponse, status: number, html: string): void {
  answer.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  answer.end(html)
}

/** Resolves whether or not anybody answered. */
function askToLeave(port: number): Promise<void> {
  return new Promise((resolve) => {
    const asking = request({ host: '127.0.0.1', port, path: cancelPath, timeout: politeMs, agent: false }, (answer) => {
      answer.resume()
      answer.once('close', resolve)
    })
    asking.once('timeout', () => asking.destroy())
    asking.once('error', () => resolve())
    asking.once('close', () => resolve())
    asking.end()
  })
}
