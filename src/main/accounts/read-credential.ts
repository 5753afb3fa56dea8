/** From a vendor's own credential file to a login: what to keep secret, and whose it is. */
import type { Problem } from '../../shared/errors.ts'
import { asObject } from '../dialects/json.ts'
import { type Login, unreadable } from './login.ts'
import type { Vendor } from './oauth-endpoints.ts'
import { readClaudeFile } from './read-claude.ts'
import { readCodexFile } from './read-codex.ts'

/** `file` is the vendor's own file, as parsed JSON or as text. Unknown fields are ignored. */
export function readCredential(vendor: Vendor, file: unknown, nowMs: number): Login | Problem {
  const object = asObject(typeof file === 'string' ? parse(file) : file)
  if (object === null) return unreadable('it is not a JSON object')
  return vendor === 'claude' ? readClaudeFile(object, nowMs) : readCodexFile(object, nowMs)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}
