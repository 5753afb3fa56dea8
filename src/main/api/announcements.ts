/** One subscription: tells that an area changed, at most four times a second, and ends with its caller. */
import type { Abort } from '../ports.ts'
import type { Area } from '../state/announcer.ts'
import type { ApiDeps } from './api-deps.ts'
import { toContractError } from './implement.ts'

const shortestGapMs = 250

/**
 * Begins with the present revision, so that a subscriber who was away sees what it missed. Changes in between are one
 * message; a slow reader is never sent more than the newest. Every wait ends with `signal`.
 */
export async function* announcements(
  area: Area,
  { announcer, clock, log }: ApiDeps,
  signal: Abort | undefined,
): AsyncGenerator<{ readonly revision: number }, void> {
  let newest = announcer.revision
  let isFresh = true
  let wake: () => void = () => {}
  const unsubscribe = announcer.subscribe((changed, revision) => {
    if (changed !== area) return
    newest = revision
    isFresh = true
    wake()
  })
  const stop = (): void => wake()
  signal?.addEventListener('abort', stop)
  const isLeft = (): boolean => signal?.aborted === true
  try {
    while (!isLeft()) {
      if (!isFresh) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      isFresh = false
      yield { revision: newest }
      if (isLeft()) return
      await new Promise<void>((resolve) => {
        const cancel = clock.after(shortestGapMs, resolve)
        wake = () => {
          if (!isLeft()) return
          cancel()
          resolve()
        }
      })
      wake = () => {}
    }
  } catch (cause) {
    throw toContractError(cause, log, isLeft())
  } finally {
    unsubscribe()
    signal?.removeEventListener('abort', stop)
  }
}
