/** A level in the model's name reaches a model of another dialect as its own effort; one in the request goes before. */
import { expect, test } from 'vitest'
import { request } from './kit.ts'

const ask = (more: object = {}): object => ({
  model: 'm',
  max_tokens: 9_000,
  messages: [{ role: 'user', content: 'a' }],
  ...more,
})

test.each([
  ['-high', 'high'],
  ['(low)', 'low'],
  [':thinking', 'medium'],
  ['-max', 'xhigh'],
  ['(ultra)', 'xhigh'],
  ['-none', 'none'],
  ['-medium[1m]', 'medium'],
  ['[1m]', undefined],
  ['', undefined],
])('%s is %s', (suffix, effort) => {
  expect(request('messages', 'chat', ask(), { suffix }).body.reasoning_effort).toBe(effort)
  expect(request('messages', 'responses', ask(), { suffix }).body.reasoning?.effort).toBe(effort)
})

test('for Messages it is thinking with that effort', () => {
  const { body } = request('chat', 'messages', ask(), { suffix: '-low', abilities: { thinking: 'adaptive' } })
  expect([body.thinking, body.output_config]).toEqual([{ type: 'adaptive' }, { effort: 'low' }])
})

test('what the request says itself goes before', () => {
  const { body } = request('messages', 'chat', ask({ output_config: { effort: 'low' } }), { suffix: '-high' })
  expect(body.reasoning_effort).toBe('low')
  const off = request('messages', 'chat', ask({ thinking: { type: 'disabled' } }), { suffix: '-high' })
  expect(off.body.reasoning_effort).toBe('none')
})
