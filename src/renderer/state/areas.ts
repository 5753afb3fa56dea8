/** Who wants to hear that an area changed; one subscription per area, begun anew after every lost connection. */
import { client } from '../bridge/client.ts'
import { connected } from './connection.ts'

const subscriptions = {
  app: () => client.app.changed({}),
  accounts: () => client.accounts.changed({}),
  models: () => client.models.changed({}),
  calls: () => client.calls.appended({}),
  quota: () => client.quota.changed({}),
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

/** Runs as long as the page. */
async function follow(area: Area, wanted: ReadonlySet<() => void>): Promise<never> {
  for (;;) {
    await connected()
    try {
      for await (const _ of await subscriptions[area]()) for (const listener of wanted) listener()
    } catch {
      // The connection went, or the program ended: the next opening begins again.
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
