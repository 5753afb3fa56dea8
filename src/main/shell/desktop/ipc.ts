/** The control plane over a message port: the sender is checked once, where the port is handed over. */
import { RPCHandler } from '@orpc/server/message-port'
import { handlerOptions } from '../../api/router.ts'
import type { Core } from '../../compose.ts'
import { gated, type PagePort } from './port-gate.ts'
import { type Contents, isFromOurPage, type Sending } from './sender.ts'

/** The one channel there is. */
export const portChannel = 'pointsman:port'

export interface PortEvent extends Sending {
  readonly ports: readonly PagePort[]
}

/** Structurally Electron's ipcMain. */
export interface PortDesk {
  on(channel: string, listener: (event: PortEvent) => void): unknown
}

export function serveWindow(desk: PortDesk, { router, api }: Core, ours: () => Contents | null): void {
  const handler = new RPCHandler(router, handlerOptions(api))
  let current: PagePort | null = null
  desk.on(portChannel, (event) => {
    const [port, ...more] = event.ports
    if (port === undefined || more.length > 0 || !isFromOurPage(event, ours())) {
      api.log.info('port-refused', { from: originOf(event) })
      for (const refused of event.ports) refused.close()
      return
    }
    // A page has one; after a reload the old one is dead.
    current?.close()
    current = port
    handler.upgrade(
      gated(port, () => api.log.info('message-refused')),
      { context: {} },
    )
    port.start()
  })
}

/** Scheme and host only: a path may hold anything. */
function originOf({ senderFrame }: Sending): string {
  if (senderFrame === null || !URL.canParse(senderFrame.url)) return 'unknown'
  const { protocol, host } = new URL(senderFrame.url)
  return `${protocol}//${host}`
}
