/** The vault as renewals see it: a problem instead of an exception, and a word instead of a refused write. */
import { PointsmanError, type Problem, problem } from '../../shared/errors.ts'
import type { CredentialRef } from '../../shared/ids.ts'
import type { Credential } from '../domain/credential.ts'
import type { Log, Vault, VaultState } from '../ports.ts'

/** A vault that isn't open may know nothing of a record that exists. */
function closedProblem(state: VaultState): Problem | null {
  switch (state.state) {
    case 'open':
      return null
    case 'locked':
      return problem('vault_locked', { why: state.why })
    case 'hung':
      return problem('vault_hung', { why: state.why })
    case 'key-missing':
      return problem('vault_key_missing', { kind: state.kind })
    case 'unavailable':
      return problem('vault_unavailable', { why: state.why })
  }
}

export class TokenVault {
  readonly #vault: Vault
  readonly #log: Log

  constructor(vault: Vault, log: Log) {
    this.#vault = vault
    this.#log = log
  }

  /** Null when nothing is stored. */
  read(ref: CredentialRef): Credential | Problem | null {
    try {
      return this.#vault.read(ref) ?? closedProblem(this.#vault.state())
    } catch (cause) {
      if (cause instanceof PointsmanError) return cause.problem
      return problem('internal', { logId: this.#log.fault('vault-read-failed', cause) })
    }
  }

  /** False when the disk refused: the vault then serves the credential from memory and saves it when it can (F36). */
  async write(ref: CredentialRef, credential: Credential): Promise<boolean> {
    try {
      await this.#vault.write(ref, credential)
      return true
    } catch (cause) {
      this.#log.fault('vault-write-failed', cause)
      return false
    }
  }

  async remove(ref: CredentialRef): Promise<void> {
    await this.#vault.remove(ref).catch((cause: unknown) => this.#log.fault('vault-write-failed', cause))
  }
}
