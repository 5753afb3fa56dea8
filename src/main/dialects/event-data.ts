/**
 * Puts the data of server-sent events together, whole events over any cut of the bytes: for a client that gets them as
 * frames. Lines end in LF, CRLF or CR; comments and other fields are left out.
 */

import { joined } from '../domain/bytes.ts'
import { bytesOf } from './json.ts'
import { startsWith } from './sse.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const dataField = bytesOf('data:')
const byteOrderMark = new Uint8Array([0xef, 0xbb, 0xbf])
const nothing = new Uint8Array(0)

export class EventData {
  readonly #onEvent: (data: Uint8Array) => void
  /** The line that has begun. */
  #rest: Uint8Array[] = []
  /** Data lines of the event that has begun. */
  #data: Uint8Array[] = []
  #afterCarriage = false
  #isFirst = true

  constructor(onEvent: (data: Uint8Array) => void) {
    this.#onEvent = onEvent
  }

  push(chunk: Uint8Array): void {
    let start = 0
    if (this.#afterCarriage && chunk.length > 0) {
      this.#afterCarriage = false
      if (chunk[0] === lineFeed) start = 1
    }
    let carriage = chunk.indexOf(carriageReturn, start)
    for (;;) {
      const feed = chunk.indexOf(lineFeed, start)
      const isCarriage = carriage >= 0 && (feed < 0 || carriage < feed)
      const end = isCarriage ? carriage : feed
      if (end < 0) break
      this.#line(chunk.subarray(start, end))
      start = end + 1
      if (!isCarriage) continue
      if (start === chunk.length) this.#afterCarriage = true
      else if (chunk[start] === lineFeed) start += 1
      carriage = chunk.indexOf(carriageReturn, start)
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start))
  }

  /** Nothing follows: hands on an event that no blank line ended. */
  end(): void {
    if (this.#rest.length > 0) this.#line(nothing)
    this.#dispatch()
  }

  #line(last: Uint8Array): void {
    let line = this.#rest.length === 0 ? last : joined([...this.#rest, last])
    this.#rest = []
    if (this.#isFirst && startsWith(line, byteOrderMark)) line = line.subarray(byteOrderMark.length)
    this.#isFirst = false
    if (line.length === 0) this.#dispatch()
    else if (startsWith(line, dataField)) this.#data.push(line.subarray(line[5] === space ? 6 : 5))
  }

  #dispatch(): void {
    const lines = this.#data
    if (lines.length === 0) return
    this.#data = []
    const [only] = lines
    const data = lines.length === 1 ? only : joined(lines.flatMap((line, at) => (at === 0 ? [line] : [newLine, line])))
    if (data !== undefined) this.#onEvent(data)
  }
}

const newLine = new Uint8Array([lineFeed])
