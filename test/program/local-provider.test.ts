/** A local server played over real HTTP, as Ollama is (codex §8): found, called in its three dialects, away, and back by itself. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completion, message, response } from './asks.ts'
import { practiceProgram } from './members-kit.ts'
import { until } from './start-core.ts'

const program = practiceProgram()
const model = 'qwen3:8b'

/** What Ollama answers, whole answers only. */
class Ollama {
  readonly asked: string[] = []
  #server: Server | null = null
  port = 0

  async start(): Promise<void> {
    const server = createServer(async (request, answer) => {
      const body = await textOf(request)
      this.asked.push(`${request.method} ${request.url}`)
      const [status, value] = this.#answer(request.url ?? '', body)
      answer.writeHead(status, { 'content-type': 'application/json' })
      answer.end(typeof value === 'string' ? value : JSON.stringify(value))
    })
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.#server = server
    this.port = (server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    server?.closeAllConnections()
    if (server !== null) await new Promise((resolve) => server.close(resolve))
  }

  #answer(path: string, body: string): readonly [number, object | string] {
    const asked = body === '' ? null : (JSON.parse(body) as { model?: string })
    if (asked !== null && asked.model !== model) return [404, { error: `model '${asked.model}' not found` }]
    const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 }
    switch (path) {
      case '/api/version':
        return [200, { version: '0.33.0' }]
      case '/api/tags':
        return [
          200,
          {
            models: [
              { name: model, model },
              { name: 'glm-5:cloud', model: 'glm-5:cloud' },
            ],
          },
        ]
      case '/v1/chat/completions': {
        const message = { role: 'assistant', content: 'from chat' }
        return [
          200,
          { id: 'c', object: 'chat.completion', model, choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
        ]
      }
      case '/v1/responses': {
        const item = { type: 'message', id: 'm', role: 'assistant', status: 'completed' }
        const output = [{ ...item, content: [{ type: 'output_text', text: 'from responses', annotations: [] }] }]
        return [
          200,
          {
            id: 'resp_1',
            object: 'response',
            status: 'completed',
            model,
            output,
            usage: { input_tokens: 9, output_tokens: 1 },
          },
        ]
      }
      case '/v1/messages': {
        const content = [{ type: 'text', text: 'from messages' }]
        const rest = { stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 9, output_tokens: 1 } }
        return [200, { id: 'msg_1', type: 'message', role: 'assistant', model, content, ...rest }]
      }
      default:
        return [404, '404 page not found']
    }
  }
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const piece of request) text += String(piece)
  return text
}

const server = new Ollama()
beforeAll(() => server.start())
afterAll(() => server.stop())

const call = async (path: string, body: object) => {
  const answer = await fetch(`${program().address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program().key()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}
const backend = async () => {
  const pools =
    await program().rpc<{ tiers: { backendId: string; because: string; sentence: string; usable: boolean }[][] }[]>(
      'models.pools',
    )
  return pools.flatMap(({ tiers }) => tiers.flat()).find(({ backendId }) => backendId === `box:${model}`)
}

test('is found, and becomes a source that a vendor’s address falls over to', async () => {
  const baseUrl = `http://127.0.0.1:${server.port}`
  const dialects = ['chat', 'messages', 'responses']
  const found = await program().rpc<{ id: string; free: boolean }[]>('profiles.discoverModels', {
    kind: 'local',
    dialects,
    baseUrl,
  })
  expect(found.map(({ id, free }) => [id, free])).toEqual([
    [model, true],
    ['glm-5:cloud', false],
  ])
  await program().rpc('profiles.create', {
    kind: 'local',
    label: 'Box',
    dialects,
    baseUrl,
    models: found.map(({ id }) => ({ id })),
    joins: ['codex'],
  })
  expect(await backend()).toMatchObject({ because: 'ready', usable: true })
})

describe('it answers', () => {
  test('in its three dialects, each with its own words', async () => {
    const change = { model, stream: false }
    expect((await call('/box/v1/chat/completions', completion(change))).text).toContain('from chat')
    expect((await call('/box/v1/responses', response(change))).text).toContain('from responses')
    expect((await call('/box/v1/messages', message(change))).text).toContain('from messages')
    expect((await call('/codex/v1/responses', response(change))).text).toContain('from responses')
  })
  test('counts that it doesn’t make are estimated, and a model that it hasn’t is not its fault', async () => {
    const counted = await call('/box/v1/messages/count_tokens', {
      model,
      messages: [{ role: 'user', content: 'hello' }],
    })
    expect([counted.status, JSON.parse(counted.text).input_tokens > 0]).toEqual([200, true])
    expect((await call('/box/v1/chat/completions', completion({ model: 'glm-5:cloud', stream: false }))).status).toBe(
      404,
    )
    expect(await backend()).toMatchObject({ because: 'ready' })
  })
})

test('away it rests by itself, and a call says so; back it serves again without anybody’s doing', async () => {
  await server.stop()
  const gone = await call('/box/v1/chat/completions', completion({ model, stream: false }))
  expect([gone.status >= 500, gone.text.includes('from chat')]).toEqual([true, false])
  await until(async () => (await backend())?.because === 'not-running', 'it rests', 60_000)
  expect((await backend())?.sentence).toContain(`Nothing answers at http://127.0.0.1:${server.port}`)
  await server.start()
  await until(async () => (await backend())?.because === 'ready', 'it is back', 60_000)
  expect((await call('/box/v1/chat/completions', completion({ model, stream: false }))).text).toContain('from chat')
})

test('is added from the command line with all the models that it has', async () => {
  const url = `http://127.0.0.1:${server.port}`
  const added = await program().cli([
    ...['profiles', 'add', '--kind', 'local', '--label', 'Second box', '--base-url', url],
    ...['--dialect', 'chat', 'messages', 'responses', '--discover'],
  ])
  expect(added.stdout).toContain('Added as second-box.')
  const list = await program().rpc<{ id: string; provider: string; models: object[] }[]>('profiles.list')
  expect(list.find(({ id }) => id === 'second-box')).toMatchObject({
    provider: 'ollama',
    models: [{ free: true }, { free: false }],
  })
})

test('a server that speaks Chat only serves Messages clients by translation, and its test says what it can’t do', async () => {
  const baseUrl = `http://127.0.0.1:${server.port}`
  const provider = 'openai-compatible'
  await program().rpc('profiles.create', {
    ...{ kind: 'local', label: 'Plain', dialects: ['chat'], provider, baseUrl },
    models: [{ id: 'house', upstreamModel: model }],
  })
  const answer = await call('/plain/v1/messages', message({ model: 'house', stream: false }))
  expect([answer.status, JSON.parse(answer.text).content]).toEqual([200, [{ type: 'text', text: 'from chat' }]])
  const sentence = (from: string): string =>
    `Plain answered, but a tool call translated from ${from} to Chat Completions failed: it called no tool.`
  expect(await program().rpc('models.test', { backendId: 'plain:house' })).toMatchObject({
    ok: false,
    code: 'translation_test_failed',
    sentence: sentence('Messages'),
    translations: [
      { from: 'messages', to: 'chat', ok: false, sentence: sentence('Messages') },
      { from: 'responses', to: 'chat', ok: false, sentence: sentence('Responses') },
    ],
  })
})
