/** A host on bare sockets, for answers that no HTTP server would write: it reads whole requests, the caller answers. */
import { createServer, type Socket } from 'node:net'

export interface RawUpstream {
  readonly port: number
  /** Open connections. */
  readonly sockets: ReadonlySet<Socket>
  /** Ends every connection; new ones are taken. */
  disconnect(): void
  close(): Promise<void>
}

/** `answer` gets each request, head and body as Latin-1 text, once it is whole. */
export async function openRawUpstream(answer: (socket: Socket, request: string) => void): Promise<RawUpstream> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    let held = ''
    socket.on('data', (bytes) => {
      held += bytes.toString('latin1')
      const at = held.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(held)?.[1] ?? 0)
      const end = at + 4 + length
      if (at < 0 || held.length < end) return
      const request = held.slice(0, end)
      held = held.slice(end)
      answer(socket, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const disconnect = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as { port: number }).port,
    sockets,
    disconnect,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      disconnect()
      return closed
    },
  }
}
