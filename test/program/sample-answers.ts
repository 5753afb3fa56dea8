/** One answer of each kind as the simulated vendors give it, kept as bytes: what is then split and broken. */
import type { Dialect } from '../../src/main/domain/source.ts'
import type { Content } from '../../src/main/practice/practice.ts'
import { completion, message, response } from './asks.ts'
import { send } from './client.ts'
import { openPractice } from './load.ts'

export interface SampleAnswer {
  readonly dialect: Dialect
  readonly stream: boolean
  readonly body: Buffer
}

export const pathOf: Readonly<Record<Dialect, string>> = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  chat: '/v1/chat/completions',
}

/** What a client of this dialect asks, with this as the person's words. */
export function askOf(dialect: Dialect, stream: boolean, words: string, change: object = {}): object {
  const turn = [{ role: 'user', content: words }]
  if (dialect === 'messages') return message({ stream, messages: turn, ...change })
  if (dialect === 'responses') return response({ stream, input: turn, ...change })
  return completion({ stream, messages: turn, stream_options: { include_usage: true }, ...change })
}

const content: Content = {
  text: 'é 😀 it is done',
  thinking: 'first this',
  tool: { kind: 'function', name: 'read', arguments: '{"path":"ä/\\"b\\""}' },
}

/** A stream and a whole answer of each dialect. */
export async function sampleAnswers(): Promise<readonly SampleAnswer[]> {
  const practice = await openPractice()
  try {
    const key = 'sk-sample-0123456789abcdef'
    for (const origin of ['anthropicApi', 'openaiApi'] as const) practice.addKey(origin, `sample-${origin}`, key)
    const samples: SampleAnswer[] = []
    for (const dialect of ['messages', 'responses', 'chat'] as const) {
      for (const stream of [true, false]) {
        const origin = dialect === 'messages' ? 'anthropicApi' : 'openaiApi'
        practice.script(`sample-${origin}`, { reply: { kind: 'vendor', content } })
        const answer = await send({
          port: Number(new URL(practice.origins[origin]).port),
          path: pathOf[dialect],
          body: JSON.stringify(askOf(dialect, stream, 'hello')),
          headers: { authorization: `Bearer ${key}`, 'x-api-key': key, 'anthropic-version': '2023-06-01' },
        })
        if (answer.status !== 200) throw new Error(`no sample of ${dialect}: ${answer.status} ${answer.text}`)
        samples.push({ dialect, stream, body: answer.body })
      }
    }
    return samples
  } finally {
    await practice.close()
  }
}
