/** One call over a scripted upstream, with its finished row. */
import type { CallDetail } from '../../src/main/ports.ts'
import type { Behaviour } from '../../src/main/practice/practice.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { claudeCode } from './asks.ts'
import type { ClientAnswer } from './client.ts'
import type { Rig } from './start-core.ts'

export type Through = (
  source: string,
  path: string,
  body: object,
  ...behaviours: readonly Behaviour[]
) => Promise<{ readonly answer: ClientAnswer; readonly detail: CallDetail }>

/** The source is lifted from any rest first, then answers as scripted. */
export function throughOf(rig: Rig): Through {
  let rows = 0
  return async (source, path, body, ...behaviours) => {
    rig.core.api.conditions.lift(sourceId(source))
    rig.practice.script(source, ...behaviours)
    const answer = await rig.call(path, body, claudeCode())
    rows = (await rig.rows(rows + 1)).length
    return { answer, detail: await rig.latest() }
  }
}
