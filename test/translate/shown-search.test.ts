/** Web searches of a Responses upstream, as Messages clients see them: rebuilt from what was told, and never sent on as real. */
import { describe, expect, test } from 'vitest'
import { withoutForeign } from '../../src/main/translate/strip-foreign.ts'
import { type Any, completed, created, itemDone, request, rText, stream, types } from './kit.ts'

const search = (sources: readonly string[] | null, more: object = {}): object => ({
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: {
    type: 'search',
    query: 'rain',
    ...(sources === null ? {} : { sources: sources.map((url) => ({ type: 'url', url })) }),
    ...more,
  },
})
const events = (item: object): readonly object[] => [
  created,
  itemDone(0, item),
  rText(1, 'm', 'It rains.'),
  completed(),
]
const found = ['https://a.test/1', 'https://b.test/2', 'https://a.test/1']

describe('a search that says where it looked', () => {
  const { events: out, whole, answer } = stream('responses', 'messages', events(search(found)))
  test('is a pair of blocks before the text, with each address once', () => {
    const [asked, result, text] = whole.content
    expect([asked.type, asked.name, asked.input]).toEqual(['server_tool_use', 'web_search', { query: 'rain' }])
    expect([result.type, result.tool_use_id]).toEqual(['web_search_tool_result', asked.id])
    expect(result.content).toEqual(
      ['https://a.test/1', 'https://b.test/2'].map((url) => ({
        type: 'web_search_result',
        url,
        title: url,
        encrypted_content: '',
        page_age: null,
      })),
    )
    expect([text, whole.stop_reason, answer.lost]).toEqual([{ type: 'text', text: 'It rains.' }, 'end_turn', []])
  })
  test('is streamed block by block, its query as a delta', () => {
    expect(types(out)).toEqual([
      'message_start',
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      'message_delta',
      'message_stop',
    ])
    expect(out[2].delta).toEqual({ type: 'input_json_delta', partial_json: '{"query":"rain"}' })
    expect(out.filter(({ index }) => index !== undefined).map(({ index }) => index)).toEqual([0, 0, 0, 1, 1, 2, 2, 2])
  })
  test('waits for the block that is open', () => {
    const between = [created, rText(0, 'm', 'I '), itemDone(1, search(found)), rText(0, 'm', 'look.'), completed()]
    const { whole: made, events: sent } = stream('responses', 'messages', between)
    expect(made.content.map(({ type }: Any) => type)).toEqual(['text', 'server_tool_use', 'web_search_tool_result'])
    expect(made.content[0].text).toBe('I look.')
    const open = sent.map(({ type }) => type).join(' ')
    expect(open).not.toMatch(/content_block_start (?:content_block_delta )*content_block_start/)
  })
  test('comes back in no history: neither to another vendor nor, once refused, to its own', () => {
    const history = {
      model: 'm',
      max_tokens: 90,
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: whole.content },
        { role: 'user', content: 'b' },
      ],
    }
    const { body, codes } = request('messages', 'responses', history, { strict: true })
    expect([body.input.map(({ content }: Any) => content[0].text), codes]).toEqual([['a', 'It rains.', 'b'], []])
    const stripped = JSON.parse(withoutForeign('messages', JSON.stringify(history)) ?? '') as Any
    expect(stripped.messages[1].content).toEqual([{ type: 'text', text: 'It rains.' }])
  })
})

test('one that doesn’t say, or did something else, is only named as hidden', () => {
  for (const item of [search(null), search([]), search(found, { type: 'open_page' })]) {
    const { whole, answer } = stream('responses', 'messages', events(item))
    expect([whole.content.length, answer.lost]).toEqual([1, ['server_tool_hidden']])
  }
})

test('Chat clients are told that something is hidden', () => {
  const { whole, answer } = stream('responses', 'chat', events(search(found)))
  expect([whole.choices[0].message.content, answer.lost]).toEqual(['It rains.', ['server_tool_hidden']])
})

test('the sources are asked for with the search, but not of a Codex account', () => {
  const ask = {
    model: 'm',
    max_tokens: 90,
    messages: [{ role: 'user', content: 'a' }],
    tools: [{ type: 'web_search_20250305', name: 'web_search' }],
  }
  const included = (cliFieldsOnly: boolean): unknown =>
    request('messages', 'responses', ask, { abilities: { webSearch: true, cliFieldsOnly } }).body.include
  expect(included(false)).toEqual(['reasoning.encrypted_content', 'web_search_call.action.sources'])
  expect(included(true)).toEqual(['reasoning.encrypted_content'])
})
