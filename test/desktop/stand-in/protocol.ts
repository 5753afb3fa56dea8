/** The stand-in's schemes and session: the program's own handlers answer the requests of its pages. */
import { EventEmitter } from 'node:events'
import type { Request, Route } from 'playwright'
import { areGuardsOff, toApp } from './world.ts'

type Handler = (request: { readonly method: string; readonly url: string }) => Response | Promise<Response>
type BeforeRequest = (details: { readonly url: string }, decide: (answer: { cancel?: boolean }) => void) => void

const handlers = new Map<string, Handler>()
let beforeRequest: BeforeRequest | null = null

export const protocol = {
  privileged: [] as unknown[],
  registerSchemesAsPrivileged(schemes: readonly unknown[]): void {
    this.privileged.push(...schemes)
  },
  handle(scheme: string, handler: Handler): void {
    handlers.set(scheme, handler)
  },
}

const defaultSession = Object.assign(new EventEmitter(), {
  setPermissionRequestHandler(): void {},
  setPermissionCheckHandler(): void {},
  webRequest: {
    onBeforeRequest(listener: BeforeRequest): void {
      beforeRequest = listener
    },
  },
})

export const session = { defaultSession }

/** Answers one request of a page: the session's guard first, then the scheme's handler, then the network. */
export async function serve(route: Route, request: Request): Promise<void> {
  const url = toApp(request.url())
  if (!areGuardsOff && (await isCancelled(url))) {
    await route.abort('blockedbyclient')
    return
  }
  const handler = handlers.get(new URL(url).protocol.slice(0, -1))
  if (handler === undefined) {
    await route.continue()
    return
  }
  const answer = await handler({ method: request.method(), url })
  await route.fulfill({
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: Buffer.from(await answer.arrayBuffer()),
  })
}

const isCancelled = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    if (beforeRequest === null) resolve(false)
    else beforeRequest({ url }, ({ cancel = false }) => resolve(cancel))
  })
