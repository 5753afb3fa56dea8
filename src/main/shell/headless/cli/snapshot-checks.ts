/** What `pointsman doctor` reads off the program's snapshot: the vault, and this machine's clock against the vendors'. Pure. */

import type { Check } from './check.ts'
import type { CommandLine } from './command-line.ts'

type Snapshot = Awaited<ReturnType<CommandLine['client']['app']['snapshot']>>

const isClosed = { name: 'vault', ok: false } as const

export function vaultCheck({ kind, state, why, unsaved, isOlder }: Snapshot['vault']): Check {
  const sentence = why ?? unsaved ?? `The ${kind} vault is open.`
  if (state === 'key-missing') {
    const next =
      'Bring the key back; if it is lost, `pointsman rpc vault.setAside {}` begins an empty vault and deletes nothing.'
    return { ...isClosed, sentence, next }
  }
  if (state !== 'open') return { ...isClosed, sentence, next: 'Unlock it, then run `pointsman rpc vault.unlock {}`.' }
  if (unsaved !== null) return { ...isClosed, sentence, next: 'Free disk space; it is saved by itself then.' }
  if (isOlder) {
    const older = 'The vault’s file is older than it was: an earlier one was put back.'
    return { ...isClosed, sentence: older, next: 'Sign in again to each account that asks for it.' }
  }
  return { name: 'vault', ok: true, sentence, next: null }
}

/** Logins are renewed minutes before they end: a clock that is off by more makes them late. */
const mostMs = 2 * 60_000
const minuteMs = 60_000

export function vendorClockCheck(clock: Snapshot['clock']): Check {
  const name = 'clock at the vendors'
  if (clock === null) return { name, ok: true, sentence: 'No vendor has answered yet.', next: null }
  const { aheadMs } = clock
  if (Math.abs(aheadMs) <= mostMs)
    return { name, ok: true, sentence: 'This machine’s clock agrees with theirs.', next: null }
  const minutes = Math.round(Math.abs(aheadMs) / minuteMs)
  return {
    name,
    ok: false,
    sentence: `This machine’s clock is ${minutes} minutes ${aheadMs > 0 ? 'ahead of' : 'behind'} theirs.`,
    next: 'Set the clock by the network: logins and resets are counted by it.',
  }
}
