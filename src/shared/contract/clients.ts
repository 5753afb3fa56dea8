/** Connecting the clients: shown before, changed by our own keys alone, taken back exactly. */
import { z } from 'zod'
import { absolutePath, id, input, list, member, nothing, timeMs } from './base.ts'

const client = z.enum(['claude', 'codex'])

/** `base-url`: the Codex CLI keeps its own provider and its ChatGPT sign-in, the key is in the address. */
const way = z.enum(['own', 'base-url'])

const place = {
  client,
  /** Claude Code only: the local settings of this folder, in place of the person's own. */
  folder: absolutePath.optional(),
}

const status = z.object({
  client,
  /** Null: the person's own settings. */
  folder: z.string().nullable(),
  path: z.string(),
  /** `changed`: connected, and the file was edited since. `elsewhere`: it points here, but not by this program's doing. */
  state: z.enum(['not-connected', 'connected', 'changed', 'elsewhere']),
  /** Null while it doesn't point here. */
  way: way.nullable(),
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

/** How the lines for the SDKs are written. */
const shell = z.enum(['posix', 'fish', 'powershell'])

export const clients = {
  /** Both clients, then the folders that were connected. */
  status: member.input(nothing).output(list(status)),
  preview: member.input(input({ ...place, way: way.optional() })).output(preview),
  connect: member.input(input({ ...place, way: way.optional() })).output(status),
  /** Takes our change back; the client's access key is revoked. */
  restore: member.input(input(place)).output(status),
  /** Who serves Claude Code's small, fast model; null: whoever serves the model that it asks for. */
  smallModel: member.input(nothing).output(small),
  /** A route rule for `*haiku*` at `claude` does it; null takes that rule away. */
  setSmallModel: member.input(input({ backendId: id.nullable() })).output(small),
  /** The lines that point the vendors' SDKs here, the key masked; none is made. */
  sdkPreview: member.input(input({ shell })).output(z.object({ lines: list(z.string()) })),
  /** Makes an access key and shows it this once, in the lines; no file is written. */
  sdk: member.input(input({ shell })).output(z.object({ keyLabel: z.string(), lines: list(z.string()) })),
}
