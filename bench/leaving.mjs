/** How soon the upstream's connection closes once the client has left, while it streams and while it waits. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { socketsOf } from './machine.mjs'

const chatterMs = 5
const mostWaitMs = 3_000

/** An upstream that streams for ever, or never answers; it tells who arrived and who is gone. */
export class LastingUpstream {
  open = 0
  #arrived = null
  #closed = null
  #server

  constructor() {
    this.#server = createServer((request, response) => {
      request.resume()
      const isStream = request.headers['x-stainless-lang'] === 'stream'
      this.open += 1
      request.socket.once('close', () => {
        this.open -= 1
        this.#closed?.(performance.now())
      })
      request.on('end', () => {
        if (isStream) chatter(response)
        this.#arrived?.()
      })
    })
  }

  async listen(port) {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** The next request has come in whole. */
  arrival() {
    return new Promise((resolve) => (this.#arrived = resolve))
  }

  /** When the next connection closes. */
  closing() {
    return new Promise((resolve) => (this.#closed = resolve))
  }

  close() {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

function chatter(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } }
  const text = `event: content_block_delta\ndata: ${JSON.stringify(event)}\n\n`
  response.write(text)
  const timer = setInterval(() => response.write(text), chatterMs)
  response.on('close', () => clearInterval(timer))
}

/** `trials` of each kind; milliseconds from the client's leaving to the close that the upstream sees. */
export async function measureLeaving(competitor, upstream, trials, body) {
  const before = socketsOf(competitor.id)
  const times = { streaming: [], waiting: [] }
  for (let trial = 0; trial < trials; trial += 1) {
    for (const kind of ['streaming', 'waiting']) times[kind].push(await leave(competitor, upstream, kind, body))
  }
  return { ...summary(times), ...(await leftOver(competitor, upstream, before)) }
}

async function leave({ port, headers }, upstream, kind, body) {
  const arrival = upstream.arrival()
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  const lines = [
    ...['POST /v1/messages HTTP/1.1', `host: 127.0.0.1:${port}`, 'content-type: application/json'],
    ...[`content-length: ${body.length}`, `x-stainless-lang: ${kind === 'streaming' ? 'stream' : 'none'}`],
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  client.write(`${lines.join('\r\n')}\r\n\r\n`)
  client.write(body)
  await (kind === 'streaming' ? once(client, 'data') : arrival)
  const closing = upstream.closing()
  const left = performance.now()
  client.destroy()
  const closed = await Promise.race([closing, after(mostWaitMs, Number.POSITIVE_INFINITY)])
  return closed - left
}

/** Connections that are still open although all have left; some time is given. */
async function leftOver(competitor, upstream, before) {
  const leaked = () => Math.max(upstream.open, socketsOf(competitor.id) - before)
  for (let tries = 0; tries < 40 && leaked() > 0; tries += 1) await after(50)
  return { leaked: leaked() }
}

function summary(times) {
  const all = {}
  for (const [kind, list] of Object.entries(times)) {
    const sorted = list.toSorted((a, b) => a - b)
    const at = (share) => sorted[Math.floor((sorted.length - 1) * share)]
    all[kind] = { p50: at(0.5), p99: at(0.99), max: at(1) }
  }
  return all
}
