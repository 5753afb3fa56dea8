/** Forty ways to hide a request behind another: none reaches an upstream (T7.1). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completion } from './asks.ts'
import { rawSend, requestText, statuses } from './raw-socket.ts'
import { type Rig, startRig } from './start-core.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig({ sources: ['ollama'] })
})
afterAll(() => rig.close())

const small = JSON.stringify(completion({ model: 'gpt-oss:20b', stream: false }))
type Change = Partial<Parameters<typeof requestText>[0]>
const ask = (change: Change = {}): string =>
  requestText({
    port: rig.core.port,
    key: rig.key,
    body: small,
    ...change,
    headers: { connection: 'close', ...change.headers },
  })
const upstreamSaw = (): number => rig.practice.seen().length

describe('T7.1 request smuggling', () => {
  const hidden = (): string =>
    requestText({ port: rig.core.port, key: rig.key, body: small.replace('hello', 'SMUGGLED') })
  const chunkedBody = (): string => `${small.length.toString(16)}\r\n${small}\r\n0\r\n\r\n`
  const vectors = (): readonly (readonly [string, string])[] => {
    const length = String(small.length)
    const te = (value: string, more: Change = {}): string =>
      ask({ headers: { 'content-length': null }, lines: [`Transfer-Encoding: ${value}`], body: '', ...more }) +
      chunkedBody() +
      hidden()
    const both = (lines: readonly string[]): string =>
      ask({ headers: { 'content-length': null }, lines, body: '' }) + chunkedBody() + hidden()
    const head = (raw: string): string => raw + hidden()
    const first = `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${rig.core.port}\r\nauthorization: Bearer ${rig.key}\r\ncontent-type: application/json\r\n`
    return [
      ['CL and TE', both([`Content-Length: ${length}`, 'Transfer-Encoding: chunked'])],
      ['TE and CL', both(['Transfer-Encoding: chunked', `Content-Length: ${length}`])],
      ['CL 0 and TE', both(['Content-Length: 0', 'Transfer-Encoding: chunked'])],
      ['two CL, different', both([`Content-Length: ${length}`, 'Content-Length: 0'])],
      ['two CL, same', both([`Content-Length: ${length}`, `Content-Length: ${length}`])],
      ['CL list', both([`Content-Length: ${length}, ${length}`])],
      ['CL with plus', both([`Content-Length: +${length}`])],
      ['CL negative', both(['Content-Length: -1'])],
      ['CL hex', both([`Content-Length: 0x${small.length.toString(16)}`])],
      ['CL with space inside', both([`Content-Length: 1 ${length}`])],
      ['CL huge', both(['Content-Length: 99999999999999999999999'])],
      ['CL empty', both(['Content-Length: '])],
      ['TE gzip, chunked', te('gzip, chunked')],
      ['TE chunked, identity', te('chunked, identity')],
      ['TE identity', te('identity')],
      ['TE xchunked', te('xchunked')],
      ['TE chunked twice in one line', te('chunked, chunked')],
      ['TE with a quoted value', te('"chunked"')],
      ['TE with a tab', te('\tchunked')],
      ['TE with a trailing comma', te('chunked,')],
      ['TE with a vertical tab', te('\u000bchunked')],
      ['TE with NUL', te('chunked\u0000')],
      ['TE obs-fold', both(['Transfer-Encoding:', ' chunked'])],
      ['TE lines twice', both(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'])],
      ['TE lines, second odd', both(['Transfer-Encoding: chunked', 'Transfer-Encoding: x'])],
      ['space before the colon', both(['Transfer-Encoding : chunked'])],
      ['bare LF line ends', head(`${first.replaceAll('\r\n', '\n')}content-length: ${length}\n\n${small}`)],
      [
        'bare CR in a header',
        head(`${first}x: a\rTransfer-Encoding: chunked\r\ncontent-length: ${length}\r\n\r\n${small}`),
      ],
      ['header without a colon', head(`${first}nocolon\r\ncontent-length: ${length}\r\n\r\n${small}`)],
      [
        'header beginning with a space',
        head(
          `POST /v1/chat/completions HTTP/1.1\r\n host: x\r\n${first.slice(first.indexOf('host'))}content-length: ${length}\r\n\r\n${small}`,
        ),
      ],
      ['NUL in a header name', head(`${first}x\u0000y: z\r\ncontent-length: ${length}\r\n\r\n${small}`)],
      [
        'chunk size with a sign',
        head(`${first}transfer-encoding: chunked\r\n\r\n+${small.length.toString(16)}\r\n${small}\r\n0\r\n\r\n`),
      ],
      [
        'chunk size as 0x',
        head(`${first}transfer-encoding: chunked\r\n\r\n0x${small.length.toString(16)}\r\n${small}\r\n0\r\n\r\n`),
      ],
      ['chunk size negative', head(`${first}transfer-encoding: chunked\r\n\r\n-1\r\n${small}\r\n0\r\n\r\n`)],
      [
        'chunk size overflowing',
        head(`${first}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n${small}\r\n0\r\n\r\n`),
      ],
      ['chunk data longer than its size', head(`${first}transfer-encoding: chunked\r\n\r\n5\r\n${small}\r\n0\r\n\r\n`)],
      [
        'chunk without CRLF',
        head(`${first}transfer-encoding: chunked\r\n\r\n${small.length.toString(16)}\n${small}\n0\n\n`),
      ],
      [
        'chunk extension with a bare LF',
        head(`${first}transfer-encoding: chunked\r\n\r\n${small.length.toString(16)};a=b\nc\r\n${small}\r\n0\r\n\r\n`),
      ],
      [
        'HTTP/1.0 with chunked',
        head(`${first.replace('HTTP/1.1', 'HTTP/1.0')}transfer-encoding: chunked\r\n\r\n${chunkedBody()}`),
      ],
      ['HTTP/0.9 in front', head('GET /v1/models\r\n')],
      ['HTTP/2 preface', head('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
      ['HTTP/1.2', head(first.replace('HTTP/1.1', 'HTTP/1.2'))],
    ]
  }

  test('the clean form of the same bytes is two valid requests: both are served', async () => {
    const before = upstreamSaw()
    const two = requestText({ port: rig.core.port, key: rig.key, body: small }) + ask()
    const { text } = await rawSend(rig.core.port, [two])
    expect([statuses(text), upstreamSaw() - before]).toEqual([[200, 200], 2])
  })

  test('no vector makes the upstream see the request hidden behind it', async () => {
    const all = vectors()
    expect(all.length).toBeGreaterThanOrEqual(40)
    const plainFraming = ['TE with a tab', 'CL empty']
    const outcomes: (readonly [string, number])[] = []
    for (const [index, [name, bytes]] of all.entries()) {
      const marked = bytes
        .replaceAll('SMUGGLED', `SMUGGLE${String.fromCharCode(65 + index)}`)
        .replaceAll('hello', `FI${String.fromCharCode(65 + index)}ST`)
      const { text } = await rawSend(rig.core.port, [marked], /HTTP\/1\.1 \d{3} [\s\S]*\r\n\r\n/)
      outcomes.push([name, statuses(text)[0] ?? 0])
    }
    // Whatever was let through has arrived before this one has been answered.
    expect(statuses((await rawSend(rig.core.port, [ask()])).text)).toEqual([200])
    const seen = rig.practice.seen().map(({ body }) => Buffer.from(body ?? []).toString('latin1'))
    for (const [index, [name, status]] of outcomes.entries()) {
      const mark = String.fromCharCode(65 + index)
      const first = seen.filter((body) => body.includes(`FI${mark}ST`)).length
      const hiddenSeen = seen.filter((body) => body.includes(`SMUGGLE${mark}`)).length
      // Refused whole; or framed so plainly that the second request is one of its own.
      if (plainFraming.includes(name)) expect([name, first <= 1, hiddenSeen <= 1]).toEqual([name, true, true])
      else expect([name, status === 0 || status >= 400, first, hiddenSeen]).toEqual([name, true, 0, 0])
    }
  })
})
