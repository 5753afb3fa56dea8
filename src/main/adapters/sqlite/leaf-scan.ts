/**
 * Reads rows straight from the leaf pages of a damaged SQLite file, without its schema or its inner pages: what is left
 * when those are gone. Follows the published file format (sqlite.org/fileformat2.html); never writes.
 */
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'

export interface LeafRow {
  readonly rowid: number
  /** As stored: a column that is the rowid's alias is null here. */
  readonly values: readonly (string | number | bigint | Buffer | null)[]
}

/** Our files are made with SQLite's default; a header that is gone can't say otherwise. */
const pageSize = 4096
const tableLeaf = 0x0d
/** The largest part of a row that stays on its leaf, and the smallest when it overflows. */
const mostLocal = pageSize - 35
const leastLocal = Math.floor(((pageSize - 12) * 32) / 255) - 23

/** Every row of every table leaf, the last pages (mostly the newest rows) first. */
export function* leafRows(path: string): Generator<LeafRow> {
  const descriptor = openSync(path, 'r')
  try {
    const newer = loggedPages(`${path}-wal`)
    const pages = Math.ceil(fstatSync(descriptor).size / pageSize)
    const readPage = (number: number): Buffer => {
      const logged = newer.get(number)
      if (logged !== undefined) return logged
      const page = Buffer.alloc(pageSize)
      readSync(descriptor, page, 0, pageSize, (number - 1) * pageSize)
      return page
    }
    for (let number = Math.max(pages, ...newer.keys()); number >= 1; number -= 1) {
      yield* rowsOf(readPage(number), number === 1 ? 100 : 0, readPage)
    }
  } finally {
    closeSync(descriptor)
  }
}

function* rowsOf(page: Buffer, start: number, readPage: (number: number) => Buffer): Generator<LeafRow> {
  if (page[start] !== tableLeaf) return
  const cells = page.readUInt16BE(start + 3)
  if (cells > (pageSize - start - 8) / 6) return
  for (let cell = 0; cell < cells; cell += 1) {
    const at = page.readUInt16BE(start + 8 + 2 * cell)
    const row = at < start + 8 + 2 * cells ? null : soundRow(page, at, readPage)
    if (row !== null) yield row
  }
}

/** The row at this place, or null when what stands there can't be one. */
function soundRow(page: Buffer, at: number, readPage: (number: number) => Buffer): LeafRow | null {
  try {
    const [length, afterLength] = varint(page, at)
    const [rowid, begin] = varint(page, afterLength)
    const payload = wholePayload(page, begin, Number(length), readPage)
    return { rowid: Number(rowid), values: recordValues(payload) }
  } catch (cause) {
    // Reading beyond a buffer, or text that isn't UTF-8: a damaged cell.
    if (cause instanceof RangeError || cause instanceof TypeError) return null
    throw cause
  }
}

/** The bytes of a row, gathered from its overflow pages when it didn't fit on the leaf. */
function wholePayload(page: Buffer, begin: number, length: number, readPage: (number: number) => Buffer): Buffer {
  if (length <= mostLocal) return slice(page, begin, length)
  if (length > 256 * 1024 * 1024) throw new RangeError('no row is so long')
  const spill = leastLocal + ((length - leastLocal) % (pageSize - 4))
  const local = spill <= mostLocal ? spill : leastLocal
  const pieces = [slice(page, begin, local)]
  let missing = length - local
  let next = page.readUInt32BE(begin + local)
  while (missing > 0) {
    if (next === 0) throw new RangeError('the row ends early')
    const more = readPage(next)
    const taken = Math.min(missing, pageSize - 4)
    pieces.push(slice(more, 4, taken))
    missing -= taken
    next = more.readUInt32BE(0)
  }
  return Buffer.concat(pieces)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function recordValues(payload: Buffer): LeafRow['values'] {
  const [headerLength, firstType] = varint(payload, 0)
  const values: LeafRow['values'][number][] = []
  let type = firstType
  let at = Number(headerLength)
  while (type < headerLength) {
    const [serial, next] = varint(payload, type)
    const [value, after] = recordValue(payload, at, Number(serial))
    values.push(value)
    type = next
    at = after
  }
  if (at !== payload.length) throw new RangeError('lengths do not add up')
  return values
}

function recordValue(payload: Buffer, at: number, serial: number): readonly [LeafRow['values'][number], number] {
  if (serial === 0) return [null, at]
  if (serial <= 4) return [payload.readIntBE(at, serial), at + serial]
  if (serial === 5) return [payload.readIntBE(at, 6), at + 6]
  if (serial === 6) return [payload.readBigInt64BE(at), at + 8]
  if (serial === 7) return [payload.readDoubleBE(at), at + 8]
  if (serial === 8 || serial === 9) return [serial - 8, at]
  if (serial < 12) throw new RangeError('reserved type')
  const length = Math.floor((serial - 12) / 2)
  const bytes = slice(payload, at, length)
  return [serial % 2 === 0 ? bytes : utf8.decode(bytes), at + length]
}

function slice(bytes: Buffer, begin: number, length: number): Buffer {
  if (begin + length > bytes.length) throw new RangeError('beyond the end')
  return bytes.subarray(begin, begin + length)
}

/** A big-endian number of one to nine bytes; ours stay below 2^53. */
function varint(bytes: Buffer, at: number): readonly [value: number, after: number] {
  let value = 0
  for (let n = 0; n < 8; n += 1) {
    const byte = bytes.readUInt8(at + n)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return [value, at + n + 1]
  }
  throw new RangeError('larger than any number of ours')
}

/** The newest committed copy of each page in the write-ahead log. */
function loggedPages(path: string): ReadonlyMap<number, Buffer> {
  const pages = new Map<number, Buffer>()
  const log = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  const frameLength = 24 + pageSize
  let uncommitted: (readonly [number, Buffer])[] = []
  for (let at = 32; at + frameLength <= log.length; at += frameLength) {
    const isOfThisLog = log.compare(log, 16, 24, at + 8, at + 16) === 0
    if (!isOfThisLog) break
    uncommitted.push([log.readUInt32BE(at), log.subarray(at + 24, at + frameLength)])
    if (log.readUInt32BE(at + 4) === 0) continue
    for (const [number, page] of uncommitted) pages.set(number, page)
    uncommitted = []
  }
  return pages
}
