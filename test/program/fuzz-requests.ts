/**
 * Broken requests by the thousand on the built program's data port: each connection comes to an end, everything that
 * comes back is HTTP and never an internal fault, what reaches the upstream is sound, and the program goes on as before
 * (T7, F27–F30). Used by the test and by the long run.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brokenRequest } from './broken-requests.ts'
import { send } from './client.ts'
import { calmDescriptors, loggedFaults } from './program-health.ts'
import { open } from './raw-socket.ts'
import { readAnswers } from './read-answers.ts'
import { type Program, startProgram } from './run-program.ts'
import { sequence } from './sequence.ts'

export interface RequestFuzzFigures {
  readonly inputs: number
  readonly answers: number
  readonly refused: number
  readonly served: number
  /** Connections that were closed without an answer. */
  readonly silent: number
  readonly upstreamRequests: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

const concurrency = 48
const mostWrong = 20
/** Long enough for an answer on a crowded machine; who has sent nothing whole by then is waited for in vain. */
const patienceMs = 150
const boundMs = 30_000
const checkEvery = 2_000

/** Inputs number `from` up to `from + inputs`. */
export async function fuzzRequests(inputs: number, from = 0): Promise<RequestFuzzFigures> {
  const upstream = await openUpstream()
  const program = await startProgram({ practice: false, args: ['--vault', 'memory'] })
  const port = Number(new URL(program.address).port)
  const key = program.key()
  const wrong = upstream.wrong
  const counts = { answers: 0, refused: 0, served: 0, silent: 0 }
  const seen = (statuses: readonly number[], number: number, text: string): void => {
    counts.answers += statuses.length
    if (statuses.length === 0) counts.silent += 1
    for (const status of statuses) {
      if (status < 300) counts.served += 1
      else counts.refused += 1
      if (status === 500 || text.includes('x-pointsman-error: internal')) wrong.push(`${number}: an internal fault`)
    }
  }
  const one = async (number: number): Promise<void> => {
    const { text, end } = await exchange(port, brokenRequest(sequence(number), port, key))
    if (end === 'hung') wrong.push(`${number}: no end`)
    const statuses = readAnswers(text)
    if (statuses === null) wrong.push(`${number}: not HTTP: ${JSON.stringify(text.slice(0, 120))}`)
    else seen(statuses, number, text)
    if ((number + 1) % checkEvery === 0 && !(await isWell(port, key))) wrong.push(`${number}: a sound call fails`)
  }
  let next = from
  const worker = async (last: number): Promise<void> => {
    while (next < last && wrong.length < mostWrong) await one(next++)
  }
  const upTo = (last: number): Promise<unknown> =>
    Promise.all(Array.from({ length: concurrency }, () => worker(from + last)))
  try {
    await addSources(program, upstream.port)
    if (!(await isWell(port, key))) wrong.push('a sound call fails before the first input')
    // What is opened once, at its first use, is open by then.
    await upTo(Math.min(500, inputs / 2))
    upstream.disconnect()
    const before = await calmDescriptors(program)
    await upTo(inputs)
    if (!(await isWell(port, key))) wrong.push('a sound call fails after the last input')
    upstream.disconnect()
    const more = (await calmDescriptors(program)) - before
    if (more > 2) wrong.push(`${more} descriptors more than before`)
    const code = await program.stop()
    if (code !== 0 || program.stderr() !== '') wrong.push(`it ended with ${code}: ${program.stderr().slice(0, 300)}`)
    wrong.push(...loggedFaults(program))
    return { inputs: next - from, ...counts, upstreamRequests: upstream.requests(), wrong }
  } finally {
    await program.kill()
    await upstream.close()
  }
}

/** Sends the bytes, gives the other side a moment, says that no more comes, and waits for the connection's end. */
function exchange(port: number, bytes: Buffer): Promise<{ readonly text: string; readonly end: 'closed' | 'hung' }> {
  return new Promise((resolve) => {
    const socket = open(port)
    const reads: Buffer[] = []
    const bound = setTimeout(() => {
      resolve({ text: '', end: 'hung' })
      socket.destroy()
    }, boundMs)
    const patience = setTimeout(() => socket.end(), patienceMs)
    socket.on('error', () => socket.destroy())
    socket.on('data', (piece) => {
      reads.push(piece)
      socket.end()
    })
    socket.once('close', () => {
      clearTimeout(bound)
      clearTimeout(patience)
      resolve({ text: Buffer.concat(reads).toString('latin1'), end: 'closed' })
    })
    socket.write(bytes)
  })
}

async function isWell(port: number, key: string): Promise<boolean> {
  const answer = await send({
    port,
    path: '/fuzz-openai/v1/chat/completions',
    body: JSON.stringify({ model: 'fuzz', messages: [] }),
    headers: { authorization: `Bearer ${key}` },
  })
  return answer.status === 200 && answer.end === 'whole'
}

const known = new Set([
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/responses',
  '/v1/chat/completions',
  '/v1/models',
])

/** Answers whatever is sound and notes whatever isn't. */
async function openUpstream() {
  const wrong: string[] = []
  let requests = 0
  const note = (request: IncomingMessage): void => {
    const [path = ''] = (request.url ?? '').split('?')
    const credential = request.headers.authorization ?? `Bearer ${request.headers['x-api-key'] ?? ''}`
    if (!known.has(path)) wrong.push(`the upstream was asked for ${path}`)
    if (!/^Bearer sk-fuzz/.test(credential)) wrong.push('the upstream was sent another credential')
    if (request.rawHeaders.some((text) => text.includes('pk_'))) wrong.push('the upstream was sent a client’s key')
  }
  const server = createServer((request, answer) => {
    requests += 1
    note(request)
    request.resume().once('end', () => {
      answer.setHeader('content-type', 'application/json')
      answer.end('{"id":"x","usage":{"input_tokens":1,"output_tokens":1}}')
    })
  })
  server.on('clientError', (cause: NodeJS.ErrnoException, socket) => {
    // A client that left takes its upstream connection along.
    if (cause.code !== 'ECONNRESET')
      wrong.push(`the upstream was sent what is not HTTP: ${cause.code ?? cause.message}`)
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    wrong,
    requests: () => requests,
    /** Idle connections are the program's to keep, and then count as held. */
    disconnect: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

async function addSources(program: Program, port: number): Promise<void> {
  for (const [id, dialects, model] of [
    ['fuzz-messages', ['messages'], 'claude-opus-4-8'],
    ['fuzz-openai', ['responses', 'chat'], 'fuzz'],
  ] as const) {
    await program.rpc('profiles.create', {
      kind: 'api',
      label: id,
      dialects,
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: `sk-${id}-0123456789abcdef`,
      models: [{ id: model }],
    })
  }
}
