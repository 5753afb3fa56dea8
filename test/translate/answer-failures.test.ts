/** Failures inside answers in every shape that servers give them, and what they are told as (bridge §2.4, §3.1, §3.9). */
import { expect, test } from 'vitest'
import { failureOfAnswer } from '../../src/main/translate/failure.ts'
import { type Any, answerOf, begun, context, delta, done, said, sse, stream, streamBytes, unary } from './kit.ts'

const dialects = ['messages', 'responses', 'chat'] as const
const other = { messages: 'chat', responses: 'messages', chat: 'responses' } as const
const slow = { type: 'rate_limit_error', message: 'slow' }

test('a failure without a type is one in every dialect, with its class and its words', () => {
  for (const upstream of dialects) {
    const client = other[upstream]
    for (const { whole, status } of [
      stream(upstream, client, [{ error: slow }]),
      unary(upstream, client, { error: slow }),
      unary(upstream, client, { ...slow, type: 'error', error: slow, content: [], output: [], choices: [] }),
    ]) {
      expect([status, whole.error.message, whole.error.type]).toEqual([429, 'slow', 'rate_limit_error'])
    }
  }
})

test('the old shape of a Chat server’s error is no empty answer', () => {
  const events = [{ object: 'error', message: 'bad', type: 'BadRequestError', code: 400 }, done]
  expect([
    stream('chat', 'messages', events).status,
    unary('chat', 'messages', { ...(events[0] as Any) }).status,
  ]).toEqual([400, 400])
})

test('a status that stands in the place of the code says the class', () => {
  const status = (code: unknown): number => stream('chat', 'messages', [{ error: { message: 'x', code } }]).status
  expect([429, '429', 503, 404, 200, 'x', null, true, {}].map(status)).toEqual([
    429, 429, 529, 404, 500, 500, 500, 500, 500,
  ])
})

test('names that every object has are no known code, stop reason or class', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    expect(stream('chat', 'messages', [{ error: { message: 'x', code: name, type: name } }]).status).toBe(500)
    expect(failureOfAnswer(418, JSON.stringify({ error: { code: name } })).class).toBe('bad-request')
    expect(stream('chat', 'messages', [delta({ content: 'x' }, name), done]).whole.stop_reason).toBe('end_turn')
    const ended = [begun(), ...said(0, 'x'), { type: 'message_delta', delta: { stop_reason: name } }]
    const { whole } = stream('messages', 'chat', [...ended, { type: 'message_stop' }])
    expect(whole.choices[0].finish_reason).toBe('stop')
  }
})

test('neither keys nor whose the account is reach the client', () => {
  const told = (message: string): string => failureOfAnswer(429, JSON.stringify({ error: { message } })).message
  expect([
    told('limit in organization org-abC123dEF456 on tokens'),
    told('project proj_a1b2c3d4e5f6 of some.one+x@mail.test.'),
    told('Incorrect API key provided: sk-proj-********wxyz.'),
    told('user-supplied text in org-wide proj-settings is left alone'),
  ]).toEqual([
    'limit in organization (account) on tokens',
    'project (account) of (account).',
    'Incorrect API key provided: (key).',
    'user-supplied text in org-wide proj-settings is left alone',
  ])
})

test('a whole answer that still runs has not ended', () => {
  for (const status of ['queued', 'in_progress'])
    expect(unary('responses', 'chat', { status, error: null, output: [] }).status).toBe(500)
})

test('half an event at the end is the upstream’s early end, not an event', () => {
  const cut = (events: readonly unknown[]) =>
    streamBytes(context('chat', 'messages'), [new TextEncoder().encode(`${sse(events)}data: {"id":"x","cho`)])
  expect(cut([delta({ content: 'x' })]).answer.failure?.message).toBe('The upstream ended its answer before the end.')
  expect(cut([delta({ content: 'x' }, 'stop')]).whole.stop_reason).toBe('end_turn')
})

test('half an event before a pause is forgotten when the turn goes on', () => {
  const answer = answerOf(context('messages', 'chat', { mayPause: true }))
  const encoder = new TextEncoder()
  const paused = [begun(), { type: 'message_delta', delta: { stop_reason: 'pause_turn' } }, { type: 'message_stop' }]
  answer.push(encoder.encode(`${sse(paused)}data: {"ty`))
  expect(answer.end()).toBe('')
  answer.goOn()
  expect(answer.push(encoder.encode('data: {"ty\n\n'))).toContain('"error"')
})

test('a Responses stream that timed out says so in a code that clients know', () => {
  const answer = answerOf(context('chat', 'responses'))
  answer.push(new TextEncoder().encode(sse([delta({ content: 'x' })])))
  expect(answer.fail({ class: 'timeout', message: 'late' })).toContain('"code":"server_error","message":"late"')
})

test('each vendor’s words for a prompt that is too long are known', () => {
  const of = (error: object): string => failureOfAnswer(400, JSON.stringify({ error })).class
  expect(
    [
      { message: 'prompt is too long: 3 tokens > 2 maximum' },
      { message: 'input length and `max_tokens` exceed context limit: 1 + 2 > 2' },
      { message: 'This model’s maximum context length is 2 tokens.' },
      { message: 'Your input exceeds the context window of this model.' },
      { message: 'the request exceeds the available context size' },
      { message: 'prompt too long; exceeded max context length by 2 tokens' },
      { message: 'Input is too long for requested model.' },
      { message: 'x', type: 'exceed_context_size_error' },
      { message: 'x', code: 'context_length_exceeded' },
    ].map(of),
  ).toEqual(Array(9).fill('too-long'))
  expect(of({ message: 'the context of this request is wrong' })).toBe('bad-request')
})

test('an event without data is none', () => {
  const [text, last] = [delta({ content: 'x' }), delta({}, 'stop')].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const bytes = new TextEncoder().encode(`data:\n\n${text}data\n\nevent: x\ndata: \n\nid: 1\n\n${last}`)
  expect(streamBytes(context('chat', 'messages'), [bytes]).whole.stop_reason).toBe('end_turn')
})
