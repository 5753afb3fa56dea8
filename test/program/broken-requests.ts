/** Requests as a client might send them and as none should: well-formed ones of each kind, broken in a few places. */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { completion, message, response } from './asks.ts'
import { oneOf, type Random } from './sequence.ts'

const targets = [
  ['/fuzz-messages/v1/messages', message()],
  ['/fuzz-messages/v1/messages/count_tokens', message()],
  ['/fuzz-openai/v1/responses', response({ model: 'fuzz' })],
  ['/fuzz-openai/v1/chat/completions', completion({ model: 'fuzz', stream: false })],
  ['/v1/models', null],
] as const

/** Lines that tend to change what a request means. */
const lines: readonly string[] = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Content-Length: 0',
  'Content-Length: 99999999',
  'Content-Encoding: gzip',
  'Content-Type: text/plain',
  'Host: evil.test',
  'Origin: https://evil.test',
  'Sec-Fetch-Site: cross-site',
  'Connection: close, authorization',
  'Connection: keep-alive',
  'Expect: 100-continue',
  'Upgrade: websocket',
  'X-Claude-Code-Session-Id: ../../x',
  'Session-Id: \u00ff\u00fe',
  'X-Codex-Turn-Metadata: {"workspaces":{"/a":1},"session_id":[',
  'X-Pointsman-Folder: /tmp',
  'Accept-Encoding: gzip;q=0, *',
  'Cookie: a=b',
  ': nothing',
  'no colon',
  ' folded',
  `X-Long: ${'a'.repeat(17_000)}`,
  Array.from({ length: 300 }, (_, index) => `x-${index}: y`).join('\r\n'),
]

/** What tends to confuse parsers, put between any two bytes. */
const tokens: readonly Buffer[] = [
  ...['\r\n', '\r\n\r\n', '\n', '\0', ' ', '\t', ':', '\u00ff', 'HTTP/1.0', 'HTTP/2.0', '0\r\n\r\n', 'ffffffff\r\n'],
  ...['OPTIONS * HTTP/1.1\r\n', 'http://127.0.0.1/', '../%2e%2e/', '{"model":"fuzz"}', '"__proto__":{}', '\\ud800'],
  ...['['.repeat(200), '"model":1,', '"stream":"x",', '"messages":{},', '"tools":[{}],', '-1e999', '\ufeff'],
].map((text) => Buffer.from(text, 'latin1'))

/** Where the faults of an input lie; what they do follows from chance too. */
type Place = 'bytes' | 'lines' | 'body' | 'noise'
const places: readonly Place[] = ['bytes', 'lines', 'lines', 'body', 'body', 'body', 'noise']

/** The bytes of one input: one or two requests with one to three faults, or noise alone. */
export function brokenRequest(random: Random, port: number, key: string): Buffer {
  const place = oneOf(random, places)
  if (place === 'noise') return noise(random, random(2_000))
  const count = random(8) === 0 ? 2 : 1
  let bytes: Buffer = Buffer.concat(Array.from({ length: count }, () => soundRequest(random, port, key, place)))
  if (place === 'bytes') for (let fault = 1 + random(3); fault > 0; fault -= 1) bytes = broken(random, bytes)
  return bytes
}

function soundRequest(random: Random, port: number, key: string, place: Place): Buffer {
  const [target, ask] = oneOf(random, targets)
  let text: Buffer = Buffer.from(ask === null ? '' : JSON.stringify(ask))
  if (place === 'body') for (let fault = 1 + random(3); fault > 0; fault -= 1) text = broken(random, text)
  const encoding = oneOf(random, ['', '', '', 'gzip', 'zstd'])
  let body: Buffer = encoding === 'gzip' ? gzipSync(text) : encoding === 'zstd' ? zstdCompressSync(text) : text
  if (place === 'body' && encoding !== '' && random(3) === 0) body = broken(random, body)
  const chunked = random(3) === 0
  const credentials = [
    `Authorization: Bearer ${key}`,
    `x-api-key: ${key}`,
    `authorization: bearer ${key}`,
    'X-Api-Key: pk_no',
  ]
  const head = [
    `Host: 127.0.0.1:${port}`,
    oneOf(random, credentials),
    'Content-Type: application/json',
    ...(encoding === '' ? [] : [`Content-Encoding: ${encoding}`]),
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
  ]
  if (place === 'lines') for (let fault = 1 + random(3); fault > 0; fault -= 1) breakLines(random, head)
  const start = `${ask === null ? 'GET' : 'POST'} ${target} HTTP/1.1`
  return Buffer.concat([
    Buffer.from(`${[start, ...head].join('\r\n')}\r\n\r\n`, 'latin1'),
    ...(chunked ? inChunks(random, body) : [body]),
  ])
}

/** One line more, twice, gone, elsewhere or in capitals. */
function breakLines(random: Random, head: string[]): void {
  const at = random(head.length)
  const line = head[at] ?? ''
  switch (random(6)) {
    case 0:
      head.splice(at, 0, line)
      return
    case 1:
      head.splice(at, 1)
      return
    case 2:
      head.push(...head.splice(at, 1))
      return
    case 3:
      head[at] = line.toUpperCase()
      return
    default:
      head.splice(at, 0, oneOf(random, lines))
  }
}

function inChunks(random: Random, body: Buffer): readonly Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + random(body.length))
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
    at += piece.length
  }
  return [...pieces, Buffer.from('0\r\n\r\n')]
}

/** One fault; in a request mostly in its head, where the parser decides. */
export function broken(random: Random, bytes: Buffer): Buffer {
  const end = random(3) === 0 ? bytes.length : Math.max(1, bytes.indexOf('\r\n\r\n'))
  const at = random(end + 1)
  const length = random(1 + random(40))
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (random(7)) {
    case 0: {
      const flipped = Buffer.from(bytes)
      if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << random(8))
      return flipped
    }
    case 1:
      return Buffer.concat([before, after.subarray(length)])
    case 2:
      return Buffer.concat([before, after.subarray(0, length), after])
    case 3:
      return Buffer.concat([before, noise(random, length), after])
    case 4:
      return random(4) === 0 ? before : Buffer.concat([after, before])
    default:
      return Buffer.concat([before, oneOf(random, tokens), after])
  }
}

const noise = (random: Random, length: number): Buffer => Buffer.from(Array.from({ length }, () => random(256)))
