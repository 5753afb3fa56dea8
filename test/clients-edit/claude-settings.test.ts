/** Claude Code's settings.json: two variables of ours, comments, order and unknown content kept byte for byte (field-reports 23). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  claudeBefore,
  connectClaude,
  disconnectClaude,
  isClaudeConnected,
} from '../../src/main/clients/claude-settings.ts'
import type { Change } from '../../src/main/clients/edit.ts'

const facts = { address: 'http://127.0.0.1:7646', key: 'pk_made-up' }

function made(result: ReturnType<typeof connectClaude>): Change {
  if ('code' in result) throw new Error(result.sentence)
  return result
}

const handMade: readonly [string, string][] = [
  ['an absent or empty file', ''],
  ['an empty object', '{}'],
  ['one line', '{"permissions":{"allow":["Bash(ls:*)"]}}'],
  [
    'comments and trailing commas',
    '{\n  // mine\n  "model": "opus", /* why */\n  "env": {\n    "FOO": "1", // keep\n  },\n}\n',
  ],
  ['tabs', '{\n\t"env": {\n\t\t"FOO": "1"\n\t},\n\t"x": [1, 2]\n}\n'],
  ['CRLF', '{\r\n  "a": 1,\r\n  "env": {}\r\n}\r\n'],
  ['a byte order mark', '\uFEFF{\n  "a": 1\n}\n'],
  [
    'an older gateway',
    '{\n  "env": {\n    "ANTHROPIC_BASE_URL": "http://old.example",\n    "OTHER": "x",\n    "ANTHROPIC_AUTH_TOKEN": "old"\n  }\n}\n',
  ],
  ['big numbers and escapes', '{ "n": 9007199254740993, "s": "\\u00e4\\n", "deep": {"a": {"b": [null, true]}} }'],
]

describe.each(handMade)('%s', (_, text) => {
  const result = made(connectClaude(text, facts))

  test('is connected', () => {
    expect(isClaudeConnected(result.after, facts.address)).toBe(true)
    expect(claudeBefore(result.after).ANTHROPIC_AUTH_TOKEN).toBe('pk_made-up')
  })

  test('keeps every byte outside one stretch', () => {
    const [edit] = result.edits
    expect(result.edits).toHaveLength(1)
    expect(result.after.slice(0, edit.at)).toBe(text.slice(0, edit.at))
    expect(result.after.slice(edit.at + edit.added.length)).toBe(text.slice(edit.at + edit.removed.length))
  })

  test('gives back what stood there when the file was changed since', () => {
    const taken = made(disconnectClaude(result.after, claudeBefore(text)))
    expect(claudeBefore(taken.after)).toEqual(claudeBefore(text))
  })
})

test.each([
  ['not JSON', '{ "a": '],
  ['an array', '[]'],
  ['an env that is no object', '{"env": "x"}'],
  ['a key that stands twice', '{"env": {"A": "1"}, "env": {}}'],
  ['a variable that stands twice', '{"env": {"ANTHROPIC_BASE_URL": "a", "ANTHROPIC_BASE_URL": "b"}}'],
])('refuses %s and changes nothing', (_, text) => {
  expect(connectClaude(text, facts)).toMatchObject({ code: 'client_config_unsafe' })
})

const json = fc.object({
  maxDepth: 3,
  key: fc.constantFrom('a', 'b', 'hooks', 'permissions', 'env', 'x y'),
  values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)],
})

test('500 generated files: everything that is not ours keeps its bytes and its meaning', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2, 4, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const result = connectClaude(text, facts)
      if ('code' in result) return
      const taken = made(disconnectClaude(result.after, claudeBefore(text)))
      const { env, ...rest } = JSON.parse(taken.after)
      const { env: envBefore, ...restBefore } = JSON.parse(text)
      expect(rest).toEqual(restBefore)
      expect(env ?? {}).toEqual(envBefore ?? {})
    }),
    { numRuns: 500 },
  )
})
