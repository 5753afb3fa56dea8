/** Splits an event stream into the data of its events: any line ending, comments, several `data:` lines, any byte split (bridge §3.1). */

/** One event beyond this is not one. */
const longestEvent = 16 * 1024 * 1024

export class SseText {
  readonly #onData: (data: string) => void
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: false })
  #rest = ''
  #data: string[] = []
  #length = 0
  /** The last character was a CR: a LF that follows belongs to it. */
  #afterCarriage = false

  constructor(onData: (data: string) => void) {
    this.#onData = onData
  }

  push(bytes: Uint8Array): void {
    this.#text(this.#decoder.decode(bytes, { stream: true }))
  }

  /** The stream's end: a last event without its blank line is still one. */
  end(): void {
    this.#text(this.#decoder.decode())
    if (this.#rest !== '') this.#line(this.#rest)
    this.#rest = ''
    this.#flush()
  }

  #text(text: string): void {
    if (text === '') return
    let start = this.#afterCarriage && text.startsWith('\n') ? 1 : 0
    this.#afterCarriage = text.endsWith('\r')
    const hasCarriage = text.includes('\r')
    for (;;) {
      const feed = text.indexOf('\n', start)
      const carriage = hasCarriage ? text.indexOf('\r', start) : -1
      const end = carriage >= 0 && (feed < 0 || carriage < feed) ? carriage : feed
      if (end < 0) break
      this.#line(this.#rest + text.slice(start, end))
      this.#rest = ''
      start = end === carriage && text[end + 1] === '\n' ? end + 2 : end + 1
    }
    this.#rest += start === 0 ? text : text.slice(start)
    if (this.#rest.length > longestEvent) throw new RangeError('an event is too long')
  }

  #line(line: string): void {
    if (line === '') {
      this.#flush()
      return
    }
    if (!line.startsWith('data:')) return
    const data = line.slice(line[5] === ' ' ? 6 : 5)
    this.#length += data.length
    if (this.#length > longestEvent) throw new RangeError('an event is too long')
    this.#data.push(data)
  }

  #flush(): void {
    if (this.#data.length === 0) return
    const data = this.#data.length === 1 ? (this.#data[0] ?? '') : this.#data.join('\n')
    this.#data = []
    this.#length = 0
    // An event without data is none.
    if (data !== '') this.#onData(data)
  }
}

/** One named event, as Messages and Responses have it. */
export const frame = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** One unnamed event, as Chat has it. */
export const chunk = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
