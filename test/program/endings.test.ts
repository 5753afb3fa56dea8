/** However an upstream ends its answer: the client sees a clean end only where the upstream had one (T6, F10 to F13, F19, F20). */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { malformedNames } from '../../src/main/practice/practice.ts'
import { completion, message, response } from './asks.ts'
import { type Rig, startRig } from './start-core.ts'
import { type Through, throughOf } from './through.ts'

let rig: Rig
let through: Through
beforeAll(async () => {
  rig = await startRig({ sources: ['anthropic-key', 'openai-key', 'codex-team', 'claude-work'] })
  through = throughOf(rig)
})
afterAll(() => rig.close())

const dialects = [
  {
    name: 'Messages',
    source: 'anthropic-key',
    path: '/anthropic-key/v1/messages',
    ask: message({ stream: true }),
    failure: 'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"broken"}}\n\n',
  },
  {
    name: 'Responses',
    source: 'openai-key',
    path: '/openai-key/v1/responses',
    ask: response(),
    failure:
      'event: response.failed\ndata: {"type":"response.failed","response":{"id":"r","status":"failed","error":{"code":"server_error","message":"broken"},"usage":null}}\n\n',
  },
  {
    name: 'Chat',
    source: 'openai-key',
    path: '/openai-key/v1/chat/completions',
    ask: completion(),
    failure: 'data: {"error":{"message":"broken","type":"server_error"}}\n\n',
  },
] as const

/** The bytes of a good stream, cut in the middle of its content. */
async function goodStream(dialect: (typeof dialects)[number]): Promise<{ whole: string; half: string }> {
  const { answer } = await through(dialect.source, dialect.path, dialect.ask, {})
  expect([answer.status, answer.end]).toEqual([200, 'whole'])
  const at = answer.text.indexOf('\n\n', Math.floor(answer.text.length * 0.6)) + 2
  return { whole: answer.text, half: answer.text.slice(0, at) }
}

const chunked = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const closing = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

describe('T6.3 F12 F13 the end that the client sees is the end that the upstream had', () => {
  for (const dialect of dialects) {
    const endings: readonly {
      readonly name: string
      readonly raw: (part: { whole: string; half: string }) => readonly string[]
      readonly end: 'fin' | 'reset'
      readonly outcome: string
      readonly clean: boolean
    }[] = [
      {
        name: 'whole',
        raw: ({ whole }) => [chunked, chunk(whole), '0\r\n\r\n'],
        end: 'fin',
        outcome: 'done',
        clean: true,
      },
      {
        name: 'whole, then no terminator',
        raw: ({ whole }) => [chunked, chunk(whole)],
        end: 'fin',
        outcome: 'done',
        clean: true,
      },
      {
        name: 'whole, then a reset',
        raw: ({ whole }) => [chunked, chunk(whole)],
        end: 'reset',
        outcome: 'done',
        clean: true,
      },
      {
        name: 'whole, delimited by the close',
        raw: ({ whole }) => [closing, whole],
        end: 'fin',
        outcome: 'done',
        clean: true,
      },
      {
        name: 'cut, delimited by the close',
        raw: ({ half }) => [closing, half],
        end: 'fin',
        outcome: 'truncated',
        clean: false,
      },
      {
        name: 'cut by a FIN between chunks',
        raw: ({ half }) => [chunked, chunk(half)],
        end: 'fin',
        outcome: 'truncated',
        clean: false,
      },
      {
        name: 'cut by a reset',
        raw: ({ half }) => [chunked, chunk(half)],
        end: 'reset',
        outcome: 'truncated',
        clean: false,
      },
      {
        name: 'a clean terminator without the end marker',
        raw: ({ half }) => [chunked, chunk(half), '0\r\n\r\n'],
        end: 'fin',
        outcome: 'truncated',
        clean: false,
      },
      {
        name: 'a bad chunk size',
        raw: ({ half }) => [chunked, chunk(half), 'zz\r\n'],
        end: 'fin',
        outcome: 'truncated',
        clean: false,
      },
      {
        name: 'an error event after content',
        raw: ({ half }) => [chunked, chunk(half + dialect.failure), '0\r\n\r\n'],
        end: 'fin',
        outcome: 'error-midstream',
        clean: true,
      },
      {
        name: 'an error event and nothing else',
        raw: () => [chunked, chunk(dialect.failure), '0\r\n\r\n'],
        end: 'fin',
        outcome: 'failed',
        clean: true,
      },
    ]
    for (const { name, raw, end, outcome, clean } of endings) {
      test(`${dialect.name}: ${name}`, async () => {
        const parts = await goodStream(dialect)
        const pieces = raw(parts)
        const { answer, detail } = await through(dialect.source, dialect.path, dialect.ask, {
          reply: { kind: 'raw', pieces },
          wire: { end: { how: end }, pieceDelayMs: 2 },
        })
        const sent = pieces.join('')
        expect([detail.call.outcome, answer.end === 'whole']).toEqual([outcome, clean])
        // A prefix at least of what the upstream sent, and all of it where the end was clean.
        const expected = sent.includes(parts.whole) ? parts.whole : sent.includes(parts.half) ? parts.half : ''
        if (clean && outcome === 'done') expect(answer.text).toBe(expected)
        else expect(`${expected}${dialect.failure}`.startsWith(answer.text)).toBe(true)
      })
    }
  }

  test('a unary answer that only the close delimits and that stops in the middle is a cut', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n'
    const cut = await through('anthropic-key', '/anthropic-key/v1/messages', message(), {
      reply: { kind: 'raw', pieces: [head, '{"type":"message","content":[{"type":"text"'] },
    })
    expect([cut.detail.call.outcome, cut.answer.end]).toEqual(['truncated', 'ECONNRESET'])
    const whole = await through('anthropic-key', '/anthropic-key/v1/messages', message(), {
      reply: { kind: 'raw', pieces: [head, '{"type":"message","content":[]}'] },
    })
    expect([whole.detail.call.outcome, whole.answer.end, whole.answer.text]).toEqual([
      'done',
      'whole',
      '{"type":"message","content":[]}',
    ])
  })

  test('F18 a gzip stream passes byte for byte and is known to be complete only with its end marker', async () => {
    const [messages] = dialects
    const { whole, half } = await goodStream(messages)
    const send = (body: Buffer) =>
      through(messages.source, messages.path, messages.ask, {
        reply: {
          kind: 'status',
          status: 200,
          headers: ['content-type', 'text/event-stream', 'content-encoding', 'gzip', 'transfer-encoding', 'chunked'],
          body,
        },
      })
    const complete = await send(gzipSync(whole))
    expect([complete.detail.call.outcome, complete.answer.body.equals(gzipSync(whole))]).toEqual(['done', true])
    expect(complete.detail.call.usage?.outputTokens).toBeGreaterThan(0)
    const cut = await send(gzipSync(half))
    expect([cut.detail.call.outcome, cut.answer.end === 'whole']).toEqual(['truncated', false])
  })
})

describe('F11 after the first content nothing is started again', () => {
  for (const [source, path, ask, start] of [
    ['claude-work', '/claude/v1/messages', message({ stream: true, model: 'claude-opus-5-5' }), /message_start"/g],
    ['codex-team', '/codex/v1/responses', response({ model: 'gpt-6.2-sol' }), /"response\.created"/g],
  ] as const) {
    test(`${source}: an error event or a reset mid-stream never moves the call to another account`, async () => {
      rig.core.api.sources.arrange(
        {
          poolId: (ask as { model: string }).model as never,
          tiers: [[`${source}:${(ask as { model: string }).model}` as never]],
          disabled: [],
          strategy: null,
          options: {},
        },
        null,
      )
      for (const afterEvents of [4, 6, 9]) {
        const failing = await through(source, path, ask, {
          reply: { kind: 'vendor', content: { words: 30, fail: { afterEvents, error: 'overloaded' } } },
        })
        expect(failing.detail.executions.map((one) => [one.sourceId, one.outcome])).toEqual([
          [source, 'error-midstream'],
        ])
        expect(failing.answer.text.match(start)?.length).toBe(1)
        const reset = await through(source, path, ask, {
          reply: { kind: 'vendor', content: { words: 30 } },
          wire: { end: { how: 'reset', afterEvents }, pieceDelayMs: 2 },
        })
        expect([reset.detail.call.outcome, reset.answer.end === 'whole']).toEqual(['truncated', false])
        expect(reset.answer.text.match(start)?.length).toBe(1)
      }
    })
  }
})

describe('F19 F20 what is not HTTP ends in one clear error or passes, and never hangs or stops the program', () => {
  for (const fault of malformedNames) {
    test(fault, async () => {
      const { answer, detail } = await through('anthropic-key', '/anthropic-key/v1/messages', message(), {
        reply: { kind: 'malformed', fault },
      })
      expect(detail.call.outcome).not.toBeNull()
      const { answer: next } = await through('anthropic-key', '/anthropic-key/v1/messages', message(), {})
      expect([next.status, next.end]).toEqual([200, 'whole'])
      const expected: Record<string, readonly [number, string]> = {
        'bad-chunk-size': [0, 'ECONNRESET'],
        'long-content-length': [0, 'ECONNRESET'],
        'garbage-greeting': [502, 'whole'],
        'http-0.9': [502, 'whole'],
        'long-header-line': [502, 'whole'],
        'bad-header-line': [502, 'whole'],
        'two-content-lengths': [502, 'whole'],
      }
      const want = expected[fault]
      if (want !== undefined) expect([answer.status, answer.end]).toEqual(want)
    })
  }
})
