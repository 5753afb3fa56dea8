/** The contract on a local socket: for the command line, reachable by the owner of the data folder alone. */
import { chmodSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { BodyLimitPlugin, RPCHandler } from '@orpc/server/node'
import type { ApiDeps } from '../../api/api-deps.ts'
import { handlerOptions, type Router } from '../../api/router.ts'

export interface ControlSocket {
  close(): Promise<void>
}

const largestInputBytes = 8 * 1024 * 1024
const drainMs = 2_000

/** The caller owns the data folder's lock, so a socket that lies there already is a killed program's. */
export async function openControlSocket(path: string, router: Router, deps: ApiDeps): Promise<ControlSocket> {
  const isPipe = path.startsWith('\\\\')
  const options = handlerOptions(deps)
  const handler = new RPCHandler(router, {
    ...options,
    plugins: [new BodyLimitPlugin({ maxBodySize: largestInputBytes })],
  })
  const server = createServer(async (request, response) => {
    try {
      const { matched } = await handler.handle(request, response, { context: {} })
      if (!matched) response.writeHead(404).end()
    } catch (cause) {
      deps.log.fault('control-failed', cause)
      response.destroy()
    }
  })
  if (!isPipe) rmSync(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  if (!isPipe) chmodSync(path, 0o600)
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      // Subscriptions never end by themselves.
      const late = setTimeout(() => server.closeAllConnections(), drainMs)
      await closed
      clearTimeout(late)
    },
  }
}
