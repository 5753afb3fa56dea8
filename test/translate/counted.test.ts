/** What is recorded of an answer is what its client is told of it: the passing reader and the decoder count alike (bridge §2.3). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { streamReader, unaryUsage } from '../../src/main/dialects/answer.ts'
import type { Dialect } from '../../src/main/domain/source.ts'
import { expected } from './expected.ts'
import { type Answer, answers } from './generated.ts'
import { bytesOf, eventsOf, wholeOf } from './streamed.ts'

/** As a client is told that counts all input as one. */
function told(answer: Answer, upstream: Dialect): unknown {
  const { input, read, out, thought } = expected(answer, upstream, upstream === 'chat' ? 'responses' : 'chat').usage
  return { inputTokens: input, cacheReadTokens: read, outputTokens: out, reasoningTokens: thought }
}

test.each(['messages', 'responses', 'chat'] as const)('of a %s upstream, streamed and in one piece', (upstream) => {
  fc.assert(
    fc.property(answers, (answer) => {
      const reader = streamReader(upstream)
      reader.push(bytesOf(eventsOf(upstream, answer)))
      const whole = new TextEncoder().encode(JSON.stringify(wholeOf(upstream, answer)))
      for (const usage of [reader.usage(), answer.stop === 'cut' ? reader.usage() : unaryUsage(upstream, [whole])]) {
        if (answer.manner.usage === 'none') expect(usage).toBeNull()
        else expect(usage).toMatchObject(told(answer, upstream) as object)
      }
      expect(reader.failure).toBeNull()
    }),
    { numRuns: 500 },
  )
})
