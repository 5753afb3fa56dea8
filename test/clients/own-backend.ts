/**
 * The simulated ChatGPT backend under another path, for a Codex CLI that calls it without Pointsman: under the vendor's
 * own path the CLI first looks for workspaces there, in a way that is not known.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { onTestFinished } from 'vitest'

const own = '/codex/v1'

/** `base` ends before what the CLI adds; it is used up with the test. */
export async function ownBackend(codexOrigin: string): Promise<string> {
  const server = createServer(async (asked, answer) => {
    const { method = 'GET', url = '', headers } = asked
    const named = Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name) ? [[name, value]] : [],
    )
    const body = Buffer.concat(await asked.toArray())
    const got = await fetch(`${codexOrigin}/backend-api/codex${url.slice(own.length)}`, {
      method,
      headers: Object.fromEntries(named),
      ...(body.length === 0 ? {} : { body }),
    })
    answer.writeHead(got.status, { 'content-type': got.headers.get('content-type') ?? 'application/json' })
    if (got.body === null) answer.end()
    else await pipeline(Readable.fromWeb(got.body as never), answer).catch(() => {})
  })
  // It falls back to plain requests at once.
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${own}`
}
