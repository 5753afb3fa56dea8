// Throughput of translation: events per second by direction against the plain byte relay in the same run, and what a
// 2 MB history costs; how long that holds the event loop says stall.mjs. Bare functions, no HTTP: over it the
// differences would drown in noise.
import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { streamReader } from '../src/main/dialects/answer.ts'
import { wrap } from '../src/main/translate/opaque.ts'
import { AnswerTranslation } from '../src/main/translate/translate-answer.ts'
import { translateRequest } from '../src/main/translate/translate-request.ts'
import { taskOf } from './task.mjs'

const seconds = Number(process.argv[2] ?? 1)
const dialects = ['messages', 'responses', 'chat']
const pieces = 2_000
const hash = (text) => createHash('sha256').update(text).digest('hex')
const encoder = new TextEncoder()
const frame = (event) => encoder.encode(`data: ${JSON.stringify(event)}\n\n`)

const words = Array.from({ length: pieces }, (_, n) => `word${n} `)
const streams = {
  messages: [
    { type: 'message_start', message: { usage: { input_tokens: 9, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...words.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: pieces } },
    { type: 'message_stop' },
  ],
  responses: [
    { type: 'response.created', response: {} },
    { type: 'response.output_item.added', output_index: 0, item: { id: 'm', type: 'message' } },
    ...words.map((delta) => ({
      type: 'response.output_text.delta',
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      delta,
    })),
    {
      type: 'response.completed',
      response: { status: 'completed', output: [], usage: { input_tokens: 9, output_tokens: pieces } },
    },
  ],
  chat: [
    ...words.map((content) => ({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
    { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ],
}
const frames = Object.fromEntries(dialects.map((dialect) => [dialect, streams[dialect].map(frame)]))

function rate(act, events) {
  act()
  const until = performance.now() + seconds * 1_000
  const begun = performance.now()
  let rounds = 0
  while (performance.now() < until) {
    act()
    rounds += 1
  }
  return Math.round((rounds * events) / ((performance.now() - begun) / 1_000))
}

function relay(dialect) {
  const reader = streamReader(dialect)
  for (const piece of frames[dialect]) reader.push(piece)
}

function translate(upstream, client) {
  const context = { client, upstream, model: 'm', issuer: 'i', wantsUsage: true, tools: [], stops: [], echo: {} }
  const answer = new AnswerTranslation(context, { seed: 's', createdS: 1 })
  let sent = 0
  for (const piece of frames[upstream]) sent += encoder.encode(answer.push(piece)).length
  return sent + answer.end().length
}

console.log('direction                      events/s     of the byte relay')
for (const upstream of dialects) {
  const plain = rate(() => relay(upstream), frames[upstream].length)
  console.log(`${`${upstream} relay`.padEnd(28)} ${String(plain).padStart(10)}`)
  for (const client of dialects.filter((dialect) => dialect !== upstream)) {
    const found = rate(() => translate(upstream, client), frames[upstream].length)
    console.log(
      `${`${upstream} → ${client}`.padEnd(28)} ${String(found).padStart(10)}     ${((found / plain) * 100).toFixed(0)} %`,
    )
  }
}

// What a long task looks like in each dialect: a thought, a call and a page of a file a turn. Half of the bytes are opaque
// values of the backend itself, wrapped as its client has them; Chat has no place for these.
const page = 'line of a file\n'.repeat(60)
const thought = (kind) => wrap('i', { kind, data: 'QUJD'.repeat(220) })
const long = {
  messages: ({ kind, size }) => ({
    max_tokens: 100,
    messages: turns(size, (n) => [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Which file?', signature: thought(kind) },
          { type: 'tool_use', id: `t${n}`, name: 'read', input: { path: `src/${n}.ts` } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: page }] },
    ]),
  }),
  responses: ({ kind, size }) => ({
    input: turns(size, (n) => [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Which file?' }], encrypted_content: thought(kind) },
      { type: 'function_call', call_id: `t${n}`, name: 'read', arguments: `{"path":"src/${n}.ts"}` },
      { type: 'function_call_output', call_id: `t${n}`, output: page },
    ]),
  }),
  chat: ({ size }) => ({
    messages: turns(size * 2, (n) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: `t${n}`, type: 'function', function: { name: 'read', arguments: `{"path":"src/${n}.ts"}` } },
        ],
      },
      { role: 'tool', tool_call_id: `t${n}`, content: page },
    ]),
  }),
}
const turns = (count, turn) => [
  { role: 'user', content: 'Begin.' },
  ...Array.from({ length: count }, (_, n) => turn(n)).flat(),
]
const opaqueKind = { messages: 'signature', responses: 'encrypted', chat: 'none' }

console.log('\nhistory             MB         CPU ms (median of 15)')
for (const from of dialects) {
  for (const to of dialects.filter((dialect) => dialect !== from)) {
    const history = JSON.stringify({ model: 'm', ...long[from]({ kind: opaqueKind[to], size: 900 }) })
    const times = Array.from({ length: 15 }, () => {
      const begun = process.cpuUsage()
      translateRequest(history, taskOf(from, to), hash)
      const { user, system } = process.cpuUsage(begun)
      return (user + system) / 1_000
    }).sort((a, b) => a - b)
    const size = (history.length / 1_048_576).toFixed(1)
    console.log(`${`${from} → ${to}`.padEnd(24)} ${size} ${times[7].toFixed(1).padStart(10)}`)
  }
}
