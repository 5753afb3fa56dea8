/** How the built program stands after load: what it holds open, what it logged as its own fault. */
import { readdirSync } from 'node:fs'
import type { Program } from './run-program.ts'

/** Descriptors it holds once that number no longer falls; with the log's reader, whose thread comes and goes. */
export async function calmDescriptors(program: Program): Promise<number> {
  await program.rpc('calls.page', { limit: 1 })
  const held = (): number => readdirSync(`/proc/${program.pid}/fd`).length
  let least = held()
  for (let calm = 0; calm < 10; calm += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const now = held()
    if (now < least) calm = 0
    least = Math.min(least, now)
  }
  return least
}

/** Lines of its log that tell of a fault of its own. */
export const loggedFaults = (program: Program): readonly string[] => program.log().match(/^\{"level":[56]0.*$/gm) ?? []
