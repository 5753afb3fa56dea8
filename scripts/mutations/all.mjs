// Every rule that is taken away to see its tests fail, by the table in `docs/` that tells of it.
import { failures } from './known-bugs/failures.mjs'
import { history } from './known-bugs/history.mjs'
import { streams } from './known-bugs/streams.mjs'

export { guards } from './guards.mjs'

/** Of `docs/translation.md`. */
export const knownBugs = [...streams, ...failures, ...history]
