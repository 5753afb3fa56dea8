/**
 * Points the Codex CLI at Pointsman in its `config.toml`: one provider id for ever, so that history never vanishes
 * (codex §7.1, product "Connecting clients"). Only our own keys change; every other byte stays.
 */
import { parse } from 'smol-toml'
import { type Problem, problem } from '../../shared/errors.ts'
import { type Change, change, type Edit, lineEnding } from './edit.ts'

export const codexProviderId = 'pointsman'

export interface CodexFacts {
  /** Of the data plane, no final slash. */
  readonly address: string
  readonly key: string
}

export type Table = Readonly<Record<string, unknown>>

/** The change that connects; a `Problem` when the file can't be changed safely, and then nothing is. */
export function connectCodex(before: string, facts: CodexFacts): Change | Problem {
  const parsed = readToml(before)
  if (parsed === null) return unreadable('it is not valid TOML')
  const table = providerTable(facts)
  const edits = [rootEdit(before, parsed, 'model_provider', codexProviderId), tableEdit(before, parsed, table)]
  if (edits.includes(null)) return unreadable('its provider is written in a way that can not be changed safely')
  const made = change(before, edits.filter((edit) => edit !== null && edit.removed !== edit.added) as Edit[])
  return isExactly(parsed, made.after, table)
    ? made
    : unreadable('the change would touch more than Pointsman’s own keys')
}

/** Takes our keys out again when the file was changed since: everything else stays as found. */
export function disconnectCodex(text: string, previousProvider: string | null): Change | Problem {
  const parsed = readToml(text)
  if (parsed === null) return unreadable('it is not valid TOML')
  const edits: Edit[] = []
  const provider = rootLine(text, 'model_provider')
  if (provider !== null && parsed.model_provider === codexProviderId) {
    edits.push(rootBack(provider, previousProvider))
  }
  const block = tableBlock(text)
  if (block !== null) edits.push({ ...block, added: '' })
  const made = change(text, edits)
  const after = readToml(made.after)
  const clean = after !== null && after.model_provider !== codexProviderId && !hasProvider(after)
  return clean ? made : unreadable('Pointsman’s keys are written in a way that can not be taken out safely')
}

/** What the person had before, to be put back. */
export function providerBefore(text: string): string | null {
  const provider = readToml(text)?.model_provider
  return typeof provider === 'string' && provider !== codexProviderId ? provider : null
}

export const isCodexConnected = (text: string): boolean => {
  const parsed = readToml(text)
  return parsed?.model_provider === codexProviderId && hasProvider(parsed)
}

export const unreadable = (why: string): Problem => problem('client_config_unsafe', { why })

export function readToml(text: string): Table | null {
  try {
    return parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' }) as Table
  } catch {
    return null
  }
}

function hasProvider(parsed: Table): boolean {
  const providers = parsed.model_providers
  return typeof providers === 'object' && providers !== null && Object.hasOwn(providers, codexProviderId)
}

const providerTable = ({ address, key }: CodexFacts): Record<string, unknown> => ({
  name: 'Pointsman',
  base_url: `${address}/codex/v1`,
  wire_api: 'responses',
  experimental_bearer_token: key,
})

/** A root key is replaced in place, or becomes the first line: the one place that is surely at the root. */
export function rootEdit(text: string, parsed: Table, name: string, value: string): Edit | null {
  const wanted = JSON.stringify(value)
  if (parsed[name] !== undefined) {
    const found = rootLine(text, name)
    return found === null ? null : { at: found.valueAt, removed: found.value, added: wanted }
  }
  const start = text.startsWith('\uFEFF') ? 1 : 0
  return { at: start, removed: '', added: `${name} = ${wanted}${lineEnding(text)}` }
}

/** Gives a root key back the value it had, or takes its line out. */
export function rootBack(line: Line, previous: string | null): Edit {
  if (previous === null) return { at: line.at, removed: line.text, added: '' }
  return { at: line.valueAt, removed: line.value, added: JSON.stringify(previous) }
}

function tableEdit(text: string, parsed: Table, table: Record<string, unknown>): Edit | null {
  const end = lineEnding(text)
  const body = Object.entries(table).map(([name, value]) => `${name} = ${JSON.stringify(value)}${end}`)
  const block = `[model_providers.${codexProviderId}]${end}${body.join('')}`
  if (hasProvider(parsed)) {
    const found = tableBlock(text)
    return found === null ? null : { ...found, added: block }
  }
  const gap = text === '' || text === '\uFEFF' ? '' : text.endsWith('\n') ? end : `${end}${end}`
  return { at: text.length, removed: '', added: `${gap}${block}` }
}

export interface Line {
  readonly at: number
  /** With its line ending. */
  readonly text: string
  readonly valueAt: number
  readonly value: string
}

/** A `name = "value"` line before the first table header, with a plain string as its value. */
export function rootLine(text: string, name: string): Line | null {
  const pattern = new RegExp(
    `^([ \\t]*${name}[ \\t]*=[ \\t]*)("[^"\\\\\\r\\n]*"|'[^'\\r\\n]*')[^\\r\\n]*(?:\\r?\\n|$)`,
    'm',
  )
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const match = pattern.exec(text.slice(mark))
  if (match === null) return null
  const [whole, lead = '', value = ''] = match
  const at = match.index + mark
  return { at, text: whole, valueAt: at + lead.length, value }
}

/** Our table from its header to the next header or the end, blank lines before it included when we made them. */
function tableBlock(text: string): { readonly at: number; readonly removed: string } | null {
  const header = new RegExp(`^\\[model_providers\\.${codexProviderId}\\][ \\t]*(?:\\r?\\n|$)`, 'm').exec(text)
  if (header === null) return null
  const from = header.index + header[0].length
  const rest = text.slice(from)
  const body = /^(?:[ \t]*[A-Za-z0-9_-]+[ \t]*=[^\r\n]*(?:\r?\n|$))*/.exec(rest)?.[0] ?? ''
  return { at: header.index, removed: header[0] + body }
}

/** By a real parser: what the file means differs in our own keys and in nothing else. */
function isExactly(before: Table, after: string, table: Record<string, unknown>): boolean {
  const parsed = readToml(after)
  if (parsed === null) return false
  const providers = (before.model_providers ?? {}) as Table
  const expected = {
    ...before,
    model_provider: codexProviderId,
    model_providers: { ...providers, [codexProviderId]: table },
  }
  return canonical(parsed) === canonical(expected)
}

/** Key order doesn't count; dates and big integers are told apart from text. */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Date) return `date ${value.toISOString()}`
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`
  }
  return typeof value === 'number' ? `${value}` : JSON.stringify(value)
}
