// Throughput of translation: events per second by direction against the plain byte relay in the same run, and what a
// 2 MB history costs; how long that holds the event loop says stall.mjs. Bare functions, no HTTP: over it the
// differences would drown in noise.
import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { streamReader } from '../src/main/dialects/answer.ts'
import { AnswerTranslation } from '../src/main/translate/translate-answer.ts'
import { translateRequest } from '../src/main/translate/translate-request.ts'
import { taskTo } from './task.mjs'

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

const turn = (n) => [
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: 'line of a file\n'.repeat(120) }] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: `t${n + 1}`, name: 'read', input: { path: `src/${n}.ts` } },
    ],
  },
]
const first = [
  { role: 'user', content: 'Begin.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't0', name: 'read', input: {} }] },
]
const messages = [...first, ...Array.from({ length: 1_000 }, (_, n) => turn(n)).flat()]
const history = JSON.stringify({ model: 'm', max_tokens: 100, messages })
console.log(`\nhistory of ${(history.length / 1_048_576).toFixed(1)} MB         CPU ms (median of 15)`)
for (const to of ['responses', 'chat']) {
  const times = Array.from({ length: 15 }, () => {
    const begun = process.cpuUsage()
    translateRequest(history, taskTo(to), hash)
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1_000
  }).sort((a, b) => a - b)
  console.log(`${`messages → ${to}`.padEnd(28)} ${times[7].toFixed(1)}`)
}
