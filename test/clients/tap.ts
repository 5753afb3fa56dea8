/** A recording tap in a TCP connection: passes every byte on, keeps a copy of both directions, hands resets on too. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type HttpMessage, readFrames, readMessages } from './http-bytes.ts'

/** One request with its answer, as the bytes on the wire said it. */
export interface Passed {
  readonly request: HttpMessage
  /** Null when none came. */
  readonly answer: HttpMessage | null
}

export interface Tap {
  readonly url: string
  /** Everything that passed, in the order the requests began. */
  passed(): readonly Passed[]
  /** Frames of each WebSocket, in the order of the connections. */
  sockets(): readonly PassedFrames[]
  /** Between messages only; connections that are kept go on being recorded. */
  forget(): void
  close(): Promise<void>
}

/** Texts of the frames of one WebSocket, by their direction. */
export interface PassedFrames {
  readonly up: readonly string[]
  readonly down: readonly string[]
}

interface Line {
  readonly up: Buffer[]
  readonly down: Buffer[]
}

/**
 * Listens on a free port and connects each client to `target`. Only the `host` line of a request is altered, since
 * Pointsman answers to its own name alone; both names have the same length, so nothing else moves.
 */
export async function openTap(target: string): Promise<Tap> {
  const { hostname, port, host } = new URL(target)
  const lines: Line[] = []
  const sockets = new Set<Socket>()
  let ownHost = ''
  const server = createServer({ noDelay: true }, (client) => {
    const line: Line = { up: [], down: [] }
    lines.push(line)
    const far = connect({ host: hostname, port: Number(port), noDelay: true })
    for (const socket of [client, far]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    client.on('data', (bytes: Buffer) => {
      line.up.push(bytes)
      if (!far.write(renamed(bytes, ownHost, host))) waitFor(far, client)
    })
    far.on('data', (bytes: Buffer) => {
      line.down.push(bytes)
      if (!client.write(bytes)) waitFor(client, far)
    })
    client.on('end', () => far.end())
    far.on('end', () => client.end())
    client.on('error', () => far.resetAndDestroy())
    far.on('error', () => client.resetAndDestroy())
    client.on('close', () => far.destroy())
    far.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  ownHost = `127.0.0.1:${(server.address() as AddressInfo).port}`
  if (ownHost.length !== host.length) throw new Error(`the tap ${ownHost} and its target ${host} differ in length`)
  return {
    url: `http://${ownHost}`,
    passed: () => lines.flatMap(passedOn),
    sockets: () =>
      lines
        .map(({ up, down }) => ({ up: readFrames(Buffer.concat(up)), down: readFrames(Buffer.concat(down)) }))
        .filter(({ up }) => up.length > 0),
    forget() {
      for (const { up, down } of lines) {
        up.length = 0
        down.length = 0
      }
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function passedOn({ up, down }: Line): readonly Passed[] {
  const requests = readMessages(Buffer.concat(up))
  const answers = readMessages(Buffer.concat(down))
  return requests.map((request, index) => ({ request, answer: answers[index] ?? null }))
}

function waitFor(full: Socket, source: Socket): void {
  source.pause()
  full.once('drain', () => source.resume())
}

/** The request head with the other host name; heads arrive in one piece on loopback. */
function renamed(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes
    .subarray(0, 16_384)
    .toString('latin1')
    .search(new RegExp(`\\r\\nhost: ${from}\\r\\n`, 'i'))
  if (at < 0) return bytes
  const copy = Buffer.from(bytes)
  copy.write(to, at + '\r\nhost: '.length, 'latin1')
  return copy
}
