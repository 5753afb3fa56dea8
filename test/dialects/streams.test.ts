/** The three stream readers see the same in a stream however its bytes arrive, and never throw (F16, F17, F22). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { streamReader, unaryUsage } from '../../src/main/dialects/answer.ts'
import { SseLines } from '../../src/main/dialects/sse.ts'
import type { StreamReader } from '../../src/main/dialects/stream-reader.ts'
import type { Dialect } from '../../src/main/domain/source.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const named = (events: readonly { readonly type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const plain = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

const usage = { inputTokens: 30, cacheReadTokens: 12, cacheWriteTokens: 8, outputTokens: 7, reasoningTokens: 2 }
const streams: { readonly [D in Dialect]: string } = {
  messages: named([
    {
      type: 'message_start',
      message: {
        id: 'm',
        usage: { input_tokens: 10, cache_read_input_tokens: 12, cache_creation_input_tokens: 8, output_tokens: 1 },
      },
    },
    { type: 'ping' },
    { type: 'unheard_of', x: 'é😀' },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'data: {"type":"message_stop"}\n\n é😀' },
    },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: null, output_tokens: 7, output_tokens_details: { thinking_tokens: 2 } },
    },
    { type: 'message_stop' },
  ] as never),
  responses: named([
    { type: 'response.created', response: { id: 'r' } },
    { type: 'response.in_progress' },
    { type: 'codex.rate_limits' },
    { type: 'response.output_item.added', output_index: 0 },
    { type: 'response.output_text.delta', delta: '"response.completed" é😀' },
    {
      type: 'response.completed',
      response: {
        id: 'r',
        usage: {
          input_tokens: 30,
          input_tokens_details: { cached_tokens: 12, cache_write_tokens: 8 },
          output_tokens: 7,
          output_tokens_details: { reasoning_tokens: 2 },
        },
      },
    },
  ] as never),
  chat: plain([
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    { choices: [{ index: 0, delta: { content: '[DONE] é😀' } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    {
      choices: [],
      usage: {
        prompt_tokens: 30,
        prompt_tokens_details: { cached_tokens: 12, cache_write_tokens: 8 },
        completion_tokens: 7,
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    },
    '[DONE]',
  ]),
}

const see = (reader: StreamReader) => ({
  content: reader.content,
  complete: reader.complete,
  failure: reader.failure,
  usage: reader.usage(),
})
function read(dialect: Dialect, ...pieces: readonly Uint8Array[]) {
  const reader = streamReader(dialect)
  for (const piece of pieces) reader.push(piece)
  return see(reader)
}

for (const dialect of ['messages', 'responses', 'chat'] as const) {
  describe(dialect, () => {
    const whole = bytes(streams[dialect])
    const expected = {
      content: true,
      complete: true,
      failure: null,
      usage: dialect === 'responses' || dialect === 'chat' || dialect === 'messages' ? usage : null,
    }

    test('content, end and usage are seen', () => expect(read(dialect, whole)).toEqual(expected))

    test('F16 split at every byte it is the same', () => {
      for (let at = 0; at <= whole.length; at += 1) {
        expect(read(dialect, whole.subarray(0, at), whole.subarray(at))).toEqual(expected)
      }
      expect(read(dialect, ...[...whole].map((byte) => Uint8Array.of(byte)))).toEqual(expected)
    })

    for (const [name, make] of [
      ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
      ['CR', (text: string) => text.replaceAll('\n', '\r')],
      ['a byte order mark', (text: string) => `\ufeff${text}`],
      [
        'comments and other fields',
        (text: string) => `: hello\n\nid: 1\nretry: 5\n${text.replaceAll('data: ', ': note\nid: 7\ndata: ')}`,
      ],
      ['no space behind the colon', (text: string) => text.replaceAll('data: ', 'data:')],
      ['keys in another order', (text: string) => text.replaceAll('{"type":', '{ "type" : ')],
    ] as const) {
      test(`F17 with ${name} it is the same, split anywhere`, () => {
        const body = bytes(make(streams[dialect]))
        expect(read(dialect, body)).toEqual(expected)
        for (let at = 0; at < body.length; at += 3)
          expect(read(dialect, body.subarray(0, at), body.subarray(at))).toEqual(expected)
      })
    }

    test('cut anywhere before its end marker it is not complete', () => {
      const marker = { messages: 'event: message_stop', responses: 'event: response.completed', chat: 'data: [DONE]' }[
        dialect
      ]
      const end = bytes(streams[dialect].slice(0, streams[dialect].lastIndexOf(marker))).length
      for (let at = 0; at <= end; at += 1) expect(read(dialect, whole.subarray(0, at)).complete).toBe(false)
    })

    test('content begins where the commit point is, not before', () => {
      const commit = { messages: 'content_block_start"', responses: 'response.output_item.added"', chat: '[DONE] é' }[
        dialect
      ]
      const at = bytes(streams[dialect].slice(0, streams[dialect].indexOf(commit))).length
      expect(read(dialect, whole.subarray(0, at)).content).toBe(false)
      const next = streams[dialect].indexOf('\n\n', streams[dialect].indexOf(commit))
      expect(read(dialect, bytes(streams[dialect].slice(0, next + 2))).content).toBe(true)
    })

    test('F17 whatever the bytes, it never throws', () => {
      fc.assert(
        fc.property(
          fc.array(
            fc.oneof(
              fc.uint8Array({ maxLength: 30 }),
              fc.constantFrom(
                ...[
                  'data: {',
                  'data: {"type":"error"',
                  '}\n',
                  '\n\n',
                  'data: [DONE]\n',
                  '\r',
                  'data: {"type":"message_start","message":null}\n',
                  'data: {"type":"response.completed"}\n',
                  'data: {"choices":[null,{"delta":7}]}\n',
                ].map(bytes),
              ),
            ),
            { maxLength: 12 },
          ),
          (pieces) => {
            const reader = streamReader(dialect)
            for (const piece of pieces) reader.push(piece)
            reader.usage()
          },
        ),
        { numRuns: 1_000 },
      )
    })

    test('F22 unknown events and odd usage say nothing', () => {
      const odd =
        named([{ type: 'message_delta', usage: { output_tokens: -1 } }, { type: 'x' }] as never) +
        plain([{ usage: 'many' }, { usage: { prompt_tokens: '7' } }])
      expect(read(dialect, bytes(odd)).usage).toBeNull()
    })
  })
}

describe('a failure event', () => {
  const rows: readonly (readonly [Dialect, string, string, { readonly content: boolean; readonly status: number }])[] =
    [
      [
        'messages',
        'first',
        named([{ type: 'error', error: { type: 'overloaded_error' } }] as never),
        { content: false, status: 200 },
      ],
      [
        'messages',
        'after the start',
        named([
          { type: 'message_start', message: {} },
          { type: 'error', error: {} },
        ] as never),
        { content: false, status: 200 },
      ],
      [
        'responses',
        'response.failed',
        named([{ type: 'response.failed', response: { error: { code: 'server_is_overloaded' } } }] as never),
        { content: false, status: 200 },
      ],
      [
        'responses',
        'error with a status',
        named([{ type: 'error', status: 429, error: { type: 'usage_limit_reached' } }] as never),
        { content: false, status: 429 },
      ],
      [
        'responses',
        'after content',
        named([{ type: 'response.output_item.added' }, { type: 'response.failed', response: {} }] as never),
        { content: true, status: 200 },
      ],
      ['chat', 'first', plain([{ error: { message: 'x' } }]), { content: false, status: 200 }],
      [
        'chat',
        'with its error not first in the object',
        plain([{ id: 1, error: { message: 'x' } }]),
        { content: false, status: 200 },
      ],
      [
        'chat',
        'after content',
        plain([{ choices: [{ delta: { content: 'a' } }] }, { error: { message: 'x' } }]),
        { content: true, status: 200 },
      ],
    ]
  for (const [dialect, name, text, { content, status }] of rows) {
    test(`${dialect}: ${name}`, () => {
      const seen = read(dialect, bytes(text))
      expect([seen.content, seen.complete, seen.failure?.status]).toEqual([content, false, status])
    })
  }

  test('an `error` that is null in a chat chunk is none', () => {
    expect(read('chat', bytes(plain([{ error: null, choices: [{ delta: { content: 'a' } }] }]))).failure).toBeNull()
  })
})

test('what the cache gave is read by each name that chat servers have for it', () => {
  for (const named of [
    { prompt_tokens_details: { cached_tokens: 20 } },
    { prompt_tokens_details: null, prompt_cache_hit_tokens: 20 },
    { cached_tokens: 20 },
  ]) {
    const usage = { prompt_tokens: 30, completion_tokens: 4, ...named }
    expect(read('chat', bytes(plain([{ choices: [], usage }]))).usage?.cacheReadTokens).toBe(20)
  }
})

describe('lines', () => {
  const linesOf = (...pieces: readonly string[]): readonly string[] => {
    const seen: string[] = []
    const lines = new SseLines((data) => seen.push(Buffer.from(data).toString()))
    for (const piece of pieces) lines.push(bytes(piece))
    return seen
  }

  test('a line is handed on once, whatever ends it', () => {
    expect(linesOf('data: a\ndata: b\r\ndata: c\rdata: d\n')).toEqual(['a', 'b', 'c', 'd'])
    expect(linesOf('data: a\r', '\ndata: b\r', '\n\r', '\n')).toEqual(['a', 'b'])
  })

  test('a line that was not ended is not handed on', () => expect(linesOf('data: a\ndata: b')).toEqual(['a']))

  test('only a mark at the very beginning is skipped', () =>
    expect(linesOf('\ufeffdata: a\n\ufeffdata: b\n')).toEqual(['a']))

  test('a line beyond the bound is left out and the next one is read', () => {
    const part = 'x'.repeat(1024 * 1024)
    expect(linesOf('data: ', ...Array<string>(9).fill(part), '\ndata: next\n')).toEqual(['next'])
  })
})

test('usage of a unary answer is scanned, not parsed, and null where there is none', () => {
  expect(
    unaryUsage('messages', [
      bytes(
        '{"content":[{"usage":1}],"usage":{"input_tokens":10,"cache_read_input_tokens":12,"cache_creation_input_tokens":8,"output_tokens":7,"output_tokens_details":{"thinking_tokens":2}}}',
      ),
    ]),
  ).toEqual(usage)
  for (const dialect of ['messages', 'responses', 'chat'] as const) {
    for (const body of [
      '{}',
      '',
      '[]',
      '{"usage":null}',
      '{"usage":{}}',
      '{"usage":{"input_tokens":"3"}}',
      '{"usage":',
    ])
      expect(unaryUsage(dialect, [bytes(body)])).toBeNull()
  }
})
