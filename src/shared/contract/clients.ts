/** Connecting the clients: shown before, changed by our own keys alone, taken back exactly. */
import { z } from 'zod'
import { id, input, list, member, nothing, timeMs } from './base.ts'

const client = z.enum(['claude', 'codex'])

const status = z.object({
  client,
  path: z.string(),
  /** `changed`: connected, and the file was edited since. `elsewhere`: it points here, but not by this program's doing. */
  state: z.enum(['not-connected', 'connected', 'changed', 'elsewhere']),
  connectedAtMs: timeMs.nullable(),
  keyLabel: z.string().nullable(),
})

const preview = z.object({
  path: z.string(),
  isNew: z.boolean(),
  /** The exact lines; the key is masked. */
  lines: list(z.object({ line: z.number(), kind: z.enum(['added', 'removed']), text: z.string() })),
})

const small = z.object({ backendId: z.string().nullable() })

export const clients = {
  status: member.input(nothing).output(list(status)),
  preview: member.input(input({ client })).output(preview),
  connect: member.input(input({ client })).output(status),
  /** Takes our change back; the client's access key is revoked. */
  restore: member.input(input({ client })).output(status),
  /** Who serves Claude Code's small, fast model; null: whoever serves the model that it asks for. */
  smallModel: member.input(nothing).output(small),
  /** A route rule for `*haiku*` at `claude` does it; null takes that rule away. */
  setSmallModel: member.input(input({ backendId: id.nullable() })).output(small),
}
