/**
 * What single stages of the data path cost, in-process: scan of a body, header lists, observation of a stream, the
 * usage of an answer, the commit of 64 rows. `--json` prints the figures as JSON.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WorkerCallReader } from '../src/main/adapters/sqlite/call-reader.ts'
import { SqliteCallStore } from '../src/main/adapters/sqlite/call-store.ts'
import { streamReader, unaryUsage } from '../src/main/dialects/answer.ts'
import { HeaderList } from '../src/main/dialects/headers.ts'
import { scanFields } from '../src/main/dialects/scan.ts'
import { scannedFields } from '../src/main/flow/10-ingress.ts'
import { inboundHeaders, outboundHeaders } from '../src/main/providers/index.ts'

const rows = []
const text = 'the quick brown fox says \\"hello\\" '.repeat(110)
const message = (index) => `{"role":"${index % 2 ? 'assistant' : 'user'}","content":[{"type":"text","text":"${text}"}]}`

for (const [name, bytes] of [
  ['1 KB', 1_000],
  ['100 KB', 100_000],
  ['2 MB', 2_000_000],
  ['20 MB', 20_000_000],
]) {
  const count = Math.round(bytes / 4_000)
  const messages =
    bytes < 4_000
      ? `[{"role":"user","content":"${'x'.repeat(bytes - 150)}"}]`
      : `[${Array.from({ length: count }, (_, index) => message(index)).join()}]`
  const body = Buffer.from(`{"model":"claude-sonnet-4-5","stream":true,"max_tokens":4096,"messages":${messages}}`)
  const pieces = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, at) =>
    body.subarray(at * 65_536, (at + 1) * 65_536),
  )
  measure(`scan of a body, ${name}`, bytes < 10_000 ? 20_000 : bytes < 1e6 ? 1_000 : bytes < 1e7 ? 100 : 15, () =>
    scanFields(pieces, scannedFields),
  )
}

const sent = [
  ...[
    'Host',
    '127.0.0.1:7646',
    'Connection',
    'keep-alive',
    'Content-Type',
    'application/json',
    'Content-Length',
    '1000',
  ],
  ...['Accept', 'application/json', 'User-Agent', 'claude-cli/2.1.328 (external, cli)', 'X-App', 'cli'],
  ...['X-Stainless-Lang', 'js', 'X-Stainless-Package-Version', '0.70.0', 'X-Stainless-OS', 'Linux'],
  ...['X-Stainless-Arch', 'x64', 'X-Stainless-Runtime', 'node', 'X-Stainless-Runtime-Version', 'v24.3.0'],
  ...['X-Stainless-Retry-Count', '0', 'X-Stainless-Timeout', '600', 'anthropic-version', '2023-06-01'],
  ...['anthropic-beta', 'claude-code-20250219,interleaved-thinking-2025-05-14', 'x-api-key', `pk_${'a'.repeat(43)}`],
  ...['Accept-Encoding', 'gzip, br', 'X-Claude-Code-Session-Id', 'd5f8a4f2-7d0c-4a61-b2a4-5d6f0c0f6a11'],
]
const received = [
  ...['Date', 'Mon, 30 Nov 2026 02:00:00 GMT', 'Content-Type', 'text/event-stream', 'Transfer-Encoding', 'chunked'],
  ...['request-id', 'req_1', 'anthropic-organization-id', 'org', 'cf-ray', 'x', 'Server', 'cloudflare'],
  ...['anthropic-ratelimit-unified-5h-utilization', '0.4', 'anthropic-ratelimit-unified-5h-reset', '1796000000'],
  ...['anthropic-ratelimit-unified-7d-utilization', '0.2', 'anthropic-ratelimit-unified-7d-reset', '1796000000'],
]
const edits = { dropPrefixes: [], list: null, defaults: [], credential: () => ['x-api-key', 'sk'] }
measure('index of a request’s headers', 20_000, () => new HeaderList(sent).get('content-type'))
measure('headers to the upstream', 20_000, () => outboundHeaders(sent, edits, { kind: 'api-key', key: 'sk' }))
measure('headers to the client', 20_000, () => inboundHeaders(received))

const events = 200
const event = Buffer.from(
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"T0000000000000000;"}}\n\n`,
)
const singly = Array.from({ length: events }, () => event)
const joined = Buffer.concat(singly)
const coalesced = Array.from({ length: Math.ceil(joined.length / 4_096) }, (_, at) =>
  joined.subarray(at * 4_096, (at + 1) * 4_096),
)
for (const [name, pieces] of [
  ['one event a piece', singly],
  ['pieces of 4 KB', coalesced],
]) {
  measure(`observation of a stream, an event, ${name}`, 1_000, () => observe(pieces), events)
}
function observe(pieces) {
  const reader = streamReader('messages')
  for (const piece of pieces) reader.push(piece)
}
const answer = Buffer.from(
  '{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"text","text":"Hello"}],"usage":{"input_tokens":1234,"output_tokens":7}}',
)
measure('usage of a small answer', 20_000, () => unaryUsage('messages', [answer]))
await measureCommit()

if (process.argv.includes('--json')) console.log(JSON.stringify(rows, null, 2))
else
  for (const { stage, p50, p99, max } of rows)
    console.log(`${stage.padEnd(52)} p50 ${p50.toFixed(2)} µs, p99 ${p99.toFixed(1)} µs, longest ${max.toFixed(0)} µs`)

/** Microseconds per `parts`, after a tenth of the runs for warming up. */
function measure(stage, runs, act, parts = 1) {
  for (let n = 0; n < Math.max(3, runs / 10); n += 1) act()
  const times = new Float64Array(runs)
  for (let n = 0; n < runs; n += 1) {
    const began = process.hrtime.bigint()
    act()
    times[n] = Number(process.hrtime.bigint() - began) / 1_000 / parts
  }
  keep(stage, times)
}

function keep(stage, times) {
  times.sort()
  const at = (share) => times[Math.floor((times.length - 1) * share)]
  rows.push({ stage, p50: at(0.5), p99: at(0.99), max: at(1) })
}

/** How long the event loop stands still while 64 calls, the most at once, are committed. */
async function measureCommit() {
  const folder = mkdtempSync(join(tmpdir(), 'pointsman-bench-'))
  const clock = {
    nowMs: () => Date.now(),
    elapsedMs: () => performance.now(),
    after(delayMs, act) {
      const timer = setTimeout(act, delayMs)
      return () => clearTimeout(timer)
    },
  }
  const limits = () => ({ retentionDays: 90, retentionBytes: 2 ** 31, forgetsByAge: true })
  const path = join(folder, 'calls.db')
  // As in the program: another thread moves the write-ahead log into the file.
  const workerUrl = new URL('../src/main/adapters/sqlite/calls-reader.ts', import.meta.url)
  const work = new WorkerCallReader({ path, clock, workerUrl })
  const store = new SqliteCallStore({ path, clock, limits, work })
  // One that goes on running, so that the others share a commit.
  store.begin(openCall(store.nextId(Date.now())))
  const batches = 300
  const times = new Float64Array(batches)
  for (let batch = 0; batch < batches; batch += 1) {
    const ids = Array.from({ length: 64 }, () => store.nextId(Date.now()))
    for (const id of ids) store.begin(openCall(id))
    const released = new Promise((resolve) => {
      let left = 64
      for (const id of ids)
        store.finish(finishedCall(id), () => {
          left -= 1
          if (left === 0) resolve()
        })
    })
    // The commit is the next thing the loop does; nothing else waits here.
    const began = process.hrtime.bigint()
    await released
    times[batch] = Number(process.hrtime.bigint() - began) / 1_000
  }
  store.close()
  await work.close()
  rmSync(folder, { recursive: true, force: true })
  keep('commit of 64 rows', times)
}

function openCall(id) {
  const startedMs = Date.now()
  return {
    id,
    startedMs,
    providerId: 'any',
    operation: 'generate',
    dialect: 'messages',
    requestedModel: 'mock',
    keyId: 'key',
  }
}

function finishedCall(id) {
  const execution = {
    ...{ backendId: 'bench:mock', sourceId: 'bench', sourceLabel: 'Bench', upstreamModel: 'mock', outcome: 'done' },
    ...{ because: 'done', sentence: 'It answered.', status: 200, startedMs: Date.now(), firstByteMs: 1, totalMs: 1 },
    ...{ usage: null, requestId: 'req_1' },
  }
  const seat = { backendId: 'bench:mock', label: 'Bench', tier: 0, position: 0, usable: true, because: 'ready' }
  return {
    ...{ id, startedMs: Date.now(), providerId: 'any', operation: 'generate', dialect: 'messages' },
    ...{ requestedModel: 'mock', upstreamModel: 'mock', backendId: 'bench:mock', sourceType: 'api', sourceId: 'bench' },
    ...{
      sourceLabel: 'Bench',
      keyId: 'key',
      outcome: 'done',
      status: 200,
      errorCode: null,
      session: null,
      client: null,
    },
    ...{ stream: false, usage: null, cost: null, firstByteMs: 1, totalMs: 1, bytesIn: 1_000, bytesOut: 284 },
    executions: [execution],
    decision: {
      ...{ pool: 'mock', strategy: 'ordered', reason: 'only-candidate', sentence: 'Bench served it.', wanted: null },
      ...{ actual: 'bench', seats: [{ ...seat, usedPercent: null, numbers: null, windows: [] }], excluded: [] },
      ...{ warnings: [], trail: [] },
    },
  }
}
