/**
 * Splits a server-sent event stream into the bytes of its `data:` lines, as they pass, without decoding. An event
 * that lies within one chunk is handed on as a view; one that crosses chunks is joined, up to a bound. Lines end in
 * LF, CRLF or CR; a byte order mark and comments are skipped. It only observes: the stream itself goes on untouched.
 */
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const longestLine = 8 * 1024 * 1024

export class SseLines {
  readonly #onData: (data: Uint8Array) => void
  #rest: Uint8Array[] = []
  #restLength = 0
  #overlong = false
  #started = false

  /** `onData` gets the bytes behind `data:` (one leading space removed) of each line; valid during the call only. */
  constructor(onData: (data: Uint8Array) => void) {
    this.#onData = onData
  }

  push(chunk: Uint8Array): void {
    let start = 0
    if (!this.#started && chunk.length > 0) {
      this.#started = true
      if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) start = 3
    }
    let carriage = chunk.indexOf(carriageReturn, start)
    for (;;) {
      const feed = chunk.indexOf(lineFeed, start)
      const useCarriage = carriage >= 0 && (feed < 0 || carriage < feed)
      const end = useCarriage ? carriage : feed
      if (end < 0) break
      this.#line(chunk, start, end)
      start = end + 1
      if (useCarriage) carriage = chunk.indexOf(carriageReturn, start)
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
  }

  #keep(part: Uint8Array): void {
    if (this.#overlong) return
    this.#restLength += part.length
    if (this.#restLength > longestLine) {
      this.#overlong = true
      this.#rest = []
      return
    }
    this.#rest.push(part.slice())
  }

  #line(chunk: Uint8Array, start: number, end: number): void {
    if (this.#restLength === 0) {
      // `data:` compared byte by byte: this runs once per line of every stream.
      if (
        end - start > 5 &&
        chunk[start] === 0x64 &&
        chunk[start + 1] === 0x61 &&
        chunk[start + 2] === 0x74 &&
        chunk[start + 3] === 0x61 &&
        chunk[start + 4] === 0x3a
      ) {
        this.#onData(chunk.subarray(chunk[start + 5] === space ? start + 6 : start + 5, end))
      }
      return
    }
    const overlong = this.#overlong
    const parts = this.#rest
    const length = this.#restLength + (end - start)
    this.#rest = []
    this.#restLength = 0
    this.#overlong = false
    if (overlong) return
    const line = new Uint8Array(length)
    let at = 0
    for (const part of parts) {
      line.set(part, at)
      at += part.length
    }
    line.set(chunk.subarray(start, end), at)
    this.#line(line, 0, length)
  }
}

/** True when `bytes` begin with `prefix` at `from`. */
export function startsWith(bytes: Uint8Array, prefix: Uint8Array, from = 0): boolean {
  if (bytes.length < from + prefix.length) return false
  for (let i = 0; i < prefix.length; i += 1) if (bytes[from + i] !== prefix[i]) return false
  return true
}
