/** The Responses WebSocket of the simulated ChatGPT backend, seen by a real WebSocket client. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Practice } from '../../src/main/practice/practice.ts'
import { begin, codexHeaders, type Loose } from './fixture.ts'

interface Line {
  send(frame: object): void
  /** Frames up to and with the first that fits. */
  until(type: string): Promise<readonly Loose[]>
  readonly closed: Promise<number>
  readonly socket: WebSocket
}

const url = (practice: Practice): string =>
  `${practice.origins.codex.replace('http', 'ws')}/backend-api/codex/responses`

async function dial(practice: Practice, headers = codexHeaders(practice)): Promise<Line> {
  const socket = new WebSocket(url(practice), {
    headers: { ...headers, 'openai-beta': 'responses_websockets=2026-02-06' },
  })
  onTestFinished(() => socket.terminate())
  const frames: Loose[] = []
  let look = (): void => {}
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    look()
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    socket,
    closed,
    send: (frame) => socket.send(JSON.stringify(frame)),
    until: (type) =>
      new Promise((resolve) => {
        look = () => {
          const at = frames.findIndex((frame) => frame.type === type)
          if (at >= 0) resolve(frames.splice(0, at + 1))
        }
        look()
      }),
  }
}

/** The status and `error` of an upgrade that is turned down. */
const refused = (practice: Practice, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url(practice), { headers })
    socket.once('unexpected-response', (_request, answer) => {
      resolve(answer.statusCode ?? 0)
      answer.resume()
    })
    socket.on('error', () => {})
    socket.once('open', () => reject(new Error('it was accepted')))
  })

const create = { type: 'response.create', model: 'gpt-6.2-sol', store: false, stream: true, input: [] }

describe('a conversation', () => {
  it('begins with limits, warms up without an answer, and goes on from its own anchors', async () => {
    const { practice } = await begin()
    const line = await dial(practice)
    line.send({ ...create, generate: false })
    const warm = await line.until('response.completed')
    expect(warm.map((frame) => frame.type)).toEqual(['codex.rate_limits', 'response.created', 'response.completed'])
    expect(warm.at(-1).response).toMatchObject({ output: [], usage: { output_tokens: 0 } })
    line.send({ ...create, previous_response_id: warm.at(-1).response.id })
    const turn = await line.until('response.completed')
    expect(turn.at(-1).response).toMatchObject({ status: 'completed', usage: { output_tokens: 17 } })
    expect(turn[0].rate_limits.primary).toMatchObject({ used_percent: 35.9, window_minutes: 300 })
    line.send({ ...create, previous_response_id: turn.at(-1).response.id })
    expect((await line.until('response.completed')).at(-1).type).toBe('response.completed')
  })

  it('knows no anchor of another connection', async () => {
    const { practice } = await begin()
    const one = await dial(practice)
    one.send(create)
    const previous_response_id = (await one.until('response.completed')).at(-1).response.id
    const two = await dial(practice)
    two.send({ ...create, previous_response_id })
    expect((await two.until('error')).at(-1)).toMatchObject({
      status: 400,
      error: { code: 'previous_response_not_found' },
    })
  })

  it('answers frames one after the other', async () => {
    const { practice } = await begin()
    const line = await dial(practice)
    practice.script('codex-team', { wire: { pieceDelayMs: 2 } })
    line.send(create)
    line.send(create)
    const first = await line.until('response.completed')
    const second = await line.until('response.completed')
    const ids = (frames: readonly Loose[]): string[] => frames.flatMap((frame) => frame.response?.id ?? [])
    expect([new Set(ids(first)).size, new Set(ids(second)).size, ids(first)[0] === ids(second)[0]]).toEqual([
      1,
      1,
      false,
    ])
  })

  it('is remembered frame by frame on one socket', async () => {
    const { practice } = await begin()
    const line = await dial(practice)
    line.send(create)
    await line.until('response.completed')
    const frame = await practice.waitFor((request) => request.method === 'FRAME' && request.ended === 'whole')
    expect([frame.sourceId, frame.onConnection, JSON.parse(new TextDecoder().decode(frame.body ?? undefined))]).toEqual(
      ['codex-team', 1, create],
    )
    line.socket.close()
    const upgrade = await practice.waitFor((request) => request.operation === 'upgrade' && request.ended !== null)
    expect([upgrade.status, upgrade.connection]).toEqual([101, frame.connection])
  })
})

describe('refusals', () => {
  it('turns an upgrade down as scripted, so that a client falls back to HTTP', async () => {
    const { practice } = await begin()
    practice.script('codex', { on: ['upgrade'], reply: { kind: 'status', status: 426 } })
    expect(await refused(practice, codexHeaders(practice))).toBe(426)
  })

  it('wants the account id of the token', async () => {
    const { practice } = await begin()
    expect(await refused(practice, { ...codexHeaders(practice), 'chatgpt-account-id': 'other' })).toBe(401)
  })

  it('wraps a full window with status and headers', async () => {
    const { practice } = await begin()
    const line = await dial(practice)
    practice.fault('codex-team', 'exhaust')
    line.send(create)
    const [frame] = await line.until('error')
    expect(frame).toMatchObject({ status: 429, error: { type: 'usage_limit_reached' } })
    expect(frame.headers['x-codex-primary-used-percent']).toBe('100')
  })

  it('stops serving a connection whose token has been revoked', async () => {
    const { practice } = await begin()
    const line = await dial(practice)
    practice.fault('codex-team', 'revoke')
    line.send(create)
    expect((await line.until('error')).at(-1)).toMatchObject({ status: 401, error: { code: 'token_invalidated' } })
  })

  it.each([
    ['another frame type', { ...create, type: 'response.cancel' }],
    ['store other than false', { ...create, store: true }],
    ['no model', { type: 'response.create', store: false, input: [] }],
  ])('answers %s with an error frame', async (_name, frame) => {
    const { practice } = await begin()
    const line = await dial(practice)
    line.send(frame)
    expect((await line.until('error')).at(-1).status).toBe(400)
  })

  it('closes on a binary frame', async () => {
    const { practice } = await begin()
    const line = await dial(practice)
    line.socket.send(Buffer.from('{}'))
    expect(await line.closed).toBe(1003)
  })
})

describe('faults', () => {
  it.each([
    ['a close frame', { how: 'fin', closeCode: 1012 }, 1012],
    ['no close frame', { how: 'fin' }, 1006],
    ['a reset', { how: 'reset' }, 1006],
  ] as const)('breaks off after some frames with %s', async (_name, end, code) => {
    const { practice } = await begin()
    const line = await dial(practice)
    line.socket.on('error', () => {})
    practice.script('codex-team', { wire: { end: { ...end, afterEvents: 4 } } })
    line.send(create)
    expect(await line.closed).toBe(code)
    expect(practice.seen({ method: 'FRAME' })[0]?.ended).toBe('broken-off')
  })

  it('says the time limit of a connection, and any frame as given', async () => {
    const { practice } = await begin()
    const line = await dial(practice)
    practice.script(
      'codex-team',
      { reply: { kind: 'error', error: 'connection-limit' } },
      { reply: { kind: 'stream', pieces: ['{"type":"response.done"}'] } },
    )
    line.send(create)
    line.send(create)
    const frames = await line.until('response.done')
    expect(frames.map((frame) => frame.error?.code ?? frame.type)).toEqual([
      'websocket_connection_limit_reached',
      'response.done',
    ])
  })
})
