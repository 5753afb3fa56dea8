// How long the event loop is held for one long history on its way to a backend of another dialect: the scan of its body
// and its translation in the worker. Own process, so that no other bench's rubbish is collected meanwhile.
//
// `setImmediate` runs once in each turn of the loop, so the time between two is one turn. On a machine that others use
// most long turns are those in which the main thread did not run, because the system gave the processor to others or
// because one of them held a lock: they are left out of the first three figures and counted as "stood still". What is
// left says what this program does; the last columns, beside those of a worker that is as busy and never talks to us,
// say what the machine does to any program just now.
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { systemGiveWay } from '../src/main/adapters/system.ts'
import { openTranslation } from '../src/main/composition/open-translator.ts'
import { scanBody } from '../src/main/dialects/scan.ts'
import { scannedFields } from '../src/main/flow/10-ingress.ts'
import { taskOf } from './task.mjs'

const runs = Number(process.argv[2] ?? 200)
const encoder = new TextEncoder()
const turn = (n) => [
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: 'line of a file\n'.repeat(120) }] },
  { role: 'assistant', content: [{ type: 'tool_use', id: `t${n + 1}`, name: 'read', input: { path: `src/${n}.ts` } }] },
]
const historyOf = (turns) => {
  const messages = [
    { role: 'user', content: 'Begin.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't0', name: 'read', input: {} }] },
    ...Array.from({ length: turns }, (_, n) => turn(n)).flat(),
  ]
  return encoder.encode(JSON.stringify({ model: 'm', max_tokens: 100, messages }))
}

// As it comes from a socket: in pieces of their own.
const arrived = (bytes) => {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
    Buffer.from(bytes.subarray(at * 65_536, (at + 1) * 65_536)),
  )
  return { pieces, length: bytes.length }
}

/** Changes whenever this thread has stopped running; nothing where the system doesn't say. */
function stops() {
  try {
    return /^voluntary_ctxt_switches:[\s\S]*/m.exec(readFileSync('/proc/thread-self/status', 'utf8'))?.[0]
  } catch {
    return undefined
  }
}

/** The longest turn of the loop while `act` runs: of those left alone, and of all. */
async function turns(act) {
  const found = { own: 0, all: 0, stood: 0 }
  let isOn = true
  let before = stops()
  let last = performance.now()
  const tick = () => {
    const took = performance.now() - last
    const now = stops()
    found.all = Math.max(found.all, took)
    if (now === before) found.own = Math.max(found.own, took)
    else found.stood += 1
    before = now
    last = performance.now()
    if (isOn) setImmediate(tick)
  }
  setImmediate(tick)
  await act()
  await systemGiveWay()
  isOn = false
  return found
}

async function measure(name, prepare, act) {
  const all = []
  for (let n = -10; n < runs; n += 1) {
    const given = prepare()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const found = await turns(() => act(given))
    if (n >= 0) all.push(found)
  }
  const sorted = (value) => all.map(value).sort((a, b) => a - b)
  const at = (list, part) => list[Math.min(list.length - 1, Math.floor(list.length * part))].toFixed(2).padStart(8)
  const own = sorted(({ own }) => own)
  const any = sorted(({ all }) => all)
  const stood = all.reduce((sum, each) => sum + each.stood, 0)
  console.log(
    `${name.padEnd(34)}${at(own, 0.5)}${at(own, 0.99)}${at(own, 1)}${String(stood).padStart(12)}${at(any, 0.5)}${at(any, 0.99)}`,
  )
}

const clock = { elapsedMs: () => performance.now() }
const opened = openTranslation(new URL('../src/main/translation-worker.ts', import.meta.url), clock, {
  fault: () => '',
})
const busy = new Worker(
  `require('node:worker_threads').parentPort.on('message', (until) => {
     const text = JSON.stringify(Array(2_000).fill('x'.repeat(1_000)))
     while (performance.timeOrigin + performance.now() < until) JSON.parse(text)
   })`,
  { eval: true },
)
busy.unref()
const busyMs = 20

console.log(`longest turn, ms, of ${runs} runs`.padEnd(34), '    p50     p99     max  stood still  p50 and p99 of all')
await measure(
  `beside a busy worker, ${busyMs} ms`,
  () => performance.timeOrigin + performance.now() + busyMs + 5,
  (until) => {
    busy.postMessage(until)
    return new Promise((resolve) => setTimeout(resolve, busyMs))
  },
)
for (const turns of [1_000, 10_000]) {
  const bytes = historyOf(turns)
  const size = `${(bytes.length / 1_048_576).toFixed(1)} MB`
  const prepare = () => arrived(bytes)
  await measure(`scan, ${size}`, prepare, ({ pieces }) => scanBody(pieces, scannedFields, systemGiveWay))
  await measure(`translation in the worker, ${size}`, prepare, (body) =>
    opened.deps.translator.work('translate', body, taskOf('messages', 'responses')),
  )
}
opened.close()
await busy.terminate()
