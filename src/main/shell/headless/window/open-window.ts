/** Opens the window's listener over a running core: the built files, the sessions, the contract on its sockets. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RPCHandler } from '@orpc/server/ws'
import { PointsmanError } from '../../../../shared/errors.ts'
import { handlerOptions } from '../../../api/router.ts'
import type { Core } from '../../../compose.ts'
import { type ControlServer, startControlServer } from './control-server.ts'
import { sessionFile } from './session-file.ts'
import { readStaticFiles } from './static-files.ts'

export interface WindowOptions {
  /** 0 takes any free port; null the usual one, or any free one where that is taken. */
  readonly port: number | null
  readonly dataDir: string
  /** `out/renderer/`. */
  readonly folder: URL
}

const usualPort = 7647

/** Null where the window wasn't built. */
export async function openWindow({ api, router }: Core, options: WindowOptions): Promise<ControlServer | null> {
  const folder = fileURLToPath(options.folder)
  if (!existsSync(join(folder, 'index.html'))) return null
  const handler = new RPCHandler(router, handlerOptions(api))
  const start = (port: number): Promise<ControlServer> =>
    startControlServer({
      port,
      files: readStaticFiles(folder),
      shelf: sessionFile(join(options.dataDir, 'window-sessions.json')),
      nowMs: () => api.clock.nowMs(),
      serve: (socket) => void handler.upgrade(socket, { context: {} }),
    })
  if (options.port !== null) return start(options.port)
  try {
    return await start(usualPort)
  } catch (cause) {
    if (cause instanceof PointsmanError) return start(0)
    throw cause
  }
}
