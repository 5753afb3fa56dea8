/** A sign-in as read from a vendor's file or token, before anybody holds it. */
import { type Problem, problem } from '../../shared/errors.ts'
import type { OAuthCredential } from '../domain/credential.ts'
import type { Custody, Identity } from '../domain/source.ts'

export interface Login {
  readonly credential: OAuthCredential
  /** Null when the credential itself doesn't say. */
  readonly identity: Identity | null
  readonly email: string | null
  readonly workspace: string | null
  readonly plan: string | null
  readonly custody: Custody
}

export const isProblem = (value: object): value is Problem => 'code' in value && 'sentence' in value

export const unreadable = (why: string): Problem => problem('credential_unreadable', { why })

/** A token as it may stand in a header: visible ASCII and nothing else; null for anything else, the empty text too. */
export const tokenText = (value: unknown): string | null =>
  typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : null
