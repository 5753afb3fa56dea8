/**
 * The second way for the Codex CLI: its own provider and ChatGPT sign-in stay, only `openai_base_url` is set, with the
 * key in the address's path (codex §7.1 option A, access "Access keys"). One key of its config.toml changes.
 */
import type { Problem } from '../../shared/errors.ts'
import { type CodexFacts, canonical, readToml, rootBack, rootEdit, rootLine, unreadable } from './codex-config.ts'
import { type Change, change } from './edit.ts'

const name = 'openai_base_url'

const baseUrl = ({ address, key }: CodexFacts): string => `${address}/k/${key}/codex/v1`

/** Of whatever port: a program that was given another one has still written it. */
const ours = /^http:\/\/127\.0\.0\.1:\d+\/k\/[^/]+\/codex\/v1$/

export function connectBaseUrl(before: string, facts: CodexFacts): Change | Problem {
  const parsed = readToml(before)
  if (parsed === null) return unreadable('it is not valid TOML')
  const { model_provider: provider = 'openai' } = parsed
  if (provider !== 'openai')
    return unreadable('its model_provider is another than openai, for which this address would have no effect')
  const wanted = baseUrl(facts)
  const edit = rootEdit(before, parsed, name, wanted)
  if (edit === null) return unreadable(`its ${name} is written in a way that can not be changed safely`)
  const made = change(before, edit.removed === edit.added ? [] : [edit])
  const after = readToml(made.after)
  return after !== null && canonical(after) === canonical({ ...parsed, [name]: wanted })
    ? made
    : unreadable('the change would touch more than Pointsman’s own keys')
}

/** Puts back what stood there when the file was changed since: everything else stays as found. */
export function disconnectBaseUrl(text: string, previous: string | null): Change | Problem {
  if (readToml(text) === null) return unreadable('it is not valid TOML')
  const line = rootLine(text, name)
  const made = change(text, line === null || !hasBaseUrl(text) ? [] : [rootBack(line, previous)])
  const after = readToml(made.after)
  return after !== null && !hasBaseUrl(made.after)
    ? made
    : unreadable('Pointsman’s keys are written in a way that can not be taken out safely')
}

/** What the person had before, to be put back. */
export function baseUrlBefore(text: string): string | null {
  const value = readToml(text)?.[name]
  return typeof value === 'string' && !ours.test(value) ? value : null
}

export function hasBaseUrl(text: string): boolean {
  const value = readToml(text)?.[name]
  return typeof value === 'string' && ours.test(value)
}

export const isBaseUrlConnected = (text: string, address: string): boolean =>
  hasBaseUrl(text) && String(readToml(text)?.[name]).startsWith(`${address}/k/`)
