/** The only door to main: one typed client, over a WebSocket in a browser or a message port in the desktop app. */
import { createORPCClient } from '@orpc/client'
import { RPCLink as PortLink } from '@orpc/client/message-port'
import { RPCLink as SocketLink } from '@orpc/client/websocket'
import type { ContractRouterClient } from '@orpc/contract'
import type { Contract } from '../../shared/contract/index.ts'
import { useConnection } from '../state/connection.ts'
import { ReconnectingSocket } from './reconnecting-socket.ts'
import { sessionToken } from './session-token.ts'

export type Client = ContractRouterClient<Contract>

export const isDesktop = 'pointsman' in globalThis

export const client: Client = createORPCClient(isDesktop ? portLink() : socketLink())

function socketLink() {
  const address = new URL('/socket', location.href.replace(/^http/, 'ws'))
  const token = sessionToken()
  const open = () => new WebSocket(address, token === '' ? ['pointsman'] : ['pointsman', token])
  const socket = new ReconnectingSocket(open, (state) => {
    useConnection.setState({ state })
    if (state === 'lost') void askWhy()
  })
  return new SocketLink({ websocket: socket as unknown as WebSocket })
}

/** A refused socket looks like a lost one; the page's own address tells them apart. */
async function askWhy(): Promise<void> {
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  if (answer?.status === 401) useConnection.setState({ state: 'needs-link' })
  // Let in as a page but not as a socket: the token is gone.
  else if (answer?.ok && sessionToken() === '') useConnection.setState({ state: 'needs-link' })
}

function portLink() {
  const { port1, port2 } = new MessageChannel()
  window.postMessage('pointsman:port', location.origin, [port2])
  const link = new PortLink({ port: port1 })
  port1.start()
  useConnection.setState({ state: 'open' })
  return link
}
