/**
 * Answers of upstreams, split at every byte and broken by the thousand, through the built program: split ones arrive
 * unchanged, in the client's own dialect and in the two others; of the broken ones none looks complete without its end
 * marker, each comes to an end and has a row, and the program goes on as before (F12–F22, T6). Used by the test and by
 * the long run.
 */
import type { Socket } from 'node:net'
import type { Dialect } from '../../src/main/domain/source.ts'
import { broken } from './broken-requests.ts'
import { type ClientAnswer, send } from './client.ts'
import { calmDescriptors, loggedFaults } from './program-health.ts'
import { openRawUpstream } from './raw-upstream.ts'
import { type Program, startProgram } from './run-program.ts'
import { askOf, pathOf, type SampleAnswer, sampleAnswers } from './sample-answers.ts'
import { oneOf, type Random, sequence } from './sequence.ts'
import { until } from './start-core.ts'

export interface AnswerFuzzFigures {
  readonly splits: number
  readonly broken: number
  /** Of the broken ones, as the client saw them. */
  readonly whole: number
  readonly cut: number
  readonly refused: number
  readonly rows: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

/** What an upstream does with one request: the bytes in the pieces they are sent in, and how it ends. */
interface Script {
  readonly pieces: readonly Buffer[]
  readonly end: 'fin' | 'reset' | 'open'
}

const concurrency = 24
const mostWrong = 20
const boundMs = 60_000
const dialects: readonly Dialect[] = ['messages', 'responses', 'chat']

/** Splits every sample at each `splitEvery`th byte, then sends `brokenCount` broken answers from number `from` on. */
export async function fuzzAnswers(splitEvery: number, brokenCount: number, from = 0): Promise<AnswerFuzzFigures> {
  const samples = await sampleAnswers()
  const upstream = await openUpstream()
  const program = await startProgram({ practice: false, args: ['--vault', 'memory'] })
  const run = newRun(program, upstream.scripts)
  try {
    for (const dialect of dialects) await addSource(program, dialect, upstream.port)
    const splits = await run.splits(samples, splitEvery)
    upstream.disconnect()
    const before = await calmDescriptors(program)
    const counts = await run.broken(samples, brokenCount, from)
    await until(async () => ((await total(program, 'open')) === 0 ? true : null), 'every row is finished', boundMs)
    upstream.disconnect()
    const more = (await calmDescriptors(program)) - before
    const { wrong } = run
    if (more > 2) wrong.push(`${more} descriptors more than before`)
    const rows = await total(program)
    if (rows !== run.asked()) wrong.push(`${rows} rows for ${run.asked()} calls`)
    const code = await program.stop()
    if (code !== 0 || program.stderr() !== '') wrong.push(`it ended with ${code}: ${program.stderr().slice(0, 300)}`)
    wrong.push(...loggedFaults(program))
    return { splits, ...counts, rows, wrong }
  } finally {
    await program.kill()
    await upstream.close()
  }
}

function newRun(program: Program, scripts: Map<string, Script>) {
  const port = Number(new URL(program.address).port)
  const key = program.key()
  const wrong: string[] = []
  let asked = 0
  /** Asks in `client`'s dialect a source that speaks the sample's, which answers as scripted. */
  const ask = async (client: Dialect, { dialect, stream }: SampleAnswer, script: Script): Promise<ClientAnswer> => {
    const name = `note-${asked++}-`
    scripts.set(name, script)
    const answer = await within(
      send({
        port,
        path: `/fuzz-${dialect}${pathOf[client]}`,
        body: JSON.stringify(askOf(client, stream, name, { model: 'fuzz' })),
        headers: { authorization: `Bearer ${key}` },
      }),
    )
    scripts.delete(name)
    return answer
  }
  return {
    wrong,
    asked: () => asked,

    async splits(samples: readonly SampleAnswer[], every: number): Promise<number> {
      let count = 0
      for (const sample of samples) {
        for (const client of dialects) {
          const whole = await ask(client, sample, { pieces: [framed(sample, sample.body)], end: 'open' })
          const name = `${sample.dialect} to ${client}`
          if (whole.status !== 200 || whole.end !== 'whole') wrong.push(`${name}: ${whole.status} ${whole.text}`)
          if (client === sample.dialect && !whole.body.equals(sample.body)) wrong.push(`${name}: other bytes`)
          const offsets = Array.from({ length: Math.ceil(sample.body.length / every) }, (_, n) => n * every)
          await inParallel(offsets, async (at) => {
            if (wrong.length >= mostWrong) return
            const got = await ask(client, sample, { pieces: halves(sample, at), end: 'open' })
            count += 1
            if (got.end !== 'whole' || alike(got.text) !== alike(whole.text)) {
              wrong.push(`${name} ${sample.stream ? 'stream' : 'answer'} split at ${at}: ${got.status} ${got.end}`)
            }
          })
        }
      }
      return count
    },

    async broken(samples: readonly SampleAnswer[], inputs: number, from: number) {
      const counts = { broken: 0, whole: 0, cut: 0, refused: 0 }
      const numbers = Array.from({ length: inputs }, (_, n) => from + n)
      await inParallel(numbers, async (number) => {
        if (wrong.length >= mostWrong) return
        const random = sequence(number)
        const sample = oneOf(random, samples)
        const client = random(2) === 0 ? sample.dialect : oneOf(random, dialects)
        const script = brokenScript(random, sample)
        const got = await ask(client, sample, script)
        counts.broken += 1
        const name = `${number} ${sample.dialect} to ${client}`
        if (got.end === 'hung') wrong.push(`${name}: no end`)
        else if (got.status !== 200) counts.refused += 1
        else if (got.end === 'whole') counts.whole += 1
        else counts.cut += 1
        // Under another type it is no stream, and its length alone says whether it is whole.
        const isStream = got.headers['content-type']?.startsWith('text/event-stream') === true
        const isWhole = got.status === 200 && got.end === 'whole' && isStream
        if (isWhole && !ends[client].test(got.text)) wrong.push(`${name}: looks complete without its end`)
        if (got.status === 500 && got.headers['x-pointsman-error'] !== undefined) wrong.push(`${name}: ${got.text}`)
      })
      return counts
    },
  }
}

/** A clean end of a stream needs its marker or an error somewhere in it. */
const ends: Readonly<Record<Dialect, RegExp>> = {
  messages: /message_stop|"error"/,
  responses: /response\.(completed|incomplete|failed)|"error"/,
  chat: /\[DONE\]|"error"/,
}

/** Translated answers get ids and times of their own. */
const alike = (text: string): string =>
  text
    .replace(/"(?:id|item_id|call_id|tool_use_id|response_id)":"[^"]*"/g, '"id":""')
    .replace(/"created(_at)?":\d+/g, '"created":0')

const headOf = ({ stream }: SampleAnswer, framing: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${stream ? 'text/event-stream' : 'application/json'}\r\n${framing}\r\n\r\n`

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

const chunkedHead = (sample: SampleAnswer): Buffer => Buffer.from(headOf(sample, 'transfer-encoding: chunked'))
const lastChunk = Buffer.from('0\r\n\r\n')

const framed = (sample: SampleAnswer, body: Buffer): Buffer =>
  Buffer.concat([chunkedHead(sample), ...(body.length > 0 ? [chunk(body)] : []), lastChunk])

/** The body in two pieces, each a chunk and a write of its own. */
function halves(sample: SampleAnswer, at: number): readonly Buffer[] {
  const parts = [sample.body.subarray(0, at), sample.body.subarray(at)].filter((part) => part.length > 0)
  return [chunkedHead(sample), ...parts.map(chunk), lastChunk]
}

/** Faults in the text under a sound frame, or anywhere; sent in up to four pieces. */
function brokenScript(random: Random, sample: SampleAnswer): Script {
  let body: Buffer = sample.body
  const inText = random(2) === 0
  if (inText) for (let fault = 1 + random(4); fault > 0; fault -= 1) body = broken(random, body)
  const framing = random(4)
  let bytes: Buffer =
    framing === 0
      ? Buffer.concat([Buffer.from(headOf(sample, 'connection: close')), body])
      : framing === 1
        ? Buffer.concat([Buffer.from(headOf(sample, `content-length: ${body.length}`)), body])
        : framed(sample, body)
  if (!inText) for (let fault = 1 + random(3); fault > 0; fault -= 1) bytes = broken(random, bytes)
  const cuts = Array.from({ length: random(4) }, () => random(bytes.length + 1)).sort((a, b) => a - b)
  const pieces = [0, ...cuts].map((at, n) => bytes.subarray(at, cuts[n] ?? bytes.length))
  return { pieces, end: random(4) === 0 ? 'reset' : 'fin' }
}

/** An upstream that finds the note in the request and sends what is scripted for it. */
async function openUpstream() {
  const scripts = new Map<string, Script>()
  const upstream = await openRawUpstream((socket, request) => {
    const script = scripts.get(/note-\d+-/.exec(request)?.[0] ?? '')
    if (script === undefined) socket.destroy()
    else void play(socket, script)
  })
  return { ...upstream, scripts }
}

async function play(socket: Socket, { pieces, end }: Script): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return
    await new Promise<void>((resolve) => socket.write(piece, () => setImmediate(resolve)))
  }
  if (end === 'fin') socket.end()
  else if (end === 'reset') socket.resetAndDestroy()
}

async function addSource(program: Program, dialect: Dialect, port: number): Promise<void> {
  await program.rpc('profiles.create', {
    kind: 'api',
    label: `fuzz-${dialect}`,
    dialects: [dialect],
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: `sk-fuzz-${dialect}-0123456789abcdef`,
    models: [{ id: 'fuzz' }],
  })
}

async function total(program: Program, outcome?: string): Promise<number> {
  const filter = outcome === undefined ? {} : { filter: { outcome } }
  return (await program.rpc<{ readonly total: number }>('calls.page', { limit: 1, ...filter })).total
}

async function inParallel<T>(list: readonly T[], act: (each: T) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < list.length) await act(list[next++] as T)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

/** An answer that doesn't come is an answer too. */
function within(answer: Promise<ClientAnswer>): Promise<ClientAnswer> {
  let bound: NodeJS.Timeout | undefined
  const late = new Promise<ClientAnswer>((resolve) => {
    const nothing = { status: 0, headers: {}, rawHeaders: [], body: Buffer.alloc(0), text: '', end: 'hung' }
    bound = setTimeout(() => resolve(nothing), boundMs)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(bound))
}
