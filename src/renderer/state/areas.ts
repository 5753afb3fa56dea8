/** Who wants to hear that an area changed; one subscription per area, begun anew after every lost connection. */
import { client } from '../bridge/client.ts'
import { connected } from './connection.ts'

const subscriptions = {
  app: (signal: AbortSignal) => client.app.changed({}, { signal }),
  accounts: (signal: AbortSignal) => client.accounts.changed({}, { signal }),
  models: (signal: AbortSignal) => client.models.changed({}, { signal }),
  calls: (signal: AbortSignal) => client.calls.appended({}, { signal }),
  quota: (signal: AbortSignal) => client.quota.changed({}, { signal }),
} as const

export type Area = keyof typeof subscriptions

const listeners = new Map<Area, Set<() => void>>()

/** `listener` is also called once at the start and after every reconnect, since something may have been missed. */
export function onChange(area: Area, listener: () => void): () => void {
  const known = listeners.get(area)
  const wanted = known ?? new Set()
  wanted.add(listener)
  if (known === undefined) {
    listeners.set(area, wanted)
    void follow(area, wanted)
  } else listener()
  return () => wanted.delete(listener)
}

/**
 * Claude's usage is read only while somebody watches it (`docs/decisions.md` 17): a window that nobody sees doesn't
 * count. Resolves once the page is seen; aborted as soon as it is hidden.
 */
async function whileSeen(): Promise<AbortController> {
  const seen = new AbortController()
  const changed = (): Promise<void> =>
    new Promise((resolve) => document.addEventListener('visibilitychange', () => resolve(), { once: true }))
  while (document.hidden) await changed()
  void changed().then(() => seen.abort())
  return seen
}

/** Runs as long as the page. */
async function follow(area: Area, wanted: ReadonlySet<() => void>): Promise<never> {
  for (;;) {
    await connected()
    const watching = area === 'quota' ? await whileSeen() : new AbortController()
    try {
      for await (const _ of await subscriptions[area](watching.signal)) for (const listener of wanted) listener()
    } catch {
      // The connection went, or the program ended: the next opening begins again.
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
