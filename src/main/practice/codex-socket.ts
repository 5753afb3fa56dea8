/** The Responses WebSocket of the ChatGPT backend: turns, prewarm, anchors of this connection only (codex §2.5). */
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Behaviour, Content, Reply } from './behaviour.ts'
import { type CodexVendor, codexBodyProblem, codexFailure, limitHeaders, poolFamily, spentNow } from './codex.ts'
import { limitsEvent } from './codex-limits.ts'
import { fill } from './content.ts'
import { errorObject, type OpenaiFailure, openaiFailure, responsesErrorEvent } from './openai-errors.ts'
import { toBytes } from './pieces.ts'
import { planned } from './reply.ts'
import { prewarmEvents, responseEvents } from './responses-answer.ts'
import { askOf, type OriginParts } from './server.ts'
import { type Ask, type Event, failing, recordOf, stringOf } from './vendor.ts'
import { deliver } from './wire.ts'
import { countCall, type PracticeAccount, windowsNow } from './world.ts'

/** One upgraded connection. */
interface Line {
  readonly socket: WebSocket
  readonly raw: Socket
  readonly account: PracticeAccount
  readonly upgrade: Ask
  revoked(): boolean
  readonly connection: number
  /** Response ids that may be an anchor here. */
  readonly anchors: Set<string>
  frames: number
}

const mostAnchors = 200
const path = '/backend-api/codex/responses'

type Parts = Omit<OriginParts, 'upgrade'>

export function codexUpgrade(parts: Parts, vendor: CodexVendor): NonNullable<OriginParts['upgrade']> {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: true, maxPayload: 64 * 1024 * 1024 })
  server.on('headers', (headers) => headers.push('x-models-etag: "practice-models-1"', 'x-reasoning-included: true'))
  return (request, socket, head, connection) => {
    open(parts, vendor, server, { request, socket, head, connection }).catch(() => socket.destroy())
  }
}

interface Upgrading {
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
  readonly connection: number
}

async function open(parts: Parts, vendor: CodexVendor, server: WebSocketServer, at: Upgrading): Promise<void> {
  const { request, socket, head, connection } = at
  const record = parts.log.add({
    origin: parts.name,
    operation: 'upgrade',
    sourceId: null,
    method: request.method ?? '',
    path: request.url ?? '',
    rawHeaders: request.rawHeaders,
    body: new Uint8Array(0),
    connection,
    onConnection: 1,
  })
  const ask = await askOf(record, new Uint8Array(0), parts.clock.nowMs())
  record.sourceId = vendor.source(ask)?.id ?? null
  const behaviour = parts.script.take(parts.name, record.sourceId, 'upgrade')
  const admitted = vendor.admit(ask)
  if (isVendors(behaviour.reply) && ask.path === path && 'account' in admitted) {
    socket.once('close', () => parts.log.end(record, 'by-peer'))
    // Nothing comes before our answer, but a peer that leaves is seen only while its end is read.
    const left = (): void => void socket.destroy()
    socket.once('end', left)
    socket.resume()
    await pause(behaviour.delayMs ?? 0, socket)
    socket.off('end', left)
    server.handleUpgrade(request, socket, head, (upgraded) => {
      record.status = 101
      parts.log.changed()
      const { account } = admitted
      const revoked = (): boolean => vendor.revoked(ask)
      const anchors = new Set<string>()
      listen(parts, { socket: upgraded, raw: socket, account, upgrade: ask, revoked, connection, anchors, frames: 0 })
    })
    return
  }
  await refuse(parts, request, socket, behaviour, {
    ask,
    plan:
      isVendors(behaviour.reply) && 'refusal' in admitted
        ? admitted.refusal
        : planned(behaviour.reply, vendor, ask, vendor.source(ask)),
  })
}

async function refuse(
  parts: Parts,
  request: IncomingMessage,
  socket: Socket,
  behaviour: Behaviour,
  { ask, plan }: { readonly ask: Ask; readonly plan: ReturnType<typeof planned> },
): Promise<void> {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => {
    parts.log.end(ask.record, 'whole')
    socket.end()
  })
  socket.once('close', () => parts.log.end(ask.record, 'by-peer'))
  ask.record.status = plan.kind === 'answer' ? plan.status : null
  await deliver(response, plan, {
    delayMs: behaviour.delayMs ?? 0,
    wire: behaviour.wire ?? {},
    eventDelayMs: 0,
    breaking: () => parts.log.end(ask.record, 'broken-off'),
  })
}

/** One request at a time; frames that arrive meanwhile wait. */
function listen(parts: Parts, line: Line): void {
  let turn = Promise.resolve()
  line.socket.on('error', () => line.socket.terminate())
  line.socket.on('message', (data: Buffer, binary: boolean) => {
    if (binary) {
      line.socket.close(1003)
      return
    }
    turn = turn.then(() => answer(parts, line, data)).catch(() => line.socket.terminate())
  })
}

async function answer(parts: Parts, line: Line, data: Buffer): Promise<void> {
  line.frames += 1
  const record = parts.log.add({
    origin: parts.name,
    operation: 'generate',
    sourceId: line.account.id,
    method: 'FRAME',
    path: line.upgrade.record.path,
    rawHeaders: line.upgrade.record.rawHeaders,
    body: data,
    connection: line.connection,
    onConnection: line.frames,
  })
  const left = (): void => parts.log.end(record, 'by-peer')
  line.socket.once('close', left)
  const ask = await askOf(record, data, parts.clock.nowMs())
  const behaviour = parts.script.take(parts.name, line.account.id, 'generate')
  const { wire = {}, delayMs = 0 } = behaviour
  await pause(delayMs, line.socket)
  const gapMs = wire.pieceDelayMs ?? parts.eventDelayMs
  let sent = 0
  for (const frame of frames(line, ask, behaviour.reply)) {
    if (line.socket.readyState !== line.socket.OPEN) return
    if (wire.end?.afterEvents !== undefined && sent >= wire.end.afterEvents) break
    if (sent > 0) await pause(gapMs, line.socket)
    await new Promise<void>((resolve) => line.socket.send(frame, () => resolve()))
    sent += 1
  }
  const how = behaviour.reply?.kind === 'no-head' ? behaviour.reply.end : wire.end?.how
  if (how === 'stall') return
  parts.log.end(record, how === undefined ? 'whole' : 'broken-off')
  line.socket.off('close', left)
  if (how === 'reset') line.raw.resetAndDestroy()
  else if (how === 'fin' && wire.end?.closeCode !== undefined) line.socket.close(wire.end.closeCode)
  else if (how === 'fin') line.raw.end()
}

function* frames(line: Line, ask: Ask, reply: Reply | undefined): Generator<string> {
  if (reply?.kind === 'stream' || reply?.kind === 'raw') {
    for (const piece of reply.pieces) yield new TextDecoder().decode(toBytes(piece))
    return
  }
  for (const event of events(line, ask, reply)) yield JSON.stringify(event)
}

function* events(line: Line, ask: Ask, reply: Reply | undefined): Generator<Event> {
  const { account } = line
  if (reply?.kind === 'no-head') return
  if (reply?.kind === 'error') return yield wrapped(codexFailure(ask, account, reply.error), limitHeaders(ask, account))
  if (reply?.kind === 'status')
    return yield wrapped({ status: reply.status, body: bodyOf(reply.body) }, reply.headers ?? [])
  if (reply !== undefined && reply.kind !== 'vendor') return yield wrapped(openaiFailure('server-error', 'codex'), [])
  yield* turn(line, ask, reply?.content ?? {})
}

function* turn({ account, anchors, revoked }: Line, ask: Ask, content: Content): Generator<Event> {
  if (revoked()) return yield wrapped(openaiFailure('revoked', 'codex'), [])
  const wrong = codexBodyProblem(ask, 'frame')
  if (wrong !== null) return yield wrapped(wrong, [])
  if (ask.json?.type !== 'response.create') return yield wrapped(openaiFailure('invalid', 'codex'), [])
  const anchor = stringOf(ask.json.previous_response_id)
  if (anchor !== null && !anchors.has(anchor)) {
    return yield wrapped(openaiFailure('previous-response-not-found', 'codex'), [])
  }
  const spent = spentNow(ask, account)
  if (spent !== null) return yield wrapped(spent, limitHeaders(ask, account))
  const prewarm = ask.json.generate === false
  if (!prewarm) countCall(account, poolFamily(ask), ask.nowMs)
  yield limitsEvent(account, windowsNow(account, ask.nowMs), ask.nowMs)
  const filled = fill(content, ask, account)
  const id = `resp_${filled.id}`
  remember(anchors, id)
  if (prewarm) return yield* prewarmEvents(filled)
  yield* failing(responseEvents(filled, content.extraEvents ?? []), content, (name) => [
    responsesErrorEvent(codexFailure(ask, account, name), 'codex', id),
  ])
}

function remember(anchors: Set<string>, id: string): void {
  anchors.add(id)
  const oldest = anchors.values().next()
  if (anchors.size > mostAnchors && oldest.done !== true) anchors.delete(oldest.value)
}

/** Over a WebSocket a refusal is one frame that carries status and headers. */
function wrapped(failure: OpenaiFailure, headers: readonly string[]): Event {
  const named: Record<string, string> = {}
  for (let at = 0; at + 1 < headers.length; at += 2) named[headers[at] ?? ''] = headers[at + 1] ?? ''
  return { type: 'error', status: failure.status, error: errorObject(failure), headers: named }
}

function bodyOf(body: string | Uint8Array | undefined): OpenaiFailure['body'] {
  try {
    return recordOf(JSON.parse(new TextDecoder().decode(toBytes(body ?? '{}')))) ?? {}
  } catch {
    return {}
  }
}

const isVendors = (reply: Reply | undefined): boolean => reply === undefined || reply.kind === 'vendor'

async function pause(delayMs: number, socket: WebSocket | Socket): Promise<void> {
  if (delayMs <= 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, delayMs)
  socket.once('close', resolve)
  await promise
  clearTimeout(timer)
  socket.off('close', resolve)
}
