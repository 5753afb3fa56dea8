/** Practice mode: what the simulated upstreams do, and what they are told to do. */
import { z } from 'zod'
import { done, id, input, list, member, nothing } from './base.ts'

const fault = z.enum(['exhaust', 'overload', 'cut', 'revoke', 'slow', 'none'])

export const practice = {
  /** `on` is false, and the list empty, outside practice mode. */
  state: member
    .input(nothing)
    .output(z.object({ on: z.boolean(), sources: list(z.object({ sourceId: z.string(), label: z.string(), fault })) })),
  /** `minutes`: how long an exhausted window stays so. */
  fault: member
    .input(input({ sourceId: id, fault, minutes: z.number().positive().max(100_000).optional() }))
    .output(done),
}
