/** Any client on any upstream through the whole flow: six directions, tools, failures, counts, failover, history. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/main/domain/source.ts'
import type { Behaviour, Content } from '../../src/main/practice/practice.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { completion, message, response } from './asks.ts'
import type { ClientAnswer } from './client.ts'
import { open as openSocket, requestText } from './raw-socket.ts'
import { type Rig, startRig, until } from './start-core.ts'

const open: Rig[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()))
})

const model = 'house-model'
const models = [{ id: model, upstreamModel: model, aliases: [], free: false }]
const hosts: Readonly<Record<Dialect, string>> = { messages: 'anthropic-key', responses: 'openai-key', chat: 'ollama' }

/** One key for a host that speaks just this dialect. */
async function start(...upstreams: readonly Dialect[]): Promise<Rig> {
  const rig = await startRig()
  open.push(rig)
  for (const dialect of upstreams) await rig.add(hosts[dialect], { models, dialects: [dialect] } as object)
  return rig
}

const tool = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const asks: Readonly<Record<Dialect, (stream: boolean) => readonly [path: string, body: object]>> = {
  messages: (stream) => ['/v1/messages', message({ model, stream, tools: [{ name: 'read', input_schema: tool }] })],
  responses: (stream) => [
    '/v1/responses',
    response({ model, stream, tools: [{ type: 'function', name: 'read', parameters: tool, strict: false }] }),
  ],
  chat: (stream) => [
    '/v1/chat/completions',
    completion({ model, stream, tools: [{ type: 'function', function: { name: 'read', parameters: tool } }] }),
  ],
}

const good = (content: Content): Behaviour => ({ reply: { kind: 'vendor', content } })
const call: Content = { text: 'I look.', tool: { kind: 'function', name: 'read', arguments: '{"path":"a.txt"}' } }

interface Seen {
  readonly text: string
  readonly calls: readonly (readonly [name: string, input: unknown])[]
  readonly stop: string | null
}

const events = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)

// biome-ignore lint/suspicious/noExplicitAny: foreign JSON is read by path
type Any = any

function read(client: Dialect, answer: ClientAnswer, stream: boolean): Seen {
  const found: Any[] = stream ? [...events(answer.text)] : [JSON.parse(answer.text)]
  switch (client) {
    case 'messages': {
      if (!stream) {
        const blocks: Any[] = found[0].content
        return {
          text: blocks.map((block) => block.text ?? '').join(''),
          calls: blocks.filter(({ type }) => type === 'tool_use').map(({ name, input }) => [name, input]),
          stop: found[0].stop_reason,
        }
      }
      const input = found.map(({ delta }) => delta?.partial_json ?? '').join('')
      return {
        text: found.map(({ delta }) => delta?.text ?? '').join(''),
        calls: found
          .filter(({ content_block: block }) => block?.type === 'tool_use')
          .map(({ content_block: block }) => [block.name, JSON.parse(input)]),
        stop: found.find(({ type }) => type === 'message_delta')?.delta.stop_reason ?? null,
      }
    }
    case 'responses': {
      const final = stream ? found.at(-1)?.response : found[0]
      const items: Any[] = final.output
      return {
        text: items.map((item) => item.content?.[0]?.text ?? '').join(''),
        calls: items
          .filter(({ type }) => type === 'function_call')
          .map((item) => [item.name, JSON.parse(item.arguments)]),
        stop: final.status,
      }
    }
    case 'chat': {
      if (!stream) {
        const { message: said, finish_reason: stop } = found[0].choices[0]
        const calls = (said.tool_calls ?? []).map(({ function: made }: Any) => [made.name, JSON.parse(made.arguments)])
        return { text: said.content ?? '', calls, stop }
      }
      const deltas = found.map(({ choices }) => choices[0]?.delta ?? {})
      const made = deltas.flatMap((delta) => delta.tool_calls ?? [])
      const input = made.map(({ function: part }) => part.arguments ?? '').join('')
      return {
        text: deltas.map((delta) => delta.content ?? '').join(''),
        calls: made.filter(({ id }) => id !== undefined).map(({ function: part }) => [part.name, JSON.parse(input)]),
        stop:
          found.flatMap(({ choices }) => choices).find((choice) => choice.finish_reason !== null)?.finish_reason ??
          null,
      }
    }
  }
}

const stops: Readonly<Record<Dialect, string>> = { messages: 'tool_use', responses: 'completed', chat: 'tool_calls' }
const dialects = ['messages', 'responses', 'chat'] as const
const directions = dialects.flatMap((client) =>
  dialects
    .filter((other) => other !== client)
    .flatMap((upstream) => [true, false].map((stream) => ({ client, upstream, stream }))),
)

describe.each(directions)(
  'a $client client on a $upstream upstream, stream: $stream',
  ({ client, upstream, stream }) => {
    test('gets text and a tool call in its own dialect, and its row says so', async () => {
      const rig = await start(upstream)
      rig.practice.script(hosts[upstream], good(call))
      const answer = await rig.call(...asks[client](stream))
      expect([answer.status, read(client, answer, stream)]).toEqual([
        200,
        { text: 'I look.', calls: [['read', { path: 'a.txt' }]], stop: stops[client] },
      ])
      const { call: row, decision } = await rig.latest()
      expect([row.outcome, row.usage === null, decision?.warnings[0]?.startsWith('Translated from ')]).toEqual([
        'done',
        false,
        true,
      ])
    })

    test('is told of a cut as one, in its own style', async () => {
      const rig = await start(upstream)
      rig.practice.script(hosts[upstream], { ...good({ words: 40 }), wire: { end: { how: 'fin', afterEvents: 12 } } })
      const answer = await rig.call(...asks[client](stream))
      const [last] = [...events(answer.text)].reverse()
      if (!stream) expect(answer.status).toBeGreaterThanOrEqual(500)
      else if (client === 'messages') expect(last?.type).toBe('error')
      else if (client === 'responses') expect(last?.type).toBe('response.failed')
      else expect([last?.error === undefined, answer.text.includes('[DONE]')]).toEqual([false, false])
    })

    test('is told of a refusal in its own style, with the status that belongs to it', async () => {
      const rig = await start(upstream)
      rig.practice.script(hosts[upstream], { reply: { kind: 'error', error: 'invalid' } })
      const answer = await rig.call(...asks[client](stream))
      const body = JSON.parse(answer.text) as { readonly type?: string; readonly error: { readonly type: string } }
      expect([answer.status, body.type ?? null, body.error.type]).toEqual([
        400,
        client === 'messages' ? 'error' : null,
        'invalid_request_error',
      ])
    })
  },
)

test('an overloaded key fails over to a host of another dialect unseen', async () => {
  const rig = await start('messages', 'responses')
  rig.practice.script('anthropic-key', { reply: { kind: 'error', error: 'overloaded' } })
  rig.practice.script('openai-key', good(call))
  const answer = await rig.call(...asks.chat(true))
  expect(read('chat', answer, true).stop).toBe('tool_calls')
  const { executions } = await rig.latest()
  expect(executions.map(({ sourceId, status }) => [sourceId, status])).toEqual([
    ['anthropic-key', 529],
    ['openai-key', 200],
  ])
})

test.each([
  ['nobody counts them', 'chat', null],
  ['its host does not know how', 'messages', { reply: { kind: 'status', status: 404, body: 'no such page' } }],
] as const)(
  'BerriAI/litellm#13252 tokens are estimated where %s, never 404 and never 0',
  async (_, upstream, refusal) => {
    const rig = await start(upstream)
    if (refusal !== null) rig.practice.script(hosts[upstream], refusal)
    const answer = await rig.call('/v1/messages/count_tokens', message({ model }))
    const { input_tokens: tokens } = JSON.parse(answer.text) as { readonly input_tokens: number }
    expect([answer.status, answer.headers['x-pointsman-estimate'], tokens > 0]).toEqual([200, 'true', true])
  },
)

test('what can’t be carried is refused by the name of its field', async () => {
  const rig = await start('messages')
  const answer = await rig.call('/v1/chat/completions', completion({ model, n: 2 }))
  const { error } = JSON.parse(answer.text) as { readonly error: Record<string, unknown> }
  expect([answer.status, error.code, error.param]).toEqual([400, 'n_not_portable', 'n'])
})

test('the strict switch turns what would be dropped into a refusal', async () => {
  const rig = await start('messages')
  const ask = ['/v1/chat/completions', completion({ model, seed: 7, stream: false })] as const
  const loose = await rig.call(...ask)
  rig.set({ strictTranslation: true })
  const strict = await rig.call(...ask)
  expect([loose.status, loose.headers['x-pointsman-warnings'], strict.status]).toEqual([200, 'seed_dropped', 400])
})

test('a Claude subscription never gets translated traffic', async () => {
  const rig = await startRig({ sources: ['claude-work'] })
  open.push(rig)
  const answer = await rig.call('/v1/chat/completions', completion({ model: 'claude-opus-4-8' }))
  expect([answer.status, rig.practice.seen({ operation: 'generate' }).length]).toEqual([503, 0])
})

test('a long history is translated all the same', async () => {
  const rig = await start('responses')
  rig.practice.script('openai-key', good({ text: 'Read.' }))
  const answer = await rig.call(
    '/v1/messages',
    message({ model, messages: [{ role: 'user', content: 'x'.repeat(400_000) }] }),
  )
  expect([answer.status, JSON.parse(answer.text).content]).toEqual([200, [{ type: 'text', text: 'Read.' }]])
})

describe('a history with thoughts of another account', () => {
  const refused: Behaviour = {
    reply: {
      kind: 'status',
      status: 400,
      headers: ['content-type', 'application/json'],
      body: JSON.stringify({
        error: { message: 'The encrypted content gAAA could not be verified.', code: 'invalid_encrypted_content' },
      }),
    },
  }
  test('is sent once more without them, to the same account, which is not blamed', async () => {
    const rig = await start('responses')
    rig.practice.script('openai-key', refused, good({ text: 'Fine.' }))
    const thought = { type: 'reasoning', summary: [], encrypted_content: 'gAAA' }
    const answer = await rig.call(
      '/v1/responses',
      response({ model, input: [{ role: 'user', content: 'a' }, thought] }),
    )
    const bodies = rig.practice.seen({ operation: 'generate' }).map(({ body }) => Buffer.from(body ?? []).toString())
    expect([answer.status, bodies.map((body) => body.includes('gAAA'))]).toEqual([200, [true, false]])
    expect((await rig.latest()).executions.map(({ because }) => because)).toEqual(['foreign-history', 'done'])
  })

  test('is refused after one retry', async () => {
    const rig = await start('responses')
    rig.practice.script('openai-key', refused, refused)
    const thought = { type: 'reasoning', summary: [], encrypted_content: 'gAAA' }
    const answer = await rig.call(
      '/v1/responses',
      response({ model, input: [{ role: 'user', content: 'a' }, thought] }),
    )
    expect([answer.status, rig.practice.seen({ operation: 'generate' }).length]).toEqual([400, 2])
  })
})

test('BerriAI/litellm#38790 a server that refuses how long cache marks are kept gets marks without it from then on', async () => {
  const refused: Behaviour = {
    reply: {
      kind: 'status',
      status: 400,
      headers: ['content-type', 'application/json'],
      body: JSON.stringify({ type: 'error', error: { message: '`cache_control.ttl: 1h` is not supported' } }),
    },
  }
  const rig = await start('messages')
  rig.practice.script('anthropic-key', refused, good({ text: 'One.' }), good({ text: 'Two.' }))
  const cache = { type: 'ephemeral', ttl: '1h' }
  const asked = message({
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'a', cache_control: cache }] }],
  })
  const texts = [await rig.call('/v1/messages', asked), await rig.call('/v1/messages', asked)].map(
    ({ text }) => JSON.parse(text).content[0].text,
  )
  const marks = rig.practice
    .seen({ operation: 'generate' })
    .map(({ body }) => JSON.parse(Buffer.from(body ?? []).toString()).messages[0].content[0].cache_control)
  expect([texts, marks]).toEqual([
    ['One.', 'Two.'],
    [cache, { type: 'ephemeral' }, { type: 'ephemeral' }],
  ])
  expect((await rig.latest(2)).executions.map(({ because }) => because)).toEqual(['done'])
})

describe('a turn that its upstream pauses for a web search', () => {
  const sent = (rig: Rig): readonly Any[] =>
    rig.practice.seen({ operation: 'generate' }).map(({ body }) => JSON.parse(Buffer.from(body ?? []).toString('utf8')))
  const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
  const looking = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }
  const content = [{ type: 'text', text: 'I look. ' }, looking, found]
  const usage = { input_tokens: 10, output_tokens: 5 }
  const whole = { id: 'msg_1', type: 'message', role: 'assistant', content, stop_reason: 'pause_turn', usage }
  const event = (data: Any): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
  const paused = (stream: boolean, pieceDelayMs = 0): Behaviour => {
    if (!stream) return { reply: { kind: 'status', status: 200, headers: json, body: JSON.stringify(whole) } }
    const blocks = content.flatMap((block, index) => [
      event({ type: 'content_block_start', index, content_block: block }),
      event({ type: 'content_block_stop', index }),
    ])
    const start = event({ type: 'message_start', message: { ...whole, content: [], stop_reason: null } })
    const end = event({ type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage })
    const pieces = [start, ...blocks, end, event({ type: 'message_stop' })]
    return { reply: { kind: 'stream', pieces }, wire: { pieceDelayMs } }
  }
  const json = ['content-type', 'application/json']
  const claude = 'claude-opus-4-8'
  const asking = (stream: boolean) =>
    ['/v1/responses', response({ model: claude, stream, tools: [{ type: 'web_search' }] })] as const
  const startClaude = async (): Promise<Rig> => {
    const rig = await start()
    await rig.add(hosts.messages, { models: [{ ...models[0], id: claude, upstreamModel: claude }] } as object)
    return rig
  }

  test.each([true, false])('goes on at the same account, in one answer, stream: %s', async (stream) => {
    const rig = await startClaude()
    rig.practice.script(hosts.messages, paused(stream), good({ text: 'It is so.', usage: { outputTokens: 7 } }))
    const answer = await rig.call(...asking(stream))
    const { text, stop } = read('responses', answer, stream)
    expect([answer.status, text, stop]).toEqual([200, 'I look. It is so.', stops.responses])
    const [first, second] = sent(rig)
    expect(second).toEqual({ ...first, messages: [...first.messages, { role: 'assistant', content }] })
    const { call: row, executions, decision } = await rig.latest()
    expect([row.outcome, row.usage?.outputTokens, executions.map(({ because }) => because)]).toEqual([
      'done',
      12,
      ['paused', 'done'],
    ])
    expect(executions.map((each) => each.usage?.outputTokens)).toEqual([5, 7])
    expect(decision?.warnings.join(' ')).not.toContain('paused turn ended')
  })

  test.each([
    ['refuses to', { reply: { kind: 'error', error: 'overloaded' } }],
    ['breaks off', { reply: { kind: 'no-head', end: 'reset' } }],
  ] as const)('ends as one cut by its limit where the account %s', async (_how, then) => {
    const rig = await startClaude()
    rig.practice.script(hosts.messages, paused(true), then)
    const answer = await rig.call(...asking(true))
    expect(events(answer.text).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' }, usage: { output_tokens: 5 } },
    })
    const { executions, decision } = await rig.latest()
    expect(executions.map(({ because }) => because)).toEqual(['not-gone-on', 'done'])
    expect(decision?.warnings).toContain('paused turn ended (its answer).')
  })

  test('what the account says instead of going on counts as after any request: it rests', async () => {
    const rig = await startClaude()
    rig.practice.script(hosts.messages, paused(true), { reply: { kind: 'error', error: 'revoked' } })
    await rig.call(...asking(true))
    const { health } = rig.core.api.conditions
    expect(health.sources.get(sourceId(hosts.messages))?.because).toBe('key-rejected')
  })

  test('ends so too where the key is disabled meanwhile: nothing more is sent', async () => {
    const rig = await startClaude()
    rig.practice.script(hosts.messages, paused(true, 50))
    const answering = rig.call(...asking(true))
    await rig.practice.waitFor(({ operation }) => operation === 'generate')
    const [key] = rig.core.api.keys.all()
    if (key === undefined) throw new Error('no key')
    rig.core.api.keys.setState(key.id, 'disabled')
    expect(events((await answering).text).at(-1)).toMatchObject({ type: 'response.incomplete' })
    expect(sent(rig)).toHaveLength(1)
  })
})

describe('a client that leaves', () => {
  const stall: Behaviour = { reply: { kind: 'no-head', end: 'stall' } }
  const endless: Behaviour = { ...good({ words: 40 }), wire: { end: { how: 'stall', afterEvents: 12 } } }
  const counting = ['/v1/responses/input_tokens', { model, input: 'How long is this?' }] as const
  for (const { name, behaviour, ask, after } of [
    { name: 'bman654/clodex#170 mid-stream', behaviour: endless, ask: asks.messages(true), after: 'data: ' },
    { name: 'bman654/clodex#170 in its own dialect', behaviour: endless, ask: asks.responses(true), after: 'data: ' },
    { name: 'bman654/clodex#170 of a count', behaviour: stall, ask: counting, after: '' },
    { name: 'BerriAI/litellm#31499 before the first token', behaviour: stall, ask: asks.messages(true), after: '' },
    {
      name: 'BerriAI/litellm#37140 of a call without a stream',
      behaviour: stall,
      ask: asks.messages(false),
      after: '',
    },
  ]) {
    test(`${name}: its upstream is let go`, async () => {
      const rig = await start('responses')
      rig.practice.script('openai-key', behaviour)
      const socket = openSocket(rig.core.port)
      let got = ''
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        got += bytes.toString('latin1')
      })
      const [target, body] = ask
      socket.write(requestText({ port: rig.core.port, key: rig.key, target, body: JSON.stringify(body), headers: {} }))
      await until(() => (rig.practice.seen().length > 0 && got.includes(after) ? true : null), 'the call is under way')
      socket.destroy()
      expect((await rig.latest()).call.outcome).toBe('client-left')
      await until(() => (rig.practice.seen().at(-1)?.ended === 'by-peer' ? true : null), 'the upstream was let go')
    })
  }
})

test('Wei-Shaw/claude-relay-service#731 a burst of counts is answered here and costs no upstream anything', async () => {
  const rig = await start('responses')
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => rig.call('/v1/messages/count_tokens', message({ model }))),
  )
  expect([new Set(answers.map(({ status }) => status)), rig.practice.seen().length]).toEqual([new Set([200]), 0])
})

test('Wei-Shaw/claude-relay-service#731 a host that has refused to count is not asked again', async () => {
  const rig = await start('messages')
  rig.practice.usually(hosts.messages, { reply: { kind: 'status', status: 404, body: 'no such page' } })
  for (let burst = 0; burst < 2; burst += 1) {
    const answer = await rig.call('/v1/messages/count_tokens?beta=true', message({ model }))
    expect([answer.status, answer.headers['x-pointsman-estimate'], rig.practice.seen().length]).toEqual([
      200,
      'true',
      1,
    ])
  }
})

test('a host that wants fewer counts gets none for a while, and its account goes on answering', async () => {
  const rig = await start('messages')
  rig.practice.script(hosts.messages, { reply: { kind: 'error', error: 'burst' } })
  for (let count = 0; count < 2; count += 1) {
    const answer = await rig.call('/v1/messages/count_tokens', message({ model }))
    expect([answer.status, answer.headers['x-pointsman-estimate']]).toEqual([200, 'true'])
  }
  expect(rig.practice.seen()).toHaveLength(1)
  expect(rig.core.api.conditions.health.sources.get(sourceId(hosts.messages))).toBeUndefined()
  expect((await rig.call(...asks.messages(false))).status).toBe(200)
})

describe('counting for Responses clients', () => {
  const count = async (upstream: Dialect) => {
    const rig = await start(upstream)
    const answer = await rig.call('/v1/responses/input_tokens', { model, input: 'How long is this?' })
    const { object, input_tokens: tokens } = JSON.parse(answer.text) as Record<string, unknown>
    return [
      answer.status,
      object,
      Number(tokens) > 0,
      answer.headers['x-pointsman-estimate'],
      rig.practice.seen().length,
    ]
  }
  test('is the vendor’s own where it counts', async () => {
    expect(await count('responses')).toEqual([200, 'response.input_tokens', true, undefined, 1])
  })
  test.each(['messages', 'chat'] as const)('is an estimate at an upstream that speaks %s', async (upstream) => {
    expect(await count(upstream)).toEqual([200, 'response.input_tokens', true, 'true', 0])
  })
  test('is an estimate for a Codex account, which is not asked', async () => {
    const rig = await startRig()
    open.push(rig)
    await rig.add('codex-team')
    const answer = await rig.call('/codex/v1/responses/input_tokens', { model: 'gpt-5.5', input: 'a' })
    expect([answer.status, answer.headers['x-pointsman-estimate']]).toEqual([200, 'true'])
    expect(rig.practice.seen({ operation: 'count' })).toEqual([])
  })
})

describe('a Codex account that serves any client', () => {
  for (const stream of [true, false]) {
    test(`serves Messages clients, stream: ${stream}, though it only streams itself`, async () => {
      const rig = await startRig()
      open.push(rig)
      await rig.add('codex-team', { serves: 'any-client' } as object)
      rig.practice.script('codex-team', good({ ...call, emptyOutput: true }))
      const [path, body] = asks.messages(stream)
      const answer = await rig.call(path, { ...body, model: 'gpt-5.5' })
      expect([answer.status, read('messages', answer, stream)]).toEqual([
        200,
        { text: 'I look.', calls: [['read', { path: 'a.txt' }]], stop: 'tool_use' },
      ])
      const [seen] = rig.practice.seen({ operation: 'generate' })
      const sent = JSON.parse(Buffer.from(seen?.body ?? []).toString()) as Record<string, unknown>
      expect([sent.stream, sent.store, sent.max_output_tokens]).toEqual([true, false, undefined])
      const names = seen?.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()) ?? []
      expect(names.filter((name) => name.startsWith('anthropic-'))).toEqual([])
    })
  }

  test('that serves the Codex CLI only serves nobody else', async () => {
    const rig = await startRig()
    open.push(rig)
    await rig.add('codex-team', { serves: 'codex-only' } as object)
    const [path, body] = asks.messages(true)
    const answer = await rig.call(path, { ...body, model: 'gpt-5.5' })
    expect([answer.status, rig.practice.seen({ operation: 'generate' }).length]).toEqual([503, 0])
  })
})
