/** The vault's state, and another try at opening it. */
import type { VaultState } from '../ports.ts'
import type { ApiDeps } from './api-deps.ts'
import { members } from './implement.ts'

export function vault(deps: ApiDeps) {
  return {
    status: members.vault.status.handler(() => vaultStateOf(deps.vault.state())),
    unlock: members.vault.unlock.handler(async ({ input }) => {
      if (input?.passphrase !== undefined) deps.offerPassphrase(input.passphrase)
      const state = await deps.vault.unlock()
      deps.announcer.changed('app')
      return vaultStateOf(state)
    }),
  }
}

export function vaultStateOf(state: VaultState) {
  const { kind } = state
  if (state.state === 'open') return { kind, state: state.state, why: null, unsaved: state.unsaved ?? null }
  return { kind, state: state.state, why: state.why, unsaved: null }
}
