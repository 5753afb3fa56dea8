/** Shakes hands with a client that wants a WebSocket, once everything about its request has been checked. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { FrameObserver, FrameSocket } from '../../socket-ports.ts'
import { closing, frameSocket } from './frame-socket.ts'

/** The connection of an upgrade as Node hands it over. */
export interface RawUpgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** What came behind the head already. */
  readonly first: Buffer
}

/**
 * No compression: on the same machine it saves nothing, and costs half a megabyte for each connection and many times
 * the time (docs/decisions.md); the vendor's side is another matter (`dial.ts`). No sub-protocol is ever chosen: none is
 * known, and a key may lie in one.
 */
export function acceptSocket(
  { request, socket, first }: RawUpgrade,
  limitBytes: number,
  observe: (made: FrameSocket) => FrameObserver,
): void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limitBytes,
    ...closing,
    handleProtocols: () => false,
  })
  server.handleUpgrade(request, socket, first, (open) => frameSocket(open, observe))
}
