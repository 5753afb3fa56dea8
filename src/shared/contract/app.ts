/** The program itself: what it is doing, and the switch that pauses routing. */
import { z } from 'zod'
import { announcement, done, member, nothing } from './base.ts'
import { vaultState } from './vault.ts'

const snapshot = z.object({
  version: z.string(),
  revision: z.number(),
  practice: z.boolean(),
  paused: z.boolean(),
  /** The data plane, without a final slash. */
  address: z.string(),
  port: z.number(),
  dataDir: z.string(),
  defaultStrategy: z.string(),
  /** How many there are. */
  sources: z.number(),
  vault: vaultState,
  /** This machine's clock against the vendors', by their last answer; null before one came. */
  clock: z.object({ aheadMs: z.number(), seenAtMs: z.number() }).nullable(),
  /** The clock is too far ahead of what was last known to say which calls are old: none is forgotten by age. */
  keepsOldCalls: z.boolean(),
  /** Stores that were found damaged and repaired since the start; the damaged file was set aside. */
  repaired: z.array(
    z.object({
      file: z.string(),
      because: z.string(),
      asideName: z.string(),
      rows: z.number(),
      complete: z.boolean(),
    }),
  ),
  /** Whether the call log reaches the disk; `why` is a sentence while it doesn't. */
  saving: z.object({ saving: z.boolean(), waiting: z.number(), dropped: z.number(), why: z.string().nullable() }),
})

export const app = {
  snapshot: member.input(nothing).output(snapshot),
  pause: member.input(nothing).output(done),
  resume: member.input(nothing).output(done),
  /** A fresh one-time link to the window in a browser: good once, for a minute. */
  openLink: member.input(nothing).output(z.object({ url: z.string() })),
  changed: announcement,
}
