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
      // What was locked may serve again.
      for (const area of ['app', 'accounts', 'models'] as const) deps.announcer.changed(area)
      return vaultStateOf(state)
    }),
  }
}

export function vaultStateOf(state: VaultState) {
  const { kind } = state
  if (state.state === 'open') return { kind, state: state.state, why: null, unsaved: state.unsaved ?? null }
  return { kind, state: state.state, why: state.why, unsaved: null }
}
