/** Known bugs of other translators in thoughts: who made them, whose they are, how much of them (bridge §6.7). */
import { describe, expect, test } from 'vitest'
import { wrap } from '../../src/main/translate/opaque.ts'
import {
  type Any,
  added,
  begun,
  block,
  chatCall,
  completed,
  created,
  delta,
  done,
  issuer,
  itemDone,
  request,
  said,
  stopped,
  stream,
  unary,
  used,
} from './kit.ts'

type Kind = 'signature' | 'redacted' | 'encrypted'
const own = (kind: Kind, data: string): string => wrap(issuer, { kind, data })
const foreign = (kind: Kind, data: string): string => wrap('another', { kind, data })

const thinking = (text: string, signature: string): object => ({ type: 'thinking', thinking: text, signature })
const reasoning = (text: string, seal?: string): object => ({
  type: 'reasoning',
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
  ...(seal === undefined ? {} : { encrypted_content: seal }),
})

/** A turn of a Messages client that thought and then called a tool. */
const turn = (...thoughts: readonly object[]): object => ({
  model: 'm',
  max_tokens: 99_000,
  messages: [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: [...thoughts, { type: 'tool_use', id: 't', name: 'f', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
  ],
})
/** The same of a Responses client. */
const input = (...thoughts: readonly object[]): object => ({
  model: 'm',
  input: [
    { role: 'user', content: 'a' },
    ...thoughts,
    { type: 'function_call', call_id: 't', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 't', output: 'x' },
  ],
})
/** And of a Chat client. */
const chat = (thought: string): object => ({
  model: 'm',
  messages: [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b', reasoning_content: thought },
    { role: 'user', content: 'c' },
  ],
})
const called: Any = { type: 'tool_use', id: 't', name: 'f', input: {} }

describe('6.7 thoughts in a history', () => {
  test('router-for-me/CLIProxyAPI#570 a block without a signature is dropped, none is made up', () => {
    for (const { body, codes } of [
      request('chat', 'messages', chat('hm')),
      request('responses', 'messages', input(reasoning('hm'))),
      request('responses', 'messages', input(reasoning('hm', own('encrypted', 'of another kind')))),
    ]) {
      expect([/hm|signature|another/.exec(JSON.stringify(body)), codes]).toEqual([null, ['reasoning_dropped']])
    }
  })
  test('router-for-me/CLIProxyAPI#2172 a block goes back byte for byte', () => {
    const odd = ' odd  “text” e\u0301\u2028\n\n trailing '
    const content = [thinking(odd, 'Sig+/=='), thinking('', 'Bare'), { type: 'redacted_thinking', data: 'R=' }, called]
    const streamed = stream('messages', 'responses', [
      begun(),
      ...block(
        0,
        { type: 'thinking', thinking: '' },
        { type: 'thinking_delta', thinking: odd.slice(0, 8) },
        { type: 'thinking_delta', thinking: odd.slice(8) },
        { type: 'signature_delta', signature: 'Sig+/==' },
      ),
      ...block(1, { type: 'thinking', thinking: '' }, { type: 'signature_delta', signature: 'Bare' }),
      ...block(2, { type: 'redacted_thinking', data: 'R=' }),
      ...used(3, 't', 'f', '{}'),
      ...stopped('tool_use'),
    ])
    const { whole } = unary('messages', 'responses', { content, stop_reason: 'tool_use', usage: {} })
    for (const { output } of [whole, streamed.events.at(-1)?.response]) {
      const { body } = request('responses', 'messages', input(...output.slice(0, -1)))
      expect(body.messages[1].content).toEqual(content)
    }
    const item = reasoning(odd, 'gAAA+/=')
    const told = unary('responses', 'messages', { status: 'completed', output: [item] }).whole
    expect(request('messages', 'responses', turn(...told.content)).body.input[1]).toEqual(item)
  })
  test('BerriAI/litellm#26916 a thought is never shown as text', () => {
    for (const { body } of [
      request('messages', 'responses', turn(thinking('secret', 'foreign'))),
      request('messages', 'chat', turn(thinking('secret', 'foreign'))),
      request('responses', 'messages', input(reasoning('secret'))),
      request('responses', 'chat', input(reasoning('secret'))),
      request('chat', 'messages', chat('secret')),
      request('chat', 'responses', chat('secret')),
    ]) {
      expect(JSON.stringify(body)).not.toContain('secret')
    }
    const { body } = request('messages', 'responses', turn(thinking('secret', own('encrypted', 'E'))))
    const showing = body.input.filter((item: Any) => JSON.stringify(item).includes('secret'))
    expect(showing.map(({ type }: Any) => type)).toEqual(['reasoning'])
  })
  test('BerriAI/litellm#27946 thoughts are echoed where a server wants them', () => {
    const abilities = { echoReasoning: true }
    // What such a server streams comes back by either client.
    const events = [
      delta({ reasoning_content: 'h' }),
      delta({ reasoning_content: 'm' }),
      delta({ tool_calls: [chatCall(0, 't', 'f', '{}')] }, 'tool_calls'),
      done,
    ]
    const toMessages = stream('chat', 'messages', events).whole.content.slice(0, -1)
    const toResponses = stream('chat', 'responses', events).whole.output.slice(0, -1)
    for (const [from, body] of [
      ['messages', turn(thinking('hm', foreign('signature', 'S')))],
      ['messages', turn(...toMessages)],
      ['responses', input(reasoning('hm'))],
      ['responses', input(...toResponses)],
    ] as const) {
      const [echoed, plain] = [{ abilities }, {}].map((how) => request(from, 'chat', body, how).body.messages[1])
      expect([echoed.reasoning_content, plain.reasoning_content, echoed.tool_calls.length]).toEqual([
        'hm',
        undefined,
        1,
      ])
    }
  })
  test('BerriAI/litellm#36197 thoughts are carried or warned of', () => {
    for (const { codes } of [
      request('messages', 'chat', turn(thinking('hm', 's'))),
      request('messages', 'responses', turn(thinking('hm', 's'))),
      request('messages', 'responses', turn({ type: 'redacted_thinking', data: 's' })),
      request('responses', 'chat', input(reasoning('hm'))),
      request('responses', 'chat', input(reasoning('', 's'))),
      request('responses', 'messages', input(reasoning('hm'))),
      request('chat', 'responses', chat('hm')),
    ]) {
      expect(codes).toEqual(['reasoning_dropped'])
    }
  })
  test('BerriAI/litellm#13420 a reasoning item in the input is no trouble', () => {
    const roles = (to: 'chat' | 'messages', body: object): string =>
      request('responses', to, body)
        .body.messages.map(({ role }: Any) => role)
        .join(' ')
    for (const item of [
      reasoning('x'),
      { type: 'reasoning', id: 'rs_1' },
      { type: 'reasoning', summary: [], content: null, encrypted_content: 'gAAA' },
      { type: 'reasoning', summary: null, content: [{ type: 'reasoning_text', text: 'x' }], encrypted_content: null },
    ]) {
      expect([roles('chat', input(item)), roles('messages', input(item))]).toEqual([
        'user assistant tool',
        'user assistant user',
      ])
    }
    const between = [{ role: 'user', content: 'a' }, reasoning('x'), { role: 'user', content: 'b' }]
    expect(roles('chat', { model: 'm', input: between })).toBe('user')
  })
  test('openai/openai-agents-python#3981 each signature stays with its own block', () => {
    const ours = request(
      'messages',
      'responses',
      turn(
        thinking('none', ''),
        thinking('one', own('encrypted', 'E1')),
        thinking('other', foreign('encrypted', 'E0')),
        thinking('two', own('encrypted', 'E2')),
      ),
    )
    expect(ours.body.input.slice(1, 3)).toEqual([reasoning('one', 'E1'), reasoning('two', 'E2')])
    const theirs = request(
      'responses',
      'messages',
      input(reasoning('none'), reasoning('one', own('signature', 'S1')), reasoning('two', own('signature', 'S2'))),
    )
    expect(theirs.body.messages[1].content.slice(0, 2)).toEqual([thinking('one', 'S1'), thinking('two', 'S2')])
    // Also where a stream brings them one through the other.
    const summary = (at: number, text: string): object => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: at,
      item_id: `r${at}`,
      summary_index: 0,
      delta: text,
    })
    const { events, whole } = stream('responses', 'messages', [
      created,
      ...[0, 1].map((at) => added(at, { type: 'reasoning', id: `r${at}` })),
      ...[summary(0, 'one'), summary(1, 'two')],
      ...[1, 0].map((at) => itemDone(at, { type: 'reasoning', id: `r${at}`, encrypted_content: `E${at}` })),
      completed(),
    ])
    const [first, second] = [own('encrypted', 'E0'), own('encrypted', 'E1')]
    expect(whole.content).toEqual([thinking('one', first), thinking('two', second)])
    const signed = events.filter((each: Any) => each.delta?.type === 'signature_delta')
    expect(signed.map((each: Any) => [each.index, each.delta.signature])).toEqual([
      [0, first],
      [1, second],
    ])
  })
  test('alphaXiv/agents#61 a blob goes to its issuer only', () => {
    const redacted = (data: string): object => ({ type: 'redacted_thinking', data })
    for (const { body, codes } of [
      request('messages', 'responses', turn(thinking('x', foreign('encrypted', 'SEAL')))),
      request('messages', 'responses', turn(thinking('x', 'SEAL'))),
      request('messages', 'responses', turn(redacted(foreign('redacted', 'SEAL')))),
      request('responses', 'messages', input(reasoning('x', foreign('signature', 'SEAL')))),
      request('responses', 'messages', input(reasoning('', foreign('redacted', 'SEAL')))),
      request('responses', 'messages', input(reasoning('x', 'SEAL'))),
    ]) {
      expect([/SEAL|rb1\./.exec(JSON.stringify(body)), codes]).toEqual([null, ['reasoning_dropped']])
    }
  })
})

describe('6.7 thoughts of an answer', () => {
  test('bitrouter/bitrouter#592 the signature comes before the block stops', () => {
    const summary = { type: 'response.reasoning_summary_text.delta', output_index: 0, item_id: 'r', summary_index: 0 }
    const item = { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }] }
    const inner = (events: readonly Any[]): readonly string[] =>
      events.filter(({ index }) => index === 0).map((each) => each.delta?.signature ?? each.delta?.type ?? each.type)
    const told = (deltas: readonly object[], last: object): readonly string[] =>
      inner(
        stream('responses', 'messages', [
          created,
          added(0, { type: 'reasoning', id: 'r' }),
          ...deltas,
          itemDone(0, { ...last, encrypted_content: 'gAAA' }),
          completed(),
        ]).events,
      )
    const seal = own('encrypted', 'gAAA')
    expect(told([{ ...summary, delta: 'hm' }], item)).toEqual([
      ...['content_block_start', 'thinking_delta', seal, 'content_block_stop'],
    ])
    // One that shows no word is signed all the same, and one that was never signed gets our mark: clients drop it bare.
    expect(told([], { ...item, summary: [] })).toEqual(['content_block_start', seal, 'content_block_stop'])
    expect(inner(stream('chat', 'messages', [delta({ reasoning: 'hm' }), delta({}, 'stop')]).events)).toEqual([
      ...['content_block_start', 'thinking_delta', 'rb1.e30', 'content_block_stop'],
    ])
    const { events } = stream('messages', 'responses', [
      begun(),
      ...block(
        0,
        { type: 'thinking', thinking: '' },
        { type: 'thinking_delta', thinking: 'hm' },
        { type: 'signature_delta', signature: 'S' },
      ),
      ...stopped('end_turn'),
    ])
    const ended = events.find(({ type }) => type === 'response.output_item.done')
    expect(ended?.item.encrypted_content).toBe(own('signature', 'S'))
  })
  test('felinics/twilight#45 several thoughts keep their number and order', () => {
    const thought = (n: number): readonly object[] =>
      block(
        n,
        { type: 'thinking', thinking: '' },
        { type: 'thinking_delta', thinking: `t${n}` },
        { type: 'signature_delta', signature: `s${n}` },
      )
    const toResponses = stream('messages', 'responses', [
      begun(),
      ...[...thought(0), ...thought(1), ...said(2, 'x'), ...thought(3)],
      ...stopped('end_turn'),
    ]).whole.output
    expect(toResponses.map((item: Any) => item.summary?.[0]?.text ?? item.type)).toEqual(['t0', 't1', 'message', 't3'])
    const output = [reasoning('t0', 's0'), reasoning('t1', 's1')].map((item, at) => itemDone(at, item))
    const toMessages = stream('responses', 'messages', [created, ...output, completed()]).whole.content
    expect(toMessages.map((each: Any) => each.thinking)).toEqual(['t0', 't1'])
    // And on the way back.
    expect(request('messages', 'responses', turn(...toMessages)).body.input.slice(1, 3)).toEqual([
      reasoning('t0', 's0'),
      reasoning('t1', 's1'),
    ])
    const { content } = request('responses', 'messages', input(...toResponses.slice(0, 3))).body.messages[1]
    expect(content).toEqual([thinking('t0', 's0'), thinking('t1', 's1'), { type: 'text', text: 'x' }, called])
  })
  test('thoughts of an answer to a Chat client come back by the call that they led to', () => {
    const { answer } = stream('messages', 'chat', [
      begun(),
      ...block(
        0,
        { type: 'thinking', thinking: '' },
        { type: 'thinking_delta', thinking: 'hm' },
        { type: 'signature_delta', signature: 'S' },
      ),
      ...used(1, 'call_9', 'f', '{}'),
      ...stopped('tool_use'),
    ])
    const history = {
      model: 'm',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', tool_calls: [{ id: 'call_9', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'call_9', content: 'x' },
      ],
    }
    const { body } = request('chat', 'messages', history, { kept: Object.fromEntries(answer.kept) })
    expect(body.messages[1].content[0]).toEqual({ type: 'thinking', thinking: 'hm', signature: 'S' })
  })
})

describe('6.7 how much is thought', () => {
  const asking = (effort: string, more: object = {}): object => ({
    model: 'm',
    input: 'a',
    reasoning: { effort },
    ...more,
  })
  const messages = [{ role: 'user', content: 'a' }]

  test('can1357/oh-my-pi#341 a forced tool turns thinking off for that request', () => {
    const tools = [{ type: 'function', name: 'f' }, { type: 'web_search' }]
    const one = { type: 'function', name: 'f' }
    for (const way of ['adaptive', 'budget'] as const) {
      for (const [choice, expected] of [
        [one, { type: 'tool', name: 'f' }],
        ['required', { type: 'any' }],
        [{ type: 'web_search' }, { type: 'tool', name: 'web_search' }],
        [{ type: 'allowed_tools', mode: 'required', tools: [one] }, { type: 'any' }],
      ] as const) {
        const ask = asking('high', { tools, tool_choice: choice })
        const { body, codes } = request('responses', 'messages', ask, { abilities: { thinking: way, webSearch: true } })
        expect([body.thinking, body.output_config, body.tool_choice]).toEqual([
          { type: 'disabled' },
          undefined,
          expected,
        ])
        expect(codes).toContain('thinking_off_for_forced_tool')
      }
    }
  })
  test('liuw1535/antigravity2api-nodejs#149 the limit is above the budget', () => {
    const abilities = { thinking: 'budget', mostOutputTokens: 64_000 } as const
    const found = [
      asking('high'),
      asking('xhigh'),
      asking('max'),
      asking('high', { max_output_tokens: 4_000 }),
      asking('high', { max_output_tokens: 1_500 }),
    ].map((ask) => request('responses', 'messages', ask, { abilities }).body)
    expect(found.map(({ thinking, max_tokens: most }) => [thinking.budget_tokens ?? thinking.type, most])).toEqual([
      [24_576, 28_672],
      [32_768, 36_864],
      [62_976, 64_000],
      [2_976, 4_000],
      ['disabled', 1_500],
    ])
  })
  test('lidge-jun/opencodex#256 high effort without a limit gets the model’s whole ceiling', () => {
    const abilities = { mostOutputTokens: 64_000, efforts: ['low', 'high', 'max'] } as const
    const limits = ['low', 'high', 'max'].map(
      (effort) => request('responses', 'messages', asking(effort), { abilities }).body.max_tokens,
    )
    expect(limits).toEqual([32_000, 64_000, 64_000])
  })
  test('lidge-jun/opencodex#256 an answer that its thoughts used up is no complete one', () => {
    const thought = block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'hm' })
    const ofMessages = [begun(), ...thought, ...stopped('max_tokens')]
    const ofChat = [delta({ reasoning_content: 'hm' }), delta({}, 'length'), done]
    for (const { events, whole } of [
      stream('messages', 'responses', ofMessages),
      stream('chat', 'responses', ofChat),
    ]) {
      const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
      expect([events.at(-1), whole]).toMatchObject([{ type: 'response.incomplete', response: cut }, cut])
    }
    expect(stream('messages', 'chat', ofMessages).whole.choices[0].finish_reason).toBe('length')
    expect(stream('chat', 'messages', ofChat).whole.stop_reason).toBe('max_tokens')
  })
  test('caozhiyuan/copilot-api#296 no effort to a model that has none', () => {
    const ofMessages = { model: 'm', messages, thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }
    const ofChat = { model: 'm', messages, reasoning_effort: 'high' }
    for (const { body, codes } of [
      request('responses', 'chat', asking('high'), { abilities: { efforts: [] } }),
      request('messages', 'chat', ofMessages, { abilities: { efforts: [] } }),
      request('messages', 'responses', ofMessages, { abilities: { efforts: [] } }),
      request('responses', 'messages', asking('high'), { abilities: { thinking: 'none' } }),
      request('chat', 'messages', ofChat, { abilities: { thinking: 'none' } }),
      request('responses', 'chat', asking('high', { tools: [{ type: 'function', name: 'f' }] }), {
        abilities: { effortWithTools: false },
      }),
    ]) {
      expect([/effort|reasoning|thinking/.exec(JSON.stringify(body)), codes]).toEqual([null, ['effort_dropped']])
    }
  })
  test('KunAgent/Kun#296 each level stays itself', () => {
    const levels = ['low', 'medium', 'high', 'xhigh', 'max']
    const abilities = { efforts: ['low', 'medium', 'high', 'xhigh', 'max'] } as const
    const kept = (from: 'messages' | 'responses' | 'chat', to: 'messages' | 'responses' | 'chat') =>
      levels.map((effort) => {
        const ask = {
          messages: { model: 'm', messages, thinking: { type: 'adaptive' }, output_config: { effort } },
          responses: asking(effort),
          chat: { model: 'm', messages, reasoning_effort: effort },
        }[from]
        const { body } = request(from, to, ask, { abilities })
        return { messages: body.output_config?.effort, responses: body.reasoning?.effort, chat: body.reasoning_effort }[
          to
        ]
      })
    for (const [from, to] of [
      ...(['messages', 'chat'] as const).map((from) => [from, 'responses'] as const),
      ...(['messages', 'responses'] as const).map((from) => [from, 'chat'] as const),
      ...(['responses', 'chat'] as const).map((from) => [from, 'messages'] as const),
    ]) {
      expect(kept(from, to)).toEqual(levels)
    }
    const budgets = [1_024, 8_192, 24_576, 40_000]
    const ofBudgets = budgets.map((tokens) => {
      const ask = { model: 'm', messages, thinking: { type: 'enabled', budget_tokens: tokens } }
      return request('messages', 'responses', ask, { abilities }).body.reasoning.effort
    })
    expect(ofBudgets).toEqual(levels.slice(0, 4))
    const asBudgets = levels.slice(0, 3).map((effort) => {
      const how = { abilities: { thinking: 'budget' } } as const
      return request('responses', 'messages', asking(effort), how).body.thinking.budget_tokens
    })
    expect(asBudgets).toEqual(budgets.slice(0, 3))
  })
})
