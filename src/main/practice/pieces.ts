/** Cuts a sequence of byte pieces: by events, by bytes, at offsets. Lazy, so that a huge answer needs no memory. */
import { joined } from '../domain/bytes.ts'
import type { Bytes, Wire } from './behaviour.ts'

const encoder = new TextEncoder()

export const toBytes = (bytes: Bytes): Uint8Array => (typeof bytes === 'string' ? encoder.encode(bytes) : bytes)

export function* firstPieces(pieces: Iterable<Uint8Array>, count: number): Generator<Uint8Array> {
  if (count <= 0) return
  let seen = 0
  for (const piece of pieces) {
    yield piece
    seen += 1
    if (seen === count) return
  }
}

export function* firstBytes(pieces: Iterable<Uint8Array>, count: number): Generator<Uint8Array> {
  let left = count
  for (const piece of pieces) {
    if (left <= 0) return
    yield piece.length <= left ? piece : piece.subarray(0, left)
    left -= piece.length
  }
}

/** Pieces that begin and end at the asked offsets, whatever the pieces were before. */
export function split(pieces: Iterable<Uint8Array>, how: NonNullable<Wire['split']>): Iterable<Uint8Array> {
  return 'every' in how ? splitEvery(pieces, Math.max(1, how.every)) : splitAt(pieces, how.at)
}

/** Joins across old borders, so that each piece but the last has exactly `size` bytes. */
function* splitEvery(pieces: Iterable<Uint8Array>, size: number): Generator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0)
  for (const piece of pieces) {
    let rest = held.length === 0 ? piece : joined([held, piece])
    while (rest.length >= size) {
      yield rest.subarray(0, size)
      rest = rest.subarray(size)
    }
    held = rest
  }
  if (held.length > 0) yield held
}

function* splitAt(pieces: Iterable<Uint8Array>, at: readonly number[]): Generator<Uint8Array> {
  const whole = joined([...pieces])
  let from = 0
  for (const offset of [...at].sort((a, b) => a - b)) {
    if (offset <= from || offset >= whole.length) continue
    yield whole.subarray(from, offset)
    from = offset
  }
  yield whole.subarray(from)
}
