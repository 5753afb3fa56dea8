/** The whole contract over one running core; each transport builds its handler from this. */
import type { ApiDeps } from './api-deps.ts'
import { app } from './app.ts'
import { members, toContractError } from './implement.ts'
import { vault } from './vault.ts'

export const routerOf = (deps: ApiDeps) => members.router({ app: app(deps), vault: vault(deps) })

export type Router = ReturnType<typeof routerOf>

interface Call {
  readonly signal?: { readonly aborted: boolean } | undefined
  next(): Promise<unknown>
}

/** Options for one transport's handler: a fresh object each time, since handlers change theirs (stack-notes §2). */
export function handlerOptions({ log }: ApiDeps) {
  const toTyped = async (call: Call): Promise<unknown> => {
    try {
      return await call.next()
    } catch (cause) {
      throw toContractError(cause, log, call.signal?.aborted === true)
    }
  }
  return { clientInterceptors: [toTyped] }
}
