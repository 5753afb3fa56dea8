/** Credentials as bytes, the form in which a vault holds them. */
import type { Credential } from '../../domain/credential.ts'
import { Secret } from './secret.ts'

export const secretOf = (credential: Credential): Secret => new Secret(Buffer.from(JSON.stringify(credential), 'utf8'))

/** Only for bytes that were authenticated or never left memory. */
export const credentialOf = (secret: Secret): Credential => JSON.parse(secret.bytes().toString('utf8')) as Credential
