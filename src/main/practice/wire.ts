/** Puts a planned answer onto a real HTTP response or its bare socket: delays, splits, cuts, resets, stalls. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { joined } from '../domain/bytes.ts'
import type { Wire } from './behaviour.ts'
import { firstBytes, firstPieces, split } from './pieces.ts'
import type { Planned } from './vendor.ts'

export interface Travel {
  readonly delayMs: number
  readonly wire: Wire
  /** Between the events of a stream, unless the wire says otherwise. */
  readonly eventDelayMs: number
  /** Called before the answer is broken off on purpose. */
  breaking(): void
}

const compressors = {
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  zstd: zstdCompressSync,
} as const

/** How long a socket may linger after our FIN before it is destroyed. */
const lingerMs = 2_000

export async function deliver(response: ServerResponse, planned: Planned, travel: Travel): Promise<void> {
  const socket = response.socket ?? (await assigned(response))
  if (!(await pause(travel.delayMs, response))) return
  switch (planned.kind) {
    case 'no-head':
      return breakOff(socket, planned.end, travel)
    case 'raw': {
      const pieces = travel.wire.split === undefined ? planned.pieces : split(planned.pieces, travel.wire.split)
      for (const piece of pieces) {
        if (!(await put(socket, piece, response)) || !(await pause(travel.wire.pieceDelayMs ?? 0, response))) return
      }
      return breakOff(socket, travel.wire.end?.how ?? 'fin', travel)
    }
    case 'answer':
      return deliverAnswer(response, socket, planned, travel)
  }
}

/** A pipelined request's answer gets its socket once the one before it is done. */
const assigned = (response: ServerResponse): Promise<Socket> =>
  new Promise((resolve) => response.once('socket', resolve))

async function deliverAnswer(
  response: ServerResponse,
  socket: Socket,
  planned: Planned & { kind: 'answer' },
  { wire, eventDelayMs, ...travel }: Travel,
): Promise<void> {
  let pieces = planned.pieces
  let headers = planned.headers
  if (wire.end?.afterEvents !== undefined)
    pieces = planned.events ? firstPieces(pieces, wire.end.afterEvents) : half(pieces)
  if (wire.encode !== undefined) {
    const encoded = compressors[wire.encode](joined([...pieces]))
    pieces = [encoded]
    headers = [...withLength(headers, encoded.length), 'content-encoding', wire.encode]
  }
  if (wire.end?.afterBytes !== undefined) pieces = firstBytes(pieces, wire.end.afterBytes)
  if (wire.split !== undefined) pieces = split(pieces, wire.split)
  const gapMs = wire.pieceDelayMs ?? (planned.events ? eventDelayMs : 0)
  // What comes before a break must have left, or a reset would take it back.
  const apart = wire.split !== undefined || wire.end !== undefined || gapMs > 0

  response.writeHead(planned.status, [...headers])
  response.flushHeaders()
  let first = true
  for (const piece of pieces) {
    if (!first && !(await pause(gapMs, response))) return
    first = false
    if (!(await put(response, piece, response, apart))) return
  }
  if (wire.end === undefined) response.end()
  else breakOff(socket, wire.end.how, { ...travel, wire, eventDelayMs })
}

/** A whole body is one event: cutting it after some events cuts it in the middle. */
function half(pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
  const whole = joined([...pieces])
  return [whole.subarray(0, Math.floor(whole.length / 2))]
}

/** A stream has no length; an encoded body has another one. */
function withLength(headers: readonly string[], length: number): readonly string[] {
  const index = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-length')
  return index < 0 ? headers : headers.with(index + 1, String(length))
}

/** Writes one piece; waits until it has left when pieces must stay apart, else only while the reader is slow. */
async function put(
  to: ServerResponse | Socket,
  piece: Uint8Array,
  response: ServerResponse,
  apart = true,
): Promise<boolean> {
  if (response.destroyed || response.socket === null || response.socket.destroyed) return false
  const { promise, resolve } = Promise.withResolvers<void>()
  const roomy = to.write(piece, () => resolve())
  if (roomy && !apart) return true
  response.once('close', resolve)
  await promise
  response.off('close', resolve)
  return !response.destroyed
}

/** Waits; false once the other side has gone. */
async function pause(delayMs: number, response: ServerResponse): Promise<boolean> {
  if (delayMs > 0 && !response.destroyed) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, delayMs)
    response.once('close', resolve)
    await promise
    clearTimeout(timer)
    response.off('close', resolve)
  }
  return !response.destroyed && response.socket !== null
}

function breakOff(socket: Socket, how: 'fin' | 'reset' | 'stall', travel: Travel): void {
  if (how === 'stall') return
  travel.breaking()
  if (how === 'reset') {
    socket.resetAndDestroy()
    return
  }
  socket.end()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}
