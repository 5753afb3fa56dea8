/** The vault's state, and another try at opening it. */
import type { VaultState } from '../ports.ts'
import type { ApiDeps } from './api-deps.ts'
import { members } from './implement.ts'

export function vault(deps: ApiDeps) {
  return {
    status: members.vault.status.handler(() => vaultStateOf(deps.vault.state())),
    setAside: members.vault.setAside.handler(async () => told(await deps.vault.setAside(), deps)),
    unlock: members.vault.unlock.handler(async ({ input }) => {
      if (input?.passphrase !== undefined) deps.offerPassphrase(input.passphrase)
      return told(await deps.vault.unlock(), deps)
    }),
  }
}

/** What was locked may serve again. */
function told(state: VaultState, { announcer }: ApiDeps) {
  for (const area of ['app', 'accounts', 'models'] as const) announcer.changed(area)
  return vaultStateOf(state)
}

export function vaultStateOf(state: VaultState) {
  const { kind } = state
  if (state.state === 'open')
    return { kind, state: state.state, why: null, unsaved: state.unsaved ?? null, isOlder: state.isOlder === true }
  return { kind, state: state.state, why: state.why, unsaved: null, isOlder: false }
}
