/** Waits, unless the client leaves meanwhile. */
import type { Abort, Clock } from '../ports.ts'

/** True after `waitMs`, false as soon as the client has gone. */
export function pause(clock: Clock, gone: Abort, waitMs: number): Promise<boolean> {
  if (gone.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const leave = (): void => {
      cancel()
      resolve(false)
    }
    const cancel = clock.after(waitMs, () => {
      gone.removeEventListener('abort', leave)
      resolve(true)
    })
    gone.addEventListener('abort', leave, { once: true })
  })
}
