/** The vault that holds the accounts' secrets: whether it is open, and trying again. */
import { z } from 'zod'
import { input, member, nothing } from './base.ts'

export const vaultState = z.object({
  kind: z.enum(['keychain', 'passphrase', 'file', 'memory']),
  state: z.enum(['open', 'locked', 'unavailable', 'key-missing', 'hung']),
  /** Why it isn't open, or null. */
  why: z.string().nullable(),
  /** Why the newest change is only in memory so far, or null. */
  unsaved: z.string().nullable(),
})

export const vault = {
  status: member.input(nothing).output(vaultState),
  /** Asks the keychain again; `passphrase` is for a vault of that kind. */
  unlock: member.input(input({ passphrase: z.string().min(1).max(4096).optional() }).optional()).output(vaultState),
}
