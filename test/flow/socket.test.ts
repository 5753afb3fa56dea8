/** The parts of a WebSocket that need none: heads, memories with an end, what a failed turn comes to, the time limit. */
import { describe, expect, test } from 'vitest'
import { ClientSocket, type ClientSocketParts, connectionLimitMs } from '../../src/main/flow/socket/client-socket.ts'
import { HttpOnly } from '../../src/main/flow/socket/http-only.ts'
import { recoverable } from '../../src/main/flow/socket/recoverable.ts'
import { turnHead } from '../../src/main/flow/socket/turn-head.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import { limitHeaders } from '../../src/main/providers/codex-limits-event.ts'
import { codexReadings } from '../../src/main/providers/codex-windows.ts'
import { handClock } from './hand-clock.ts'
import { nowMs } from './kit.ts'

describe('the head of a turn', () => {
  const head = (...rawHeaders: readonly string[]) => ({ method: 'GET', target: '/v1/responses', port: 1, rawHeaders })

  test('is that of a request: without the handshake, with the client’s own headers as they were', () => {
    const upgrade = head(
      ...['Host', '127.0.0.1:1', 'Connection', 'Upgrade, X-Hop', 'Upgrade', 'websocket', 'X-Hop', '1'],
      ...['Sec-WebSocket-Key', 'k', 'sec-websocket-extensions', 'permessage-deflate', 'Content-Length', '0'],
      ...[
        'Thread-Id',
        't',
        'Accept',
        '*/*',
        'Content-Type',
        'text/plain',
        'Transfer-Encoding',
        'chunked',
        'Expect',
        'x',
      ],
    )
    expect(turnHead(upgrade)).toEqual({
      method: 'POST',
      target: '/v1/responses',
      port: 1,
      rawHeaders: [
        ...['Host', '127.0.0.1:1', 'Connection', 'Upgrade, X-Hop', 'X-Hop', '1', 'Thread-Id', 't'],
        ...['accept', 'text/event-stream', 'content-type', 'application/json'],
      ],
    })
  })

  test('says what the turn says, in place of what the upgrade said', () => {
    const upgrade = head('X-Codex-Turn-Metadata', 'old', 'thread-id', 't')
    expect(turnHead(upgrade, ['x-codex-turn-metadata', 'new']).rawHeaders).toEqual([
      ...['thread-id', 't', 'x-codex-turn-metadata', 'new'],
      ...['accept', 'text/event-stream', 'content-type', 'application/json'],
    ])
  })
})

describe('what is better reached over HTTP', () => {
  test('is remembered for its time, and taken once', () => {
    const clock = handClock()
    const httpOnly = new HttpOnly(clock, 1_000)
    httpOnly.note('a')
    httpOnly.note('b')
    clock.advance(999)
    expect([httpOnly.has('a'), httpOnly.take('b'), httpOnly.take('b'), httpOnly.has('c')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    clock.advance(1)
    expect(httpOnly.has('a')).toBe(false)
  })

  test('forgets the oldest beyond a thousand', () => {
    const httpOnly = new HttpOnly(handClock(), 1_000)
    for (let n = 0; n <= 1_000; n += 1) httpOnly.note(String(n))
    expect([httpOnly.has('0'), httpOnly.has('1'), httpOnly.has('1000')]).toEqual([false, true, true])
  })
})

describe('a turn that its account did not answer', () => {
  const step = { stage: 'attempt', decision: '', because: '' } as const
  const plan = { order: [], excluded: [] } as never
  const turn = { isPrewarm: false, isAnchored: true, reaches: () => true, holdsAnchor: () => true }
  let aborted = 0
  const opened = (filed: boolean) => ({ kind: 'opened', filed, incoming: { abort: () => (aborted += 1) } }) as never
  const codeOf = (found: ReturnType<typeof recoverable>) => (found instanceof Refusal ? found.problem.code : found)

  test('and that builds on an earlier answer says that this is lost', () => {
    for (const tried of [
      { value: opened(true), step },
      { value: { kind: 'reset' } as const, step },
      new Refusal('needs_sign_in', { label: 'A', why: '' }),
      new Refusal('upstream_unreachable', { host: 'h', why: 'w' }),
    ]) {
      expect(codeOf(recoverable(tried, plan, turn))).toBe('state_elsewhere')
    }
    expect(aborted).toBe(1)
  })

  test('stays what it is when it was judged final, when it is the key’s own matter, or when the client has left', () => {
    for (const tried of [
      { value: opened(false), step },
      { value: { kind: 'left' } as const, step },
      new Refusal('access_credential_inactive', { label: 'k', state: 'disabled' }),
      new Refusal('billing_quota_exhausted', { label: 'b' }),
    ]) {
      expect(recoverable(tried, plan, turn)).toBe(tried)
    }
  })

  test('stays what it is when the whole history was in it, and over HTTP', () => {
    const tried = { value: opened(true), step }
    expect(recoverable(tried, plan, { ...turn, isAnchored: false })).toBe(tried)
    expect(recoverable(tried, plan, undefined)).toBe(tried)
  })
})

describe('the limits that a WebSocket tells', () => {
  const primary = { used_percent: 42, window_minutes: 300, reset_at: Math.round(nowMs / 1_000) + 600 }
  const event = (change: object = {}) => ({
    type: 'codex.rate_limits',
    rate_limits: { primary, secondary: null, ...change },
  })

  test('are read as those in headers are', () => {
    const [reading, ...others] = codexReadings(limitHeaders(event()), nowMs)
    expect([reading, others]).toEqual([
      expect.objectContaining({ window: 'five-hour', usedPercent: 42, family: null, lengthMs: 18_000_000 }),
      [],
    ])
    const weekly = { ...primary, window_minutes: 10_080 }
    expect(codexReadings(limitHeaders(event({ secondary: weekly })), nowMs).map(({ window }) => window)).toEqual([
      'five-hour',
      'weekly',
    ])
  })

  test('of another pool count for that pool only', () => {
    const named = { ...event(), metered_limit_name: 'codex_bengalfox' }
    expect(codexReadings(limitHeaders(named), nowMs)[0]).toMatchObject({ window: 'five-hour:spark', family: 'spark' })
  })

  test.each([
    ['another event', { type: 'response.created' }],
    ['none at all', null],
    ['a half window', event({ primary: { used_percent: 1 } })],
    ['words for numbers', event({ primary: { ...primary, used_percent: 'much' } })],
    ['a name that is no name', { ...event(), metered_limit_name: 'a\r\nb: c' }],
  ])('%s tells nothing', (_name, said) => {
    expect(limitHeaders(said)).toEqual([])
  })
})

describe('the limits of a connection', () => {
  function connection(hasRoom = true) {
    const clock = handClock()
    const done: unknown[] = []
    const record = (frame: Uint8Array): boolean => {
      done.push(JSON.parse(new TextDecoder().decode(frame)))
      return true
    }
    const socket = {
      send: record,
      pause() {},
      resume() {},
      close: (code: number) => void done.push(code),
      cut: () => void done.push('cut'),
    }
    const room = { takeRoom: () => hasRoom, giveRoomBack() {} }
    const lines = { close() {} }
    const parts = { deps: { clock }, socket, room, lines, limitBytes: 1_000, onClosed() {} }
    return { clock, done, opened: new ClientSocket(parts as unknown as ClientSocketParts) }
  }

  test('its time closes it while it is idle, so that the client opens a new one', () => {
    const { clock, done } = connection()
    clock.advance(connectionLimitMs - 1)
    expect(done).toEqual([])
    clock.advance(1)
    expect(done).toEqual([1012])
  })

  test('its time is said in the vendor’s own word to a turn that comes after it', async () => {
    const { clock, done, opened } = connection()
    // As if a turn had been running when the time came.
    Object.defineProperty(clock, 'elapsedMs', { value: () => connectionLimitMs })
    opened.text(new TextEncoder().encode('{"type":"response.create"}'))
    await Promise.resolve()
    expect(done[0]).toMatchObject({
      type: 'error',
      status: 400,
      error: { type: 'invalid_request_error', code: 'websocket_connection_limit_reached' },
    })
    expect(done).toContain(1000)
  })

  test('F48 a frame for which there is no room closes it: the client comes again', () => {
    const { done, opened } = connection(false)
    opened.text(new TextEncoder().encode('{"type":"response.create"}'))
    expect(done).toEqual([1013])
  })

  test('its time ends with the connection', () => {
    const { clock, done, opened } = connection()
    opened.closed()
    clock.advance(connectionLimitMs)
    expect(done).toEqual([])
  })
})
