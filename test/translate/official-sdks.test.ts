/**
 * The vendors' own SDKs as judges: their stream readers take every stream that is written here, and put the same answer
 * together (bridge §8, 9). Runs where `@anthropic-ai/sdk` and `openai` can be found: beside the project's packages, or
 * in the folder that `POINTSMAN_SDKS` names.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/main/domain/source.ts'
import { forClient, toolsOf } from './expected.ts'
import { type Answer, answers, plain } from './generated.ts'
import { type Content, wholeContent } from './invariants.ts'
import { type Any, context, type Streamed, streamBytes } from './kit.ts'
import { bytesOf, eventsOf } from './streamed.ts'

function found(name: string): Any | null {
  const places = [
    import.meta.url,
    ...(process.env.POINTSMAN_SDKS === undefined ? [] : [join(process.env.POINTSMAN_SDKS, 'x.js')]),
  ]
  for (const place of places) {
    try {
      return createRequire(place)(name)
    } catch {
      // Not here.
    }
  }
  return null
}

const anthropic = found('@anthropic-ai/sdk')
const openai = found('openai')
const missing = [anthropic === null ? '@anthropic-ai/sdk' : null, openai === null ? 'openai' : null].filter(
  (name) => name !== null,
)
if (missing.length > 0) console.log(`skipped: ${missing.join(' and ')} can not be found here`)

const runs = 300

/** An answer of ours instead of the network. */
const fetchOf = (text: string) => async () =>
  new Response(text, { status: 200, headers: { 'content-type': 'text/event-stream' } })
const ask = [{ role: 'user', content: 'a' }]

const readers: Readonly<Record<Dialect, (text: string) => Promise<Any>>> = {
  messages: (text) =>
    new anthropic.Anthropic({ apiKey: 'x', fetch: fetchOf(text), maxRetries: 0 }).messages
      .stream({ model: 'm', max_tokens: 9, messages: ask })
      .finalMessage(),
  responses: (text) =>
    new openai.OpenAI({ apiKey: 'x', fetch: fetchOf(text), maxRetries: 0 }).responses
      .stream({ model: 'm', input: 'a' })
      .finalResponse(),
  chat: (text) =>
    new openai.OpenAI({ apiKey: 'x', fetch: fetchOf(text), maxRetries: 0 }).chat.completions
      .stream({ model: 'm', messages: ask, stream_options: { include_usage: true } })
      .finalChatCompletion(),
}

const dialects = ['messages', 'responses', 'chat'] as const
const directions = dialects.flatMap((upstream) =>
  dialects.filter((client) => client !== upstream).map((client) => ({ upstream, client })),
)
const sdkOf = (client: Dialect): Any | null => (client === 'messages' ? anthropic : openai)

/** Chat's reader knows neither thoughts nor free-form calls. */
const known = (client: Dialect, { calls, ...made }: Content): unknown => ({
  ...made,
  thought: client === 'chat' ? '' : made.thought,
  calls: calls.map(([id, name, input]) => [id, name, readable(input)]),
})

function readable(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

const forReader = (answer: Answer, client: Dialect): Answer =>
  client === 'chat'
    ? { ...answer, parts: answer.parts.filter((each) => each.kind !== 'call' || each.custom === null) }
    : forClient(answer, client)

for (const { upstream, client } of directions) {
  const streamed = (given: Answer, cut = 0): Streamed => {
    // A limit is an exception to these readers, which want whole calls.
    const answer: Answer = { ...forReader(given, client), stop: 'end' }
    const bytes = bytesOf(eventsOf(upstream, answer))
    const made = context(upstream, client, { tools: toolsOf(answer, upstream) })
    return streamBytes(made, [bytes.subarray(0, bytes.length - (cut % bytes.length))])
  }

  test.skipIf(sdkOf(client) === null)(
    `${upstream} upstream: the SDK of ${client} reads the same answer`,
    async () => {
      await fc.assert(
        fc.asyncProperty(answers, async (answer) => {
          const { text, whole } = streamed(answer)
          const read = await readers[client](text)
          expect(known(client, wholeContent(client, read))).toEqual(known(client, wholeContent(client, whole)))
        }),
        { numRuns: runs },
      )
    },
    120_000,
  )

  test.skipIf(sdkOf(client) === null)(
    `${upstream} upstream: a cut anywhere is a failure to the SDK of ${client}`,
    async () => {
      await fc.assert(
        fc.asyncProperty(answers, fc.nat(100_000), async (answer, cut) => {
          const { text, status } = streamed(answer, cut)
          const read = await readers[client](text).catch(() => ({ status: 'failed' }))
          expect([status, read.status === 'failed']).toEqual([status, status !== 200])
        }),
        { numRuns: runs },
      )
    },
    120_000,
  )
}

describe.skipIf(missing.length > 0)('a failure in the middle', () => {
  for (const { upstream, client } of directions) {
    test(`of a ${upstream} upstream is an exception for the SDK of ${client}`, async () => {
      const answer = {
        parts: [{ kind: 'text', pieces: ['Hi', ' there'] }],
        stop: 'end',
        usage: { fresh: 1, read: 0, written: 0, out: 1, thought: 0 },
        order: [],
        manner: plain,
        cutAt: 0,
      } as const
      const bytes = bytesOf(eventsOf(upstream, answer).slice(0, -3))
      const { text } = streamBytes(context(upstream, client), [bytes])
      if (client === 'responses')
        expect((await readers[client](text).catch(() => ({ status: 'failed' }))).status).toBe('failed')
      else await expect(readers[client](text)).rejects.toThrow()
    })
  }
})
