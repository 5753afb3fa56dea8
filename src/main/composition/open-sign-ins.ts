/** Builds the part that signs accounts in, from the listener, the vendor's program and the core's own parts. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type SignInDeps, SignIns } from '../accounts/sign-in-desk.ts'
import type { SourceDesk } from '../accounts/source-desk.ts'
import { callbackHost } from '../adapters/oauth/callback-listener.ts'
import { vendorProgram } from '../adapters/oauth/vendor-program.ts'
import type { Announcer } from '../state/announcer.ts'
import type { Conditions } from '../state/conditions.ts'

interface Parts
  extends Omit<SignInDeps, 'callbacks' | 'program' | 'openPage' | 'add' | 'remove' | 'renewed' | 'changed'> {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly dataDir: string
  readonly desk: SourceDesk
  readonly conditions: Conditions
  readonly announcer: Announcer
  /** Left out where the window or the command line shows the link instead. */
  readonly openPage?: (url: string) => void
}

export function openSignIns({ environment, dataDir, desk, conditions, announcer, openPage, ...parts }: Parts): SignIns {
  const folder = join(dataDir, 'sign-in')
  // What a killed program left there is nobody's.
  rmSync(folder, { recursive: true, force: true })
  return new SignIns({
    ...parts,
    callbacks: callbackHost,
    program: vendorProgram({ environment, folder, platform: process.platform }),
    openPage: openPage ?? (() => {}),
    add: (login) => desk.add(login),
    remove: (id) => desk.remove(id),
    // A new sign-in: what was learnt with the old one counts no more (routing §7).
    renewed(id) {
      conditions.lift(id)
      conditions.forgetWindows(id)
    },
    changed: () => announcer.changed('accounts'),
  })
}
