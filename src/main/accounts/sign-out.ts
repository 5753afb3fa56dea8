/** Marks an account as needing its owner, and says so to whoever asked for its token. */
import { type Problem, problem } from '../../shared/errors.ts'
import type { Account } from '../domain/source.ts'
import type { Log } from '../ports.ts'
import type { SourceBook } from './source-book.ts'

/** The credential stays where it is: only the owner removes it. */
export function signOut(account: Account, because: string, deps: { sources: SourceBook; log: Log }): Problem {
  try {
    deps.sources.signedOut(account.id, because)
    deps.log.info('signed-out', { account: account.id, because })
  } catch (cause) {
    deps.log.fault('sign-out-unsaved', cause)
  }
  return problem('needs_sign_in', { label: account.label, why: because })
}
