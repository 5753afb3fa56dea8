/** Whether the window can reach the program. */
import { create } from 'zustand'

export interface Connection {
  /** `needs-link`: the program runs, but this browser isn't let in any more. */
  readonly state: 'connecting' | 'open' | 'lost' | 'needs-link'
}

export const useConnection = create<Connection>()(() => ({ state: 'connecting' }))

/** Resolves at once while connected, else at the next opening. */
export function connected(): Promise<void> {
  if (useConnection.getState().state === 'open') return Promise.resolve()
  return new Promise((resolve) => {
    const stop = useConnection.subscribe(({ state }) => {
      if (state !== 'open') return
      stop()
      resolve()
    })
  })
}
