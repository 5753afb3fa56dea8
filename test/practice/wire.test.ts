/** How scripted answers travel, as a client sees it that knows no HTTP. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { malformedNames, type Practice } from '../../src/main/practice/practice.ts'
import { begin, claudeHeaders, completion, eventsOf, message, response, typesOf } from './fixture.ts'
import { bodyOf, type RawAnswer, raw } from './raw-client.ts'

/** An unauthenticated caller will do: explicit replies come before any check. */
const ask = (practice: Practice, until?: string): Promise<RawAnswer> =>
  raw(practice.origins.ollamaHost, {
    path: '/v1/chat/completions',
    body: JSON.stringify({ ...completion, stream: true }),
    ...(until === undefined ? {} : { until }),
  })

const pieces = ['data: one\n\n', 'data: two\n\n', 'data: three\n\n'] as const

describe('whole answers', () => {
  it('sends any status, headers as given and any body', async () => {
    const { practice } = await begin()
    practice.script('ollama', {
      reply: { kind: 'status', status: 418, headers: ['X-Odd', 'a', 'x-odd', 'b'], body: new Uint8Array([0, 255]) },
    })
    const answer = await ask(practice, '\r\n\r\n\u0000\u00ff')
    expect(answer.text.split('\r\n').slice(0, 3)).toEqual(["HTTP/1.1 418 I'm a Teapot", 'X-Odd: a', 'x-odd: b'])
    answer.close()
  })

  it('redirects', async () => {
    const { practice, call } = await begin()
    practice.script('ollama', { reply: { kind: 'redirect', location: 'http://127.0.0.1:1/', status: 302 } })
    const answer = await call.ollama('/v1/chat/completions', completion)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/'])
  })

  it('repeats every request header in an error body', async () => {
    const { practice, call } = await begin()
    practice.script('claude-work', { reply: { kind: 'echo-headers' } })
    expect(await (await call.claude('/v1/messages', message)).text()).toContain(claudeHeaders(practice).authorization)
  })

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('encodes a stream as %s', async (encode, decode) => {
    const { practice } = await begin()
    practice.script('ollama', { reply: { kind: 'stream', pieces }, wire: { encode, end: { how: 'fin' } } })
    const answer = await ask(practice)
    expect(answer.text.toLowerCase()).toContain(`content-encoding: ${encode}`)
    expect(decode(Buffer.from(bodyOf(answer), 'latin1')).toString()).toBe(pieces.join(''))
  })

  it('waits before the head', async () => {
    const { practice } = await begin()
    practice.script('ollama', { delayMs: 30, reply: { kind: 'status', status: 200 } })
    await ask(practice, '200 OK')
    const [request] = practice.seen()
    expect(request?.endedMs).toBeGreaterThanOrEqual((request?.arrivedMs ?? Number.NaN) + 29)
  })

  it('makes a stream as long as asked, without holding it', async () => {
    const { practice, call } = await begin()
    practice.script('ollama', { reply: { kind: 'vendor', content: { totalBytes: 40_000_000 } } })
    const answer = await call.ollama('/v1/chat/completions', { ...completion, stream: true })
    let length = 0
    for await (const piece of answer.body ?? []) length += piece.length
    expect(length).toBeGreaterThan(40_000_000)
  })
})

describe('split', () => {
  it('sends the same bytes at every single offset', async () => {
    const { practice } = await begin()
    const text = pieces.join('')
    for (let offset = 1; offset < text.length; offset += 1) {
      practice.script('ollama', {
        reply: { kind: 'stream', pieces },
        wire: { split: { at: [offset] }, end: { how: 'fin' } },
      })
      const answer = await ask(practice)
      const sizes = [...answer.text.matchAll(/\r\n([0-9a-f]+)\r\n/g)].map((match) =>
        Number.parseInt(match[1] ?? '', 16),
      )
      expect([bodyOf(answer), sizes]).toEqual([text, [offset, text.length - offset]])
    }
  })

  it('sends byte by byte, each in its own write', async () => {
    const { practice } = await begin()
    practice.script('ollama', { reply: { kind: 'stream', pieces }, wire: { split: { every: 1 }, end: { how: 'fin' } } })
    const answer = await ask(practice)
    expect(bodyOf(answer)).toBe(pieces.join(''))
    expect(answer.text.match(/\r\n1\r\n/g)).toHaveLength(pieces.join('').length)
  })
})

describe('breaking off', () => {
  it.each([0, 1, 2])('ends with FIN and no terminator after %i events', async (afterEvents) => {
    const { practice } = await begin()
    practice.script('ollama', { reply: { kind: 'stream', pieces }, wire: { end: { how: 'fin', afterEvents } } })
    const answer = await ask(practice)
    expect([bodyOf(answer), answer.end, answer.text.endsWith('0\r\n\r\n')]).toEqual([
      pieces.slice(0, afterEvents).join(''),
      'fin',
      false,
    ])
  })

  it('resets after so many bytes', async () => {
    const { practice } = await begin()
    practice.script('ollama', { reply: { kind: 'stream', pieces }, wire: { end: { how: 'reset', afterBytes: 14 } } })
    const answer = await ask(practice)
    expect([bodyOf(answer), answer.end]).toEqual([pieces.join('').slice(0, 14), 'ECONNRESET'])
    expect(practice.seen()[0]?.ended).toBe('broken-off')
  })

  it('falls silent with the socket open', async () => {
    const { practice } = await begin()
    practice.script('ollama', { reply: { kind: 'stream', pieces }, wire: { end: { how: 'stall', afterEvents: 1 } } })
    const answer = await ask(practice, 'one\n\n')
    expect([practice.openSockets('ollamaHost'), practice.seen()[0]?.ended]).toEqual([1, null])
    answer.close()
    expect((await practice.waitFor((request) => request.ended !== null)).ended).toBe('by-peer')
  })

  it.each([
    ['fin', 'fin'],
    ['reset', 'ECONNRESET'],
  ] as const)('ends with %s before any head', async (end, seen) => {
    const { practice } = await begin()
    practice.script('ollama', { reply: { kind: 'no-head', end } })
    const answer = await ask(practice)
    expect([answer.text, answer.end]).toEqual(['', seen])
  })

  it('stays silent before any head until the caller leaves', async () => {
    const { practice } = await begin()
    practice.script('ollama', { reply: { kind: 'no-head', end: 'stall' } })
    const answer = await ask(practice, '')
    await practice.waitFor((request) => request.operation === 'generate')
    answer.close()
    const left = await practice.waitFor((request) => request.ended === 'by-peer')
    expect([left.status, answer.text]).toEqual([null, ''])
  })

  it('closes the socket cleanly after a whole answer when told so', async () => {
    const { practice } = await begin()
    practice.script('ollama', { reply: { kind: 'status', status: 200, body: '{}' }, wire: { end: { how: 'fin' } } })
    const answer = await ask(practice)
    expect([bodyOf(answer), answer.end]).toEqual(['{}', 'fin'])
  })
})

describe('malformed answers', () => {
  it('writes raw bytes as given', async () => {
    const { practice } = await begin()
    practice.script('ollama', { reply: { kind: 'raw', pieces: ['HTTP/1.1 200 OK\r\n', 'x: y\r\n\r\nbody'] } })
    expect((await ask(practice)).text).toBe('HTTP/1.1 200 OK\r\nx: y\r\n\r\nbody')
  })

  const marks: Readonly<Record<string, RegExp>> = {
    'bad-chunk-size': /\r\n\r\nzz\r\n/,
    'short-content-length': /content-length: 5\r\n\r\n.{6,}/,
    'long-content-length': /content-length: 5000\r\n\r\n.{6,100}$/,
    'two-content-lengths': /content-length: 31\r\ncontent-length: 7/,
    'garbage-greeting': /^220 /,
    'http-0.9': /^\{/,
    'informational-storm': /^(HTTP\/1\.1 102 Processing\r\n\r\n){2000}HTTP\/1\.1 200/,
    'long-header-line': /x-long: a{40960}/,
    'bad-header-line': /not a header/,
    'status-799': /^HTTP\/1\.1 799/,
    'no-content-with-body': /^HTTP\/1\.1 204 [\s\S]*\{/,
    'not-modified-with-body': /^HTTP\/1\.1 304 [\s\S]*\{/,
  }
  it.each(malformedNames)('F19/F20 sends %s', async (fault) => {
    const { practice } = await begin()
    practice.script('ollama', { reply: { kind: 'malformed', fault } })
    expect((await ask(practice)).text).toMatch(marks[fault] ?? /^$/)
  })
})

describe('failures inside a stream', () => {
  it.each([0, 3])('F10/F11 puts an error after %i events and ends there', async (afterEvents) => {
    const { practice, call } = await begin()
    const fail = { afterEvents, error: 'overloaded' } as const
    for (const id of ['claude-work', 'codex-team', 'openai-key']) {
      practice.usually(id, { reply: { kind: 'vendor', content: { fail } } })
    }
    const messages = await (await call.claude('/v1/messages', { ...message, stream: true })).text()
    const responses = await (await call.codex('/backend-api/codex/responses', response)).text()
    const chat = await (await call.openai('/v1/chat/completions', { ...completion, stream: true })).text()
    expect([messages, responses, chat].map((text) => typesOf(text).length)).toEqual(Array(3).fill(afterEvents + 1))
    expect(eventsOf(messages).at(-1)).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
    })
    expect(eventsOf(responses).at(-1).response.error.code).toBe('server_is_overloaded')
    expect(eventsOf(chat).at(-1).error.code).toBe('server_is_overloaded')
  })

  it('hides a spent window in a 200 stream as the ChatGPT backend does', async () => {
    const { practice, call } = await begin()
    practice.script('codex-team', { reply: { kind: 'vendor', content: { fail: { afterEvents: 0, error: 'spent' } } } })
    const answer = await call.codex('/backend-api/codex/responses', response)
    expect([answer.status, eventsOf(await answer.text())]).toMatchObject([
      200,
      [{ type: 'error', error: { type: 'usage_limit_reached' } }],
    ])
  })

  it('F22 puts unknown events in as given', async () => {
    const { practice, call } = await begin()
    const event = { type: 'practice.unknown', odd: [1] }
    practice.script('codex-team', { reply: { kind: 'vendor', content: { extraEvents: [event] } } })
    const events = eventsOf(await (await call.codex('/backend-api/codex/responses', response)).text())
    expect(events[1]).toEqual({ ...event, sequence_number: 1 })
  })
})
