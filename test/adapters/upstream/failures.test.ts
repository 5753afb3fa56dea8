/** Errors of sockets, TLS and the HTTP parser, sorted into the few kinds that routing tells apart (F1 to F5, F19, F47). */
import { describe, expect, test } from 'vitest'
import { transportFailure } from '../../../src/main/adapters/upstream/failures.ts'

const coded = (code: string, name = 'Error'): Error =>
  Object.assign(new Error('words that are never shown'), { code, name })

const rows: readonly (readonly [string, unknown, string])[] = [
  ['F1 a name nobody knows', coded('ENOTFOUND'), 'unreachable'],
  ['F1 a resolver that does not answer', coded('EAI_AGAIN'), 'unreachable'],
  ['F1 no network', coded('ENETUNREACH'), 'unreachable'],
  ['F2 a refused connection', coded('ECONNREFUSED'), 'unreachable'],
  [
    'F2 refused on every address of a name',
    Object.assign(new AggregateError([coded('ECONNREFUSED')]), { code: undefined }),
    'unreachable',
  ],
  ['F3 a connection that hangs', coded('UND_ERR_CONNECT_TIMEOUT'), 'unreachable'],
  ['a connection to ourselves', coded('POINTSMAN_SELF'), 'unreachable'],
  ['F4 a self-signed certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls-untrusted'],
  ['F4 a certificate for another host', coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls-untrusted'],
  ['F4 an expired certificate', coded('CERT_HAS_EXPIRED'), 'tls-untrusted'],
  ['F4 a broken handshake', coded('EPROTO'), 'tls-untrusted'],
  ['F5 a reset', coded('ECONNRESET'), 'lost'],
  ['F5 the other side closed', coded('UND_ERR_SOCKET'), 'lost'],
  ['F5 a broken pipe', coded('EPIPE'), 'lost'],
  ['no head in time', coded('UND_ERR_HEADERS_TIMEOUT'), 'silent'],
  ['F19 a parser error with a code', coded('HPE_INVALID_CONSTANT'), 'malformed'],
  ['F19 a parser error without one', Object.assign(new Error('x'), { name: 'HTTPParserError' }), 'malformed'],
  ['F19 headers beyond the limit', coded('UND_ERR_HEADERS_OVERFLOW'), 'malformed'],
  ['a proxy that refuses a tunnel', new Error('Proxy response (407) !== 200 when HTTP Tunneling'), 'proxy'],
  ['a proxy whose connection breaks before the tunnel stands', coded('UND_ERR_PRX_CONN'), 'proxy'],
  ['F47 no descriptor left for this program', coded('EMFILE'), 'no-room'],
  ['F47 no descriptor left on this machine', coded('ENFILE'), 'no-room'],
  ['F48 no memory left', coded('ENOMEM'), 'no-room'],
  ['nothing known', new Error('x'), 'lost'],
  ['no error at all', undefined, 'lost'],
]

describe('before a head', () => {
  for (const [name, cause, kind] of rows)
    test(`${name} is ${kind}`, () => expect(transportFailure(cause, false).kind).toBe(kind))
  test('the cause inside counts', () =>
    expect(transportFailure(new Error('outer', { cause: coded('ECONNREFUSED') }), false).kind).toBe('unreachable'))
  test('no word of the error itself is passed on', () => {
    for (const [, cause] of rows) expect(JSON.stringify(transportFailure(cause, false))).not.toContain('never shown')
  })
})

test('after a head everything but silence is a cut', () => {
  for (const [, cause] of rows) expect(['cut', 'silent']).toContain(transportFailure(cause, true).kind)
})
