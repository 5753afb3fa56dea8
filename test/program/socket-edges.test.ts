/** What can go wrong on a WebSocket: strangers, bad frames, slow readers, upstreams that break, a program that ends. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../src/main/practice/practice.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { create, type DialOptions, dial, idOf, refused, type SocketClient, text, types } from './socket-client.ts'
import { type Rig, startRig, until } from './start-core.ts'

let rig: Rig
const clients: SocketClient[] = []
const begin = async (sources: readonly string[] = ['codex-team']): Promise<void> => {
  rig = await startRig({ sources })
  for (const id of sources) if (id.startsWith('codex-')) rig.practice.setWindows(id, [])
}
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate()
  await rig.close()
})

async function open(options: DialOptions = {}): Promise<SocketClient> {
  const client = await dial(rig, options)
  clients.push(client)
  return client
}

const notFound = { type: 'error', status: 400, error: { code: 'previous_response_not_found' } }
const frames = () => rig.practice.seen({ method: 'FRAME' })
const upgrades = () => rig.practice.seen({ operation: 'upgrade' })

describe('T1.8 an upgrade is checked like a request, before it is accepted', () => {
  beforeEach(() => begin())
  const foreign: readonly (readonly [string, Record<string, string>, number, string])[] = [
    ['another Host', { host: 'evil.test' }, 403, 'origin_refused'],
    ['the right name and a wrong port', { host: '127.0.0.1:1' }, 403, 'origin_refused'],
    ['any Origin', { origin: 'http://localhost' }, 403, 'origin_refused'],
    ['the origin null', { origin: 'null' }, 403, 'origin_refused'],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403, 'origin_refused'],
    ['a forged forwarded host', { origin: 'http://evil.test', 'x-forwarded-host': 'localhost' }, 403, 'origin_refused'],
    ['no key that is known', { authorization: 'Bearer pk_unknown' }, 401, 'no_credentials'],
  ]
  test.each(foreign)('with %s: %s', async (_name, headers, status, code) => {
    const answer = await refused(rig, { headers })
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    expect(answer.headers['x-pointsman-error']).toBeUndefined()
  })

  test('a key without a policy is told so, and to ask over HTTP, where the person hears of it', async () => {
    const secret = rig.newKey('unbound', { policy: null })
    const answer = await refused(rig, { headers: { authorization: `Bearer ${secret}` } })
    expect([answer.status, answer.body.error.code]).toEqual([426, 'access_key_unbound'])
  })

  test.each(['/claude/v1/messages', '/codex/v1/responses/compact', '/v1/models', '/nothing/here', '/'])(
    'on %s the client is sent to HTTP at once',
    async (path) => {
      const answer = await refused(rig, { path })
      expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([426, 'websocket_not_served'])
    },
  )

  test.each(['/v1/responses', '/codex/v1/responses', '/backend-api/codex/responses', '/codex-team/v1/responses'])(
    'on %s it is served',
    async (path) => {
      const client = await open({ path })
      expect(types(await client.turn()).at(-1)).toBe('response.completed')
    },
  )

  test('a key that is disabled meanwhile ends the connection at its next turn', async () => {
    const { api } = rig.core
    const secret = rig.newKey('short')
    const client = await open({ headers: { authorization: `Bearer ${secret}` } })
    await client.turn()
    api.keys.setState(api.keys.find('short').id, 'disabled')
    const [frame] = await client.turn()
    expect(frame).toMatchObject({ type: 'error', status: 401, error: { code: 'no_credentials' } })
    expect(await client.closed).toBe(1008)
    expect(frames()).toHaveLength(1)
  })
})

describe('frames', () => {
  beforeEach(() => begin())

  test.each([
    ['what is no JSON', '{"type":"response.create"', 'body_not_json'],
    ['a list', '[]', 'body_not_json'],
    ['another type', '{"type":"response.cancel"}', 'frame_not_served'],
    ['no type', '{"model":"gpt-5.5"}', 'frame_not_served'],
    ['a field twice', '{"type":"response.create","type":"response.create"}', 'duplicate_field'],
  ])('%s is refused in one frame, and the connection goes on', async (_name, frame, code) => {
    const client = await open()
    client.send(frame)
    const [answer] = await client.answer()
    expect(answer).toMatchObject({ type: 'error', status: 400, error: { type: 'invalid_request_error', code } })
    expect(types(await client.turn()).at(-1)).toBe('response.completed')
    expect(frames()).toHaveLength(1)
  })

  test('what the flow refuses is said as over HTTP: a stream that ends in our sentence', async () => {
    const client = await open()
    client.send('{"type":"response.create","model":"a","model":"b"}')
    const answer = await client.answer()
    expect(types(answer)).toEqual(['response.created', 'response.failed'])
    expect(answer.at(-1).response.error.message).toMatch(/^The body has the field model twice\./)
    expect(frames()).toHaveLength(0)
  })

  test('a binary frame ends the connection', async () => {
    const client = await open()
    client.socket.send(Buffer.from(JSON.stringify(create())))
    expect(await client.closed).toBe(1003)
    expect(frames()).toHaveLength(0)
  })

  test('a frame beyond the limit of a body ends the connection before it is read whole', async () => {
    rig.set({ bodyLimitBytes: 1024 * 1024 })
    const client = await open()
    client.send(create({ instructions: 'x'.repeat(1024 * 1024) }))
    expect(await client.closed).toBe(1009)
    expect(frames()).toHaveLength(0)
  })

  test('that come while a turn runs are answered after it, one by one; too many end the connection', async () => {
    const client = await open()
    rig.practice.script('codex-team', { delayMs: 50 })
    for (let n = 0; n < 3; n += 1) client.send(create())
    const answers = [await client.answer(), await client.answer(), await client.answer()]
    for (const answer of answers) expect(new Set(answer.flatMap((frame) => frame.response?.id ?? [])).size).toBe(1)
    rig.practice.script('codex-team', { wire: { end: { how: 'stall', afterEvents: 2 } } })
    for (let n = 0; n < 12; n += 1) client.send(create())
    expect(await client.closed).toBe(1008)
    await until(() => (upgrades()[0]?.ended === 'by-peer' ? true : null), 'the upstream is let go')
  })

  test('a ping is answered, also while a turn runs', async () => {
    const client = await open()
    rig.practice.script('codex-team', { wire: { end: { how: 'stall', afterEvents: 2 } } })
    client.send(create())
    await until(() => (client.frames.length > 0 ? true : null), 'the turn has begun')
    const pong = new Promise((resolve) => client.socket.once('pong', (data) => resolve(String(data))))
    client.socket.ping('still there?')
    expect(await pong).toBe('still there?')
  })

  test('compression that a client offers is not taken up', async () => {
    const client = await open({ more: { perMessageDeflate: true } })
    expect(client.socket.extensions).toBe('')
    expect(types(await client.turn()).at(-1)).toBe('response.completed')
  })

  test('no sub-protocol is chosen, whatever a client offers', async () => {
    await expect(open({ more: { protocol: undefined } })).resolves.toBeDefined()
    const answer = open({ headers: { 'sec-websocket-protocol': 'openai-insecure-api-key.sk-1' } })
    const client = await answer
    expect(client.socket.protocol).toBe('')
  })
})

describe('an upstream over HTTP', () => {
  test('answers a whole history in frames, and what builds on its answer is said to be lost', async () => {
    await begin([])
    await rig.add('openai-key')
    const client = await open()
    const warm = await client.turn({ generate: false })
    expect(types(warm)).toEqual(['response.completed'])
    expect(warm[0].response).toMatchObject({ id: '', output: [], usage: { total_tokens: 0 } })
    rig.practice.script('openai-key', { reply: { kind: 'vendor', content: { text: 'over HTTP' } } })
    const first = await client.turn()
    expect([types(first)[0], text(first)]).toEqual(['response.created', 'over HTTP'])
    const [sent] = rig.practice.seen({ operation: 'generate' })
    const { type: _type, ...body } = create() as Record<string, unknown>
    expect([sent?.method, new TextDecoder().decode(sent?.body ?? undefined)]).toEqual(['POST', JSON.stringify(body)])
    expect((await client.turn({ previous_response_id: idOf(first) }))[0]).toMatchObject(notFound)
    expect(rig.practice.seen({ operation: 'generate' })).toHaveLength(1)

    // The client that reopens is better served over HTTP: there it sends its whole history with every turn.
    expect((await refused(rig)).status).toBe(426)
    const again = await open()
    expect(types(await again.turn()).at(-1)).toBe('response.completed')
    const rows = await rig.rows(4)
    expect(rows.map(({ outcome, errorCode }) => [outcome, errorCode])).toEqual([
      ['done', null],
      ['refused', 'state_elsewhere'],
      ['done', null],
      ['done', null],
    ])
  })

  test('is asked for what it stored itself', async () => {
    await begin([])
    await rig.add('openai-key')
    const client = await open()
    const first = await client.turn({ store: true })
    await client.turn({ store: true, previous_response_id: idOf(first) })
    const sent = rig.practice.seen({ operation: 'generate' })
    expect(JSON.parse(new TextDecoder().decode(sent[1]?.body ?? undefined)).previous_response_id).toBe(idOf(first))
  })

  test('in another dialect is translated, in frames too', async () => {
    await begin([])
    await rig.add('ollama')
    const client = await open({ path: '/v1/responses' })
    const [model] = rig.practice.seeds.sources.find(({ id }) => id === 'ollama')?.models ?? []
    const answer = await client.turn({ model: model?.id })
    expect([types(answer)[0], types(answer).at(-1)]).toEqual(['response.created', 'response.completed'])
    expect(text(answer)).not.toBe('')
  })

  test('a vendor without a WebSocket just now is asked over HTTP, and no warm-up is sent there', async () => {
    await begin()
    rig.practice.script('codex-team', { on: ['upgrade'], reply: { kind: 'status', status: 426, body: '{}' } })
    const client = await open()
    const first = await client.turn()
    expect(types(first).at(-1)).toBe('response.completed')
    expect(rig.practice.seen({ operation: 'generate' }).map(({ method }) => method)).toEqual(['POST'])
    expect((await client.turn({ generate: false }))[0].response.id).toBe('')
    expect(rig.practice.seen({ operation: 'generate' })).toHaveLength(1)
    expect(upgrades()).toHaveLength(1)
  })

  test('a login that the handshake refuses is renewed and tried again', async () => {
    await begin()
    rig.practice.expireTokens('codex-team')
    const client = await open()
    expect(types(await client.turn()).at(-1)).toBe('response.completed')
    expect(upgrades().map(({ status }) => status)).toEqual([401, 101])
  })
})

describe('an upstream that breaks', () => {
  beforeEach(() => begin())
  const half = (end: NonNullable<NonNullable<Behaviour['wire']>['end']>): Behaviour => ({
    reply: { kind: 'vendor', content: { words: 6 } },
    wire: { end: { ...end, afterEvents: 6 } },
  })

  test.each([
    ['without a word', { how: 'fin' }],
    ['with a reset', { how: 'reset' }],
    ['with close code 1012', { how: 'fin', closeCode: 1012 }],
    ['with close code 1000', { how: 'fin', closeCode: 1000 }],
  ] as const)('in the middle of an answer %s ends it with an error, never cleanly', async (_name, end) => {
    rig.practice.script('codex-team', half(end))
    const client = await open()
    const answer = await client.turn()
    expect(types(answer)).toContain('response.output_text.delta')
    expect(answer.at(-1)).toMatchObject({ type: 'error', status: 502, error: { code: 'answer_broken' } })
    expect((await rig.rows(1))[0]?.outcome).toBe('truncated')
    // The connection goes on, with a new one upstream.
    expect(types(await client.turn()).at(-1)).toBe('response.completed')
    expect(upgrades()).toHaveLength(2)
  })

  test('before its first word moves the turn on where that is allowed', async () => {
    await rig.add('codex-personal')
    rig.practice.setWindows('codex-personal', [])
    rig.practice.script('codex-team', { reply: { kind: 'no-head', end: 'reset' } })
    const client = await open()
    expect(types(await client.turn()).at(-1)).toBe('response.completed')
    const { executions } = await rig.latest()
    expect(executions.map(({ sourceId: id, outcome }) => [id, outcome])).toEqual([
      ['codex-team', 'unknown-outcome'],
      ['codex-personal', 'done'],
    ])
  })

  test('before the first word of a turn that builds on an earlier one: the earlier answer is lost', async () => {
    const client = await open()
    const first = await client.turn()
    rig.practice.script('codex-team', { reply: { kind: 'no-head', end: 'reset' } })
    expect((await client.turn({ previous_response_id: idOf(first) }))[0]).toMatchObject(notFound)
  })

  test('between two turns: the earlier answer is lost', async () => {
    rig.practice.script('codex-team', { wire: { end: { how: 'fin', closeCode: 1001 } } })
    const client = await open()
    const first = await client.turn()
    await until(() => (rig.practice.openSockets('codex') === 0 ? true : null), 'the upstream has closed')
    expect((await client.turn({ previous_response_id: idOf(first) }))[0]).toMatchObject(notFound)
    expect(frames()).toHaveLength(1)
  })

  test('after a sleep or on another network nothing is sent over what was open: the earlier answer is lost', async () => {
    const client = await open()
    const first = await client.turn()
    rig.core.wake()
    await until(() => (rig.practice.openSockets('codex') === 0 ? true : null), 'what was open is closed')
    expect((await client.turn({ previous_response_id: idOf(first) }))[0]).toMatchObject(notFound)
    expect(types(await client.turn()).at(-1)).toBe('response.completed')
    expect(upgrades()).toHaveLength(2)
  })

  test('the vendor’s own time limit is passed on unchanged', async () => {
    rig.practice.script('codex-team', { reply: { kind: 'error', error: 'connection-limit' } })
    const client = await open()
    expect((await client.turn())[0]).toMatchObject({
      type: 'error',
      status: 400,
      error: { code: 'websocket_connection_limit_reached' },
    })
  })

  test('an error without a status, on which the Codex CLI would wait, closes the connection behind it', async () => {
    rig.practice.script('codex-team', {
      reply: {
        kind: 'stream',
        pieces: [
          '{"type":"response.created","response":{"id":"resp_1"}}',
          '{"type":"response.output_text.delta","delta":"half"}',
          '{"type":"error","code":"server_error","message":"no more"}',
        ],
      },
    })
    const client = await open()
    const answer = await client.turn()
    expect(answer.at(-1)).toEqual({ type: 'error', code: 'server_error', message: 'no more' })
    expect(await client.closed).toBe(1011)
  })

  test('a frame with line ends in it arrives as the same object', async () => {
    const pretty = JSON.stringify({ type: 'response.completed', response: { id: 'resp_2', output: [] } }, null, 2)
    rig.practice.script('codex-team', { reply: { kind: 'stream', pieces: [pretty] } })
    const client = await open()
    expect(await client.turn()).toEqual([JSON.parse(pretty)])
  })
})

describe('back pressure', () => {
  test('a client that reads nothing holds its upstream up, and gets every event once it reads', async () => {
    await begin()
    const totalBytes = 48 * 1024 * 1024
    rig.practice.script('codex-team', { reply: { kind: 'vendor', content: { totalBytes } } })
    const client = await open()
    client.socket.pause()
    client.send(create())
    await until(() => (frames().length > 0 ? true : null), 'the turn has reached the upstream')
    const before = process.memoryUsage().rss
    let highest = before
    for (let look = 0; look < 40; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25))
      highest = Math.max(highest, process.memoryUsage().rss)
    }
    expect(frames()[0]?.ended).toBeNull()
    // Simulator and client live in this process too: most of the answer must not have been made yet.
    expect(highest - before).toBeLessThan(totalBytes / 2)
    client.socket.resume()
    const answer = await client.answer()
    const length = answer.reduce((sum, frame) => sum + JSON.stringify(frame).length, 0)
    expect(length).toBeGreaterThanOrEqual(totalBytes)
    const numbers = answer.flatMap(({ sequence_number: number }) => (number === undefined ? [] : [number]))
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  })
})

describe('the program ends', () => {
  test('idle connections with 1012 at once; a turn that runs comes to its end first', async () => {
    await begin()
    rig.practice.script('codex-team', { delayMs: 300 })
    const idle = await open()
    const busy = await open({ thread: 'busy' })
    busy.send(create())
    await until(() => (frames().length > 0 ? true : null), 'the turn has reached the upstream')
    const stopped = rig.core.stop()
    expect(await idle.closed).toBe(1012)
    expect(types(await busy.answer()).at(-1)).toBe('response.completed')
    expect(await busy.closed).toBe(1012)
    await stopped
  })

  test('a turn that will not end is broken off, and filed as interrupted', async () => {
    await begin()
    rig.practice.script('codex-team', { wire: { end: { how: 'stall', afterEvents: 3 } } })
    const client = await open()
    client.send(create())
    await until(() => (client.frames.length > 0 ? true : null), 'frames of the turn')
    const { dataDir } = rig
    await rig.core.stop()
    expect(await client.closed).toBe(1012)
    const again = await startRig({ dataDir, practice: rig.practice })
    expect((await again.rows(1))[0]?.outcome).toBe('interrupted')
    await again.core.stop()
  }, 30_000)
})

test('the conversation of a turn is read from its own words, the folder too', async () => {
  await begin(['codex-team', 'codex-personal'])
  const policy = { mode: 'strict', sources: [sourceId('codex-personal')] } as const
  const secret = rig.newKey('folders', { folders: [{ folder: '/home/me/secret', policy }] } as never)
  const client = await open({ headers: { authorization: `Bearer ${secret}` } })
  const metadata = { workspaces: { '/home/me/secret': {} } }
  await client.turn()
  await client.turn({ client_metadata: { 'x-codex-turn-metadata': JSON.stringify(metadata) } })
  expect(frames().map(({ sourceId: id }) => id)).toEqual(['codex-team', 'codex-personal'])
})
