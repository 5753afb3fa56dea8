/**
 * Points Claude Code at Pointsman in the `env` block of its `settings.json` (claude §7), read as JSON with comments and
 * trailing commas. Only our two variables change; every other byte stays.
 */
import { findNodeAtLocation, getNodeValue, type Edit as JsonEdit, modify, type Node, parseTree } from 'jsonc-parser'
import { type Problem, problem } from '../../shared/errors.ts'
import { type Change, change, lineEnding } from './edit.ts'

export interface ClaudeFacts {
  /** Of the data plane, no final slash. */
  readonly address: string
  readonly key: string
}

/** Our own keys, in the order they are written. */
export const claudeVariables = ['ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN'] as const
type Variable = (typeof claudeVariables)[number]

/** What stood there before; null where nothing did. */
export type ClaudeBefore = Readonly<Record<Variable, string | null>>

export function connectClaude(before: string, facts: ClaudeFacts): Change | Problem {
  return setVariables(before, { ANTHROPIC_BASE_URL: `${facts.address}/claude`, ANTHROPIC_AUTH_TOKEN: facts.key })
}

/** Puts back what stood there when the file was changed since: everything else stays as found. */
export function disconnectClaude(text: string, previous: ClaudeBefore): Change | Problem {
  return setVariables(text, previous)
}

export function claudeBefore(text: string): ClaudeBefore {
  const tree = readTree(text)
  return {
    ANTHROPIC_BASE_URL: variableIn(tree, 'ANTHROPIC_BASE_URL'),
    ANTHROPIC_AUTH_TOKEN: variableIn(tree, 'ANTHROPIC_AUTH_TOKEN'),
  }
}

export const isClaudeConnected = (text: string, address: string): boolean =>
  variableIn(readTree(text), 'ANTHROPIC_BASE_URL') === `${address}/claude`

const unsafe = (why: string): Problem => problem('client_config_unsafe', { why })

function setVariables(text: string, values: Readonly<Record<Variable, string | null>>): Change | Problem {
  const isEmpty = text.replace(/^\uFEFF/, '').trim() === ''
  const start = isEmpty ? `${text.startsWith('\uFEFF') ? '\uFEFF' : ''}{}${lineEnding(text)}` : text
  const tree = readTree(start)
  if (tree === undefined) return unsafe('it is not valid JSON')
  if (tree.type !== 'object') return unsafe('it is not an object')
  const twice = doubled(tree)
  if (twice !== null) return unsafe(`it has the key ${twice} twice`)
  const environment = findNodeAtLocation(tree, ['env'])
  if (environment !== undefined && environment.type !== 'object') return unsafe('its env is not an object')
  let after = start
  for (const name of claudeVariables) after = withVariable(after, name, values[name])
  const reached = claudeBefore(after)
  if (claudeVariables.some((name) => reached[name] !== values[name])) return unsafe('the change did not take')
  if (othersOf(after) !== othersOf(start)) return unsafe('the change would touch more than Pointsman’s own keys')
  return change(text, [span(text, after)])
}

/** The one replaced stretch between two texts. */
function span(before: string, after: string): { at: number; removed: string; added: string } {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end))
    end += 1
  return { at: start, removed: before.slice(start, before.length - end), added: after.slice(start, after.length - end) }
}

function withVariable(text: string, name: Variable, value: string | null): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const body = text.slice(mark.length)
  const indent = /^([ \t]+)\S/m.exec(body)?.[1] ?? '  '
  const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol: lineEnding(text) }
  const edits: readonly JsonEdit[] = modify(body, ['env', name], value ?? undefined, { formattingOptions })
  const applied = change(
    body,
    edits.map((edit) => ({
      at: edit.offset,
      removed: body.slice(edit.offset, edit.offset + edit.length),
      added: edit.content,
    })),
  )
  return mark + applied.after
}

function readTree(text: string): Node | undefined {
  const errors: { error: number }[] = []
  const tree = parseTree(text.replace(/^\uFEFF/, ''), errors as never, {
    allowTrailingComma: true,
    disallowComments: false,
  })
  return errors.length > 0 ? undefined : tree
}

function variableIn(tree: Node | undefined, name: Variable): string | null {
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, ['env', name])
  return node?.type === 'string' ? String(node.value) : null
}

/** A key that stands twice in the root or in `env`: which one counts is the client's secret. */
function doubled(tree: Node): string | null {
  for (const object of [tree, findNodeAtLocation(tree, ['env'])]) {
    if (object?.type !== 'object') continue
    const names = (object.children ?? []).map((property) => String(property.children?.[0]?.value))
    const again = names.find((name, index) => names.indexOf(name) !== index)
    if (again !== undefined) return again
  }
  return null
}

/** The meaning of everything that isn't ours; an `env` that holds nothing else counts as none. */
function othersOf(text: string): string {
  const tree = readTree(text)
  const value = (tree === undefined ? {} : getNodeValue(tree)) as Record<string, unknown>
  const { env, ...rest } = value
  const kept = Object.entries((env ?? {}) as Record<string, unknown>).filter(
    ([name]) => !claudeVariables.includes(name as Variable),
  )
  return JSON.stringify([rest, kept])
}
