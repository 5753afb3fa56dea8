/** The tool call that tests a translation: what it sends, and what each kind of answer means. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deriveBackends } from '../../src/main/domain/backend.ts'
import type { Dialect } from '../../src/main/domain/source.ts'
import { toolTrial, trialFault } from '../../src/main/flow/tool-trial.ts'
import { begun, chatCall, completed, created, delta, done, sse, stopped, used } from '../translate/kit.ts'
import { local } from './kit.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const trial = (from: Dialect, to: Dialect) => {
  const [backend] = deriveBackends([local('box', { dialects: [to] })])
  if (backend === undefined) throw new Error('no backend')
  return toolTrial(backend, { from, to }, hash)
}
const directions = (['messages', 'responses', 'chat'] as const).flatMap((from) =>
  (['messages', 'responses', 'chat'] as const).filter((to) => to !== from).map((to) => ({ from, to })),
)
const args = '{"a":2,"b":3}'
const item = { type: 'function_call', id: 'fc', call_id: 'c', name: 'add', arguments: args }
const good: Readonly<Record<Dialect, readonly unknown[]>> = {
  messages: [begun(), ...used(0, 'c', 'add', args), ...stopped('tool_use')],
  responses: [created, { type: 'response.output_item.done', output_index: 0, item }, completed([item])],
  chat: [delta({ tool_calls: [chatCall(0, 'c', 'add', args)] }), delta({}, 'tool_calls'), done],
}

describe.each(directions)('$from → $to', ({ from, to }) => {
  test('asks for a stream, with one forced tool, of the model by its own name', () => {
    const body = JSON.parse(trial(from, to).body)
    expect([body.model, body.stream, body.tools.length]).toEqual(['llama', true, 1])
    expect(body.tool_choice).toEqual(to === 'messages' ? { type: 'any' } : 'required')
  })
  test('a call with its arguments is right, in a stream', () => {
    expect(trialFault(trial(from, to), { text: sse(good[to]), isStream: true })).toBeNull()
  })
})

describe('what is wrong is said', () => {
  const fault = (events: readonly unknown[]) =>
    trialFault(trial('messages', 'chat'), { text: sse(events), isStream: true })
  test.each([
    ['no call', [delta({ content: 'five' }), delta({}, 'stop'), done], 'it called no tool'],
    [
      'another tool',
      [delta({ tool_calls: [chatCall(0, 'c', 'sum', args)] }), delta({}, 'tool_calls'), done],
      'it called a tool that it was not given',
    ],
    [
      'no arguments',
      [delta({ tool_calls: [chatCall(0, 'c', 'add', '')] }), delta({}, 'tool_calls'), done],
      'its call lacks the tool’s arguments',
    ],
    ['an end too soon', [delta({ content: 'fi' })], 'its answer ended in an error (server)'],
    [
      'an error',
      [{ error: { message: 'secret', code: 'context_length_exceeded' } }],
      'its answer ended in an error (too-long)',
    ],
  ])('%s', (_, events, sentence) => {
    expect(fault(events)).toBe(sentence)
  })
  test('an answer in one piece is read as such', () => {
    const message = {
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: args } }],
    }
    const body = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
    const asked = trial('responses', 'chat')
    expect(trialFault(asked, { text: JSON.stringify(body), isStream: false })).toBeNull()
    expect(trialFault(asked, { text: '<html>', isStream: false })).toBe('its answer ended in an error (server)')
  })
})
