/** A TCP relay whose connections can be made to fade: still open at both ends, but no byte comes through any more. */
import { connect, createServer, type Socket } from 'node:net'

export interface FadingRelay {
  readonly origin: string
  /** Connections taken so far. */
  taken(): number
  /** As sleep and a change of network leave them: nobody is told. New connections work. */
  fade(): void
  close(): Promise<void>
}

export async function fadingRelay(to: string): Promise<FadingRelay> {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let living: (readonly [Socket, Socket])[] = []
  let taken = 0
  const server = createServer((near) => {
    taken += 1
    const far = connect(Number(port), hostname)
    for (const [from, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => from.destroy())
      from.on('close', () => other.destroy())
      from.pipe(other)
    }
    living.push([near, far])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    taken: () => taken,
    fade() {
      for (const [near, far] of living) {
        for (const socket of [near, far]) {
          socket.unpipe()
          socket.removeAllListeners('close')
          socket.resume()
        }
      }
      living = []
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
