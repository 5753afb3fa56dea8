/** A call store that keeps nothing: for measuring what rows cost, in the bench only. */
import type { CallStore } from '../ports.ts'

export const withoutRows = (calls: CallStore): CallStore => ({
  nextId: (startedMs) => calls.nextId(startedMs),
  begin() {},
  finish: (_record, released) => released(),
  saving: () => calls.saving(),
  close() {},
})
