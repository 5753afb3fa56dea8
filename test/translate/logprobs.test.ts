/** Probabilities of tokens are carried between the OpenAI styles, with their text; Messages has no place for them. */
import { describe, expect, test } from 'vitest'
import { type Any, completed, created, delta, done, itemDone, refusalOf, request, stream, unary } from './kit.ts'

const ask = { role: 'user', content: 'a' }
const chatToken = (token: string): object => ({
  token,
  logprob: -0.5,
  bytes: [104],
  top_logprobs: [{ token, logprob: -0.5, bytes: [104] }],
})
const chatChunk = (content: string, ...tokens: readonly string[]): object => ({
  choices: [
    { index: 0, delta: { content }, finish_reason: null, logprobs: { content: tokens.map(chatToken), refusal: null } },
  ],
})
const rDelta = (text: string, ...tokens: readonly string[]): object => ({
  type: 'response.output_text.delta',
  output_index: 0,
  item_id: 'm',
  content_index: 0,
  delta: text,
  logprobs: tokens.map((token) => ({ token, logprob: -0.5, top_logprobs: [{ token, logprob: -0.5 }] })),
})
const tokensOf = (list: Any): readonly string[] => list.map(({ token }: Any) => token)

describe('requests', () => {
  test('ask for them in the upstream’s own words', () => {
    const chat = request('chat', 'responses', { model: 'm', messages: [ask], logprobs: true, top_logprobs: 3 })
    expect([chat.body.top_logprobs, chat.body.include, chat.codes]).toEqual([
      3,
      ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      [],
    ])
    const bare = request(
      'chat',
      'responses',
      { model: 'm', messages: [ask], logprobs: true },
      { abilities: { efforts: [] } },
    )
    expect([bare.body.top_logprobs, bare.body.include]).toEqual([undefined, ['message.output_text.logprobs']])
    const include = ['message.output_text.logprobs']
    const responses = request('responses', 'chat', { model: 'm', input: 'a', include, top_logprobs: 2 })
    expect([responses.body.logprobs, responses.body.top_logprobs, responses.codes]).toEqual([true, 2, []])
    const plain = request('responses', 'chat', { model: 'm', input: 'a', include })
    expect([plain.body.logprobs, plain.body.top_logprobs]).toEqual([true, undefined])
  })
  test('that ask for none say nothing of them', () => {
    const { body } = request('chat', 'responses', { model: 'm', messages: [ask], top_logprobs: 3 })
    expect([body.top_logprobs, body.include]).toEqual([undefined, ['reasoning.encrypted_content']])
    const other = request('responses', 'chat', { model: 'm', input: 'a' })
    expect([other.body.logprobs, other.body.top_logprobs]).toEqual([undefined, undefined])
  })
  test('are refused for Messages, and leave them out for a Codex account', () => {
    const body = { model: 'm', messages: [ask], logprobs: true }
    expect(refusalOf('chat', 'messages', body)).toBe('logprobs_not_portable')
    const codex = request('chat', 'responses', body, { abilities: { cliFieldsOnly: true } })
    expect([codex.codes, codex.body.include]).toEqual([['logprobs_dropped'], ['reasoning.encrypted_content']])
  })
})

describe('answers', () => {
  test('of Chat reach Responses clients, in events and in the whole', () => {
    const events = [chatChunk('he', 'he'), chatChunk('', 'l'), chatChunk('llo', 'lo'), delta({}, 'stop'), done]
    const { events: out, whole } = stream('chat', 'responses', events)
    const deltas = out.filter(({ type }) => type === 'response.output_text.delta')
    expect(deltas.map(({ delta: text, logprobs }) => [text, tokensOf(logprobs)])).toEqual([
      ['he', ['he']],
      ['llo', ['l', 'lo']],
    ])
    expect(deltas[0].logprobs).toEqual([{ token: 'he', logprob: -0.5, top_logprobs: [{ token: 'he', logprob: -0.5 }] }])
    const [part] = whole.output[0].content
    expect(part.logprobs[0]).toEqual({
      token: 'he',
      bytes: [104],
      logprob: -0.5,
      top_logprobs: [{ token: 'he', bytes: [104], logprob: -0.5 }],
    })
    expect(tokensOf(out.find(({ type }) => type === 'response.output_text.done')?.logprobs)).toEqual(['he', 'l', 'lo'])
  })
  test('of Responses reach Chat clients, in chunks and in the whole', () => {
    const { events: out, whole } = stream('responses', 'chat', [
      created,
      rDelta('he', 'he'),
      rDelta('y', 'y'),
      completed(),
    ])
    const chunks = out
      .flatMap(({ choices }) => choices.map(({ logprobs }: Any) => logprobs))
      .filter((one) => one !== null)
    expect(chunks.map(({ content }: Any) => tokensOf(content))).toEqual([['he'], ['y']])
    expect(whole.choices[0].logprobs.content[0]).toEqual({
      token: 'he',
      logprob: -0.5,
      bytes: null,
      top_logprobs: [{ token: 'he', logprob: -0.5, bytes: null }],
    })
  })
  test('in one piece keep them too', () => {
    const message = { role: 'assistant', content: 'hey' }
    const logprobs = { content: [chatToken('hey')], refusal: null }
    const body = { choices: [{ index: 0, message, logprobs, finish_reason: 'stop' }] }
    expect(tokensOf(unary('chat', 'responses', body).whole.output[0].content[0].logprobs)).toEqual(['hey'])
    const content = [{ type: 'output_text', text: 'hey', logprobs: [chatToken('hey')] }]
    const item = { type: 'message', id: 'm', content }
    const there = stream('responses', 'chat', [created, itemDone(0, item), completed()])
    expect(tokensOf(there.whole.choices[0].logprobs.content)).toEqual(['hey'])
  })
  test('without any have none', () => {
    const { events: out, whole } = stream('chat', 'responses', [delta({ content: 'x' }), delta({}, 'stop'), done])
    expect(out.find(({ type }) => type === 'response.output_text.delta')?.logprobs).toEqual([])
    expect(whole.output[0].content[0].logprobs).toEqual([])
    const chat = stream('responses', 'chat', [created, rDelta('x'), completed()])
    expect(chat.whole.choices[0].logprobs).toBeNull()
  })
  test('that are cut at a stop sequence lose those of what is cut off', () => {
    const events = [created, rDelta('one ', 'one', ' '), rDelta('EN', 'EN'), rDelta('D two', 'D', ' two'), completed()]
    const { whole } = stream('responses', 'chat', events, { stops: ['END'] })
    const [choice] = whole.choices
    expect([choice.message.content, tokensOf(choice.logprobs.content)]).toEqual(['one ', ['one', ' ']])
  })
  test('of Messages clients leave them out', () => {
    const { text } = stream('chat', 'messages', [chatChunk('he', 'he'), delta({}, 'stop'), done])
    expect(text).not.toContain('logprob')
  })
})
