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
  /** Its file is older than it was: an earlier one was put back (T5.3). */
  isOlder: z.boolean(),
})

export const vault = {
  status: member.input(nothing).output(vaultState),
  /** Asks the keychain again; `passphrase` is for a vault of that kind. */
  /**
   * When its key or passphrase is lost: the file is renamed, nothing is deleted, and an empty vault begins. Changes
   * nothing while the vault is open, or is closed for another reason.
   */
  setAside: member.input(nothing).output(vaultState),
  unlock: member.input(input({ passphrase: z.string().min(1).max(4096).optional() }).optional()).output(vaultState),
}
