/** Answers that aren't proper HTTP, as raw bytes (faults F19, F20). */

export type MalformedName =
  | 'bad-chunk-size'
  | 'short-content-length'
  | 'long-content-length'
  | 'two-content-lengths'
  | 'garbage-greeting'
  | 'http-0.9'
  | 'informational-storm'
  | 'long-header-line'
  | 'bad-header-line'
  | 'status-799'
  | 'no-content-with-body'
  | 'not-modified-with-body'

const body = '{"type":"message","content":[]}'
const json = 'content-type: application/json\r\n'

const raw: { readonly [Name in MalformedName]: string } = {
  'bad-chunk-size': `HTTP/1.1 200 OK\r\n${json}transfer-encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`,
  'short-content-length': `HTTP/1.1 200 OK\r\n${json}content-length: 5\r\n\r\n${body}`,
  'long-content-length': `HTTP/1.1 200 OK\r\n${json}content-length: 5000\r\n\r\n${body}`,
  'two-content-lengths': `HTTP/1.1 200 OK\r\n${json}content-length: ${body.length}\r\ncontent-length: 7\r\n\r\n${body}`,
  'garbage-greeting': '220 practice.test ESMTP ready\r\n',
  'http-0.9': body,
  'informational-storm': `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(2_000)}HTTP/1.1 200 OK\r\n${json}content-length: ${body.length}\r\n\r\n${body}`,
  'long-header-line': `HTTP/1.1 200 OK\r\n${json}x-long: ${'a'.repeat(40 * 1024)}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  'bad-header-line': `HTTP/1.1 200 OK\r\nnot a header\u0000line\r\n${json}content-length: ${body.length}\r\n\r\n${body}`,
  'status-799': `HTTP/1.1 799 Odd\r\n${json}content-length: ${body.length}\r\n\r\n${body}`,
  'no-content-with-body': `HTTP/1.1 204 No Content\r\n${json}content-length: ${body.length}\r\n\r\n${body}`,
  'not-modified-with-body': `HTTP/1.1 304 Not Modified\r\n${json}content-length: ${body.length}\r\n\r\n${body}`,
}

export const malformedNames = Object.keys(raw) as readonly MalformedName[]

export const malformed = (name: MalformedName): string => raw[name]
