/** Reads what came back on one connection as HTTP/1.1 answers, with no help from a library. */

/** The statuses in their order, or null when the bytes are anything but answers; the last one may be cut. */
export function readAnswers(text: string): readonly number[] | null {
  const statuses: number[] = []
  for (let at = 0; at < text.length; ) {
    const head = /^HTTP\/1\.1 (\d{3})(?: [^\r\n]*)?\r\n((?:[\w-]+:[^\r\n]*\r\n)*)\r\n/.exec(text.slice(at))
    // A head that is cut can only be the last thing.
    if (head === null)
      return /^HTTP\/1\.1 \d{3} /.test(text.slice(at)) && !text.slice(at).includes('\r\n\r\n') ? statuses : null
    const status = Number(head[1])
    statuses.push(status)
    const end = bodyEnd(text, at + head[0].length, status, head[2] ?? '')
    if (end === null) return null
    at = end
  }
  return statuses
}

/** Where the body ends; the text's end when it is cut; null when its framing is wrong. */
function bodyEnd(text: string, start: number, status: number, headers: string): number | null {
  if (status < 200 || status === 204 || status === 304) return start
  const length = /^content-length: *(\d+)\r$/im.exec(headers)?.[1]
  if (length !== undefined) return Math.min(text.length, start + Number(length))
  if (!/^transfer-encoding: *chunked\r$/im.test(headers)) return text.length
  let at = start
  while (at < text.length) {
    const line = /^([0-9a-f]+)\r\n/i.exec(text.slice(at, at + 20))
    if (line === null) return /^[0-9a-f]*\r?$/i.test(text.slice(at)) ? text.length : null
    const size = Number.parseInt(line[1] ?? '', 16)
    at += line[0].length + size + 2
    if (size === 0) return Math.min(at, text.length)
  }
  return text.length
}
