/**
 * Many streams at once through the program, each with its own bytes, splits and ending, all following from its number:
 * complete ones must arrive byte for byte, broken ones never with a clean end. Used by the test and by the long run.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { send } from './client.ts'
import { type Rig, startRig, until } from './start-core.ts'

export interface MixedFigures {
  readonly streams: number
  readonly complete: number
  readonly broken: number
  readonly left: number
  readonly bytes: number
  readonly rows: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

type Ending = 'whole' | 'fin' | 'reset' | 'bad-chunk' | 'no-marker' | 'client-leaves'
type Dialect = 'messages' | 'responses' | 'chat'

interface Plan {
  readonly number: number
  readonly dialect: Dialect
  readonly stream: boolean
  readonly ending: Ending
  readonly encoding: 'identity' | 'gzip' | 'zstd'
  /** The body as it would be complete, encoded. */
  readonly body: Buffer
  /** What of it the upstream sends. */
  readonly sent: Buffer
  readonly pieceBytes: number
}

/** Numbers that look random and are the same in each run. */
function sequence(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) >>> 0
    return (state >>> 8) % below
  }
}

const endings: readonly Ending[] = ['fin', 'reset', 'bad-chunk', 'no-marker', 'client-leaves']

export function planOf(number: number): Plan {
  const random = sequence(number)
  const dialect = (['messages', 'responses', 'chat'] as const)[random(3)] ?? 'chat'
  const stream = random(5) > 0
  const encoding = (['identity', 'identity', 'gzip', 'zstd'] as const)[random(4)] ?? 'identity'
  const ending = random(10) < 7 ? 'whole' : stream ? (endings[random(5)] ?? 'fin') : 'reset'
  const text = stream ? streamText(dialect, number, random) : unaryText(dialect, number, random)
  const marker = text.lastIndexOf(stream ? (dialect === 'chat' ? 'data: [DONE]' : 'event: ') : '}')
  const usable = ending === 'no-marker' ? text.slice(0, marker) : text
  const encode = { identity: (bytes: Buffer) => bytes, gzip: gzipSync, zstd: zstdCompressSync }[encoding]
  const body = encode(Buffer.from(usable))
  const cut = ending === 'whole' || ending === 'no-marker' || ending === 'client-leaves'
  const sent = cut ? body : body.subarray(0, Math.floor((body.length * (20 + random(60))) / 100))
  return {
    number,
    dialect,
    stream,
    ending,
    encoding,
    body,
    sent,
    pieceBytes: 1 + random(ending === 'whole' ? 4_000 : 300),
  }
}

function streamText(dialect: Dialect, number: number, random: (below: number) => number): string {
  const words = Array.from(
    { length: 3 + random(60) },
    (_, index) => `${number}.${index} é😀 ${'x'.repeat(random(200))}`,
  )
  const named = (event: { readonly type: string }): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
  const start = { id: `id-${number}`, usage: { input_tokens: 3, output_tokens: 1 } }
  switch (dialect) {
    case 'messages':
      return [
        { type: 'message_start', message: start },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        ...words.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: words.length } },
        { type: 'message_stop' },
      ]
        .map(named)
        .join('')
    case 'responses':
      return [
        { type: 'response.created', response: { id: start.id } },
        { type: 'response.output_item.added', output_index: 0 },
        ...words.map((delta) => ({ type: 'response.output_text.delta', delta })),
        {
          type: 'response.completed',
          response: { id: start.id, usage: { input_tokens: 3, output_tokens: words.length } },
        },
      ]
        .map(named)
        .join('')
    case 'chat':
      return `${words.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`).join('')}data: [DONE]\n\n`
  }
}

const unaryText = (dialect: Dialect, number: number, random: (below: number) => number): string =>
  JSON.stringify({
    id: `id-${number}`,
    dialect,
    content: 'y'.repeat(random(20_000)),
    usage: { input_tokens: 3, output_tokens: 4 },
  })

/** An upstream that finds the number in the request and answers as planned. */
async function openUpstream(): Promise<{
  readonly port: number
  readonly server: Server
  readonly sockets: Set<Socket>
}> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    let held = ''
    socket.on('data', (bytes) => {
      held += bytes.toString('latin1')
      const at = held.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(held)?.[1] ?? 0)
      if (at < 0 || held.length < at + 4 + length) return
      const number = Number(/stream-number-(\d+)-/.exec(held)?.[1] ?? Number.NaN)
      held = held.slice(at + 4 + length)
      void answer(socket, planOf(number))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as { port: number }).port, server, sockets }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function answer(socket: Socket, plan: Plan): Promise<void> {
  const encoded = plan.encoding === 'identity' ? '' : `content-encoding: ${plan.encoding}\r\n`
  const type = plan.stream ? 'text/event-stream' : 'application/json'
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${encoded}transfer-encoding: chunked\r\n\r\n`)
  for (let at = 0; at < plan.sent.length; at += plan.pieceBytes) {
    const piece = plan.sent.subarray(at, at + plan.pieceBytes)
    if (socket.destroyed) return
    const roomy = socket.write(
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
    )
    if (!roomy) await new Promise<void>((resolve) => socket.once('drain', resolve).once('close', () => resolve()))
    else if (at % 5 === 0) await turn()
  }
  switch (plan.ending) {
    case 'whole':
    case 'no-marker':
      socket.write('0\r\n\r\n')
      return
    case 'client-leaves':
      return
    case 'bad-chunk':
      socket.write('zz\r\n')
      return
    case 'fin':
      socket.end()
      return
    case 'reset':
      socket.resetAndDestroy()
  }
}

const paths = {
  messages: '/mixed-messages/v1/messages',
  responses: '/mixed-openai/v1/responses',
  chat: '/mixed-openai/v1/chat/completions',
} as const

async function prepare(rig: Rig, port: number): Promise<void> {
  const baseUrl = `http://127.0.0.1:${port}`
  const models = [{ id: 'mixed', upstreamModel: 'mixed', aliases: [], free: false }]
  const { sources } = rig.core.api
  const change = { baseUrl, models, joins: [], credentialRef: null }
  const messages = await rig.add('anthropic-key', change)
  const openai = await rig.add('openai-key', change)
  for (const { id } of [messages, openai]) sources.remove(id)
  sources.save({ ...messages, id: 'mixed-messages' as never })
  sources.save({ ...openai, id: 'mixed-openai' as never })
}

export async function mixedRun(streams: number, concurrency: number): Promise<MixedFigures> {
  const upstream = await openUpstream()
  const rig = await startRig()
  await prepare(rig, upstream.port)
  const wrong: string[] = []
  const counts = { complete: 0, broken: 0, left: 0, bytes: 0 }
  let next = 0
  const one = async (number: number): Promise<void> => {
    const plan = planOf(number)
    const body = JSON.stringify({
      model: 'mixed',
      stream: plan.stream,
      messages: [],
      input: [],
      note: `stream-number-${number}-`,
    })
    const leaves = plan.ending === 'client-leaves'
    const headers = { authorization: `Bearer ${rig.key}` }
    const got = await send({
      port: rig.core.port,
      path: paths[plan.dialect],
      body,
      headers,
      onData: (_, sent) => leaves && sent.destroy(),
    })
    counts.bytes += got.body.length
    const name = `${number} ${plan.dialect} ${plan.encoding} ${plan.ending}`
    if (plan.ending === 'whole') {
      counts.complete += 1
      if (got.end !== 'whole' || !got.body.equals(plan.body))
        wrong.push(`${name}: ${got.status} ${got.end} ${got.body.length} of ${plan.body.length}`)
      return
    }
    if (leaves) counts.left += 1
    else counts.broken += 1
    if (got.end === 'whole' && !leaves) wrong.push(`${name}: a clean end`)
    if (!plan.sent.subarray(0, got.body.length).equals(got.body)) wrong.push(`${name}: other bytes`)
  }
  const worker = async (): Promise<void> => {
    for (let number = next++; number < streams; number = next++) await one(number)
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, worker))
    await until(
      async () => ((await rig.core.api.reader.page(1, 0, { outcome: 'open' })).total === 0 ? true : null),
      'every row is finished',
      20_000,
    )
    const { total: rows } = await rig.core.api.reader.page(1, 0, {})
    const { total: done } = await rig.core.api.reader.page(1, 0, { outcome: 'done' })
    if (rows !== streams) wrong.push(`${rows} rows for ${streams} streams`)
    // A client that left may have done so behind the end marker.
    if (done < counts.complete || done > counts.complete + counts.left) {
      wrong.push(`${done} rows say done for ${counts.complete} complete streams`)
    }
    return { streams, ...counts, rows, wrong }
  } finally {
    await rig.close()
    for (const socket of upstream.sockets) socket.destroy()
    await new Promise((resolve) => upstream.server.close(resolve))
  }
}
