/** Where a vendor's CLI keeps its login: a file, or the Codex CLI's own item in the OS keychain (codex §1.8). */
import { PointsmanError, type Problem } from '../../shared/errors.ts'
import type { OAuthCredential } from '../domain/credential.ts'
import type { Files } from '../ports.ts'
import { unreadable } from './login.ts'

const keyring = 'keyring:'
const absolute = /^(\/|[A-Za-z]:[\\/]|\\\\)/

/** The place of the item that belongs to this `CODEX_HOME`; stored and shown where a file has its path. */
export const keyringPlace = (codexHome: string): string => `${keyring}${codexHome}`

/** The `CODEX_HOME` whose item it is; null for a file. */
export const codexHomeOf = (place: string): string | null =>
  place.startsWith(keyring) ? place.slice(keyring.length) : null

/** It is read again later, wherever the program was started. */
export const isAbsolutePlace = (place: string): boolean => absolute.test(codexHomeOf(place) ?? place)

/**
 * A keychain may ask its owner each time it is read (field reports, "Keychain prompts again and again"): an account
 * whose login lies in one keeps a copy of the access token, and only a person's action reads the item again.
 */
export const keepsCopy = (place: string | null): boolean => place !== null && codexHomeOf(place) !== null

/** Without what would end the CLI's login if it were used: the CLI stays its holder (F66). */
export const borrowed = (credential: OAuthCredential): OAuthCredential => ({ ...credential, refreshToken: null })

export async function readLoginText(place: string, files: Files): Promise<string | Problem> {
  try {
    const text = await files.readText(place)
    if (text !== null) return text
    return unreadable(
      codexHomeOf(place) === null
        ? noFile
        : 'the keychain holds no login of the Codex CLI for that folder; if it keeps its login in auth.json, read that file',
    )
  } catch (cause) {
    return cause instanceof PointsmanError ? cause.problem : unreadable(noFile)
  }
}

const noFile = 'the file does not exist or can not be read'
