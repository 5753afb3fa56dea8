/**
 * Many different streams, each with its own bytes, splits and ending, all following from its number, and the upstream
 * that sends them. Used by the runs over many streams.
 */
import type { Socket } from 'node:net'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { type ClientAnswer, type ClientRequest, send } from './client.ts'
import { openRawUpstream, type RawUpstream } from './raw-upstream.ts'
import { sequence } from './sequence.ts'

type Ending = 'whole' | 'fin' | 'reset' | 'bad-chunk' | 'no-marker' | 'client-leaves' | 'lost' | 'refused'
type Dialect = 'messages' | 'responses' | 'chat'

export interface Plan {
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

const brokenStreams: readonly Ending[] = ['fin', 'reset', 'bad-chunk', 'no-marker', 'client-leaves', 'lost', 'refused']
const brokenAnswers: readonly Ending[] = ['reset', 'lost', 'refused']
const refusals = [429, 500, 503, 529] as const

/** Everything about stream `number`; of a hundred, some `wholePercent` are complete. */
export function planOf(number: number, wholePercent = 70): Plan {
  const random = sequence(number)
  const dialect = (['messages', 'responses', 'chat'] as const)[random(3)] ?? 'chat'
  const stream = random(5) > 0
  const encoding = (['identity', 'identity', 'gzip', 'zstd'] as const)[random(4)] ?? 'identity'
  const broken = stream ? brokenStreams : brokenAnswers
  const ending = random(100) < wholePercent ? 'whole' : (broken[random(broken.length)] ?? 'reset')
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

/** An upstream that finds the number in the request and answers as `plan` says. */
export const openPlannedUpstream = (plan: (number: number) => Plan): Promise<RawUpstream> =>
  openRawUpstream((socket, request) => {
    const number = Number(/stream-number-(\d+)-/.exec(request)?.[1] ?? Number.NaN)
    void answer(socket, plan(number))
  })

const refusalStatus = ({ number }: Plan): number => refusals[number % refusals.length] ?? 500
const refusalText = ({ number }: Plan): string =>
  JSON.stringify({ error: { type: 'api_error', message: `no ${number}` } })

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function answer(socket: Socket, plan: Plan): Promise<void> {
  if (plan.ending === 'lost') {
    socket.resetAndDestroy()
    return
  }
  if (plan.ending === 'refused') {
    const body = refusalText(plan)
    const head = `HTTP/1.1 ${refusalStatus(plan)} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
    socket.write(`${head}\r\n\r\n${body}`)
    return
  }
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

/** Under the two sources that a run makes: `mixed-messages` and `mixed-openai`. */
export const paths = {
  messages: '/mixed-messages/v1/messages',
  responses: '/mixed-openai/v1/responses',
  chat: '/mixed-openai/v1/chat/completions',
} as const

export interface Asked {
  readonly counts: 'complete' | 'broken' | 'left'
  readonly bytes: number
  /** What went wrong, in words. */
  readonly wrong: string | null
}

/** Asks for one stream and compares what arrived with its plan. */
export async function askPlanned(plan: Plan, to: Pick<ClientRequest, 'port' | 'headers' | 'agent'>): Promise<Asked> {
  const { number, dialect, stream, ending } = plan
  const ask = { model: 'mixed', stream, messages: [], input: [], note: `stream-number-${number}-` }
  const leaves = ending === 'client-leaves'
  const got = await send({
    ...to,
    path: paths[dialect],
    body: JSON.stringify(ask),
    onData: (_, sent) => leaves && sent.destroy(),
  })
  const wrong = difference(plan, got)
  return {
    counts: ending === 'whole' ? 'complete' : leaves ? 'left' : 'broken',
    bytes: got.body.length,
    wrong:
      wrong === null ? null : `${number} ${dialect} ${plan.encoding} ${ending}: ${wrong}, ${got.status} ${got.end}`,
  }
}

function difference(plan: Plan, { status, end, body }: ClientAnswer): string | null {
  switch (plan.ending) {
    case 'whole':
      return end === 'whole' && status === 200 && body.equals(plan.body)
        ? null
        : `${body.length} of ${plan.body.length} bytes`
    case 'lost':
      return end === 'whole' && status === 200 ? 'a good end' : null
    case 'refused':
      return end === 'whole' && status === refusalStatus(plan) && body.toString() === refusalText(plan)
        ? null
        : 'not the refusal that was sent'
    default:
      if (end === 'whole' && plan.ending !== 'client-leaves') return 'a clean end'
      return plan.sent.subarray(0, body.length).equals(body) ? null : 'other bytes'
  }
}
