/** One request a dialect with a bit of everything, and how to put something else anywhere in it. */
import type { Dialect } from '../../src/main/domain/source.ts'
import type { Any } from './kit.ts'

export const sane: Readonly<Record<Dialect, Any>> = {
  messages: {
    model: 'm',
    max_tokens: 9,
    system: [{ type: 'text', text: 's' }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', source: { type: 'url', url: 'https://x.test/a' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 't', signature: 's' },
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }] }] },
    ],
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
    tool_choice: { type: 'tool', name: 'f' },
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } },
    metadata: { user_id: 'u' },
    stop_sequences: ['x'],
  },
  responses: {
    model: 'm',
    instructions: 's',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 't' }], encrypted_content: 'x' },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'x' }] },
      { type: 'shell_call', call_id: 'b', action: { commands: ['ls'] } },
      { type: 'shell_call_output', call_id: 'b', output: [{ stdout: 'x', outcome: { type: 'exit', exit_code: 0 } }] },
    ],
    tools: [
      { type: 'function', name: 'f', parameters: {} },
      { type: 'custom', name: 'c', format: { type: 'text' } },
      { type: 'namespace', name: 'n', tools: [] },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_object' }, verbosity: 'low' },
  },
  chat: {
    model: 'm',
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.test/a' } }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ],
    tools: [
      { type: 'function', function: { name: 'f', parameters: {} } },
      { type: 'custom', custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'lark' } } } },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: { type: 'json_schema', json_schema: { name: 'o', schema: {} } },
    stop: ['x'],
  },
}

/** All places in a value, as paths. */
export function placesIn(
  value: Any,
  path: readonly (string | number)[] = [],
): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.keys(value).flatMap((key) => placesIn(value[key], [...path, key]))]
}

export function replaced(value: Any, [key, ...rest]: readonly (string | number)[], by: unknown): Any {
  if (key === undefined) return by
  const copy = Array.isArray(value) ? [...value] : { ...value }
  ;(copy as Any)[key] = replaced((value as Any)[key], rest, by)
  return copy
}

const dialects = ['messages', 'responses', 'chat'] as const

export const directions = dialects.flatMap((from) => dialects.filter((to) => to !== from).map((to) => ({ from, to })))
