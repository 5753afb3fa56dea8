/** Opens the data plane for clients: requests and WebSockets on one port, taken down together. */
import { type DataServer, listen, type OnUpgrade } from '../adapters/http/data-server.ts'
import { transportFailure } from '../adapters/upstream/failures.ts'
import type { ProxyFor } from '../adapters/upstream/proxy.ts'
import type { ClosableUpstream } from '../adapters/upstream/undici-upstream.ts'
import { acceptSocket } from '../adapters/websocket/accept.ts'
import { openDialer, type Way } from '../adapters/websocket/dial.ts'
import { flow } from '../flow/flow.ts'
import type { FlowDeps } from '../flow/flow-deps.ts'
import { SocketDesk } from '../flow/socket/serve-socket.ts'

export async function openListener(
  port: number,
  deps: FlowDeps,
  proxyFor: ProxyFor,
  upstream: Pick<ClosableUpstream, 'onRefresh'>,
): Promise<DataServer> {
  const wayTo = (origin: string, own: string | null): Way => {
    const found = proxyFor(origin, own)
    return found.kind === 'direct' || found.kind === 'proxy' ? found : { kind: 'none' }
  }
  const dialer = openDialer({ wayTo, failureOf: (cause) => transportFailure(cause, false) })
  const desk = new SocketDesk(deps, dialer)
  upstream.onRefresh(() => desk.refresh())
  const onUpgrade: OnUpgrade = (exchange, raw) =>
    desk.serve({
      exchange,
      hasBody:
        raw.request.headers['content-length'] !== undefined || raw.request.headers['transfer-encoding'] !== undefined,
      takeRoom: (bytes) => raw.room.take(bytes),
      giveRoomBack: (bytes) => raw.room.giveBack(bytes),
      accept(limitBytes, observe) {
        raw.release()
        acceptSocket(raw, limitBytes, observe)
      },
    })
  const server = await listen(port, (exchange) => void flow(exchange, deps), onUpgrade)
  return {
    port: server.port,
    close(drainMs, onBreak) {
      desk.end()
      return server.close(drainMs, () => {
        onBreak()
        desk.breakOff()
      })
    },
  }
}
