/** What becomes of a call whose connection failed before anything was passed on. */
import { describe, expect, it } from 'vitest'
import { failureOf, type TransportContext } from '../../src/main/domain/transport.ts'

const once: TransportContext = { operation: 'generate', retryAmbiguous: true, alreadyAmbiguous: false }
const plain = { waitMs: 0, counts: true, effect: null, marks: [] }

describe('a failure of the connection', () => {
  it.each([
    [
      'rests a host that can not be reached',
      { kind: 'unreachable', why: 'connection refused' },
      {
        ...plain,
        ...{ move: 'next', because: 'unreachable', ambiguous: false, code: 'upstream_unreachable' },
        effect: { kind: 'host-rests', sentence: 'The host could not be reached: connection refused.' },
        sentence: 'The host could not be reached: connection refused.',
      },
    ],
    [
      'rests a host whose certificate is not trusted',
      { kind: 'tls-untrusted', why: 'it has expired' },
      {
        ...plain,
        ...{ move: 'next', because: 'tls-untrusted', ambiguous: false, code: 'tls_untrusted' },
        effect: { kind: 'host-rests', sentence: 'The certificate of the host is not trusted: it has expired.' },
        sentence: 'The certificate of the host is not trusted: it has expired.',
      },
    ],
    [
      'F19 counts malformed HTTP as a failure of the source',
      { kind: 'malformed', why: 'bad chunk size' },
      {
        ...plain,
        ...{ move: 'next', because: 'malformed', ambiguous: false, code: 'upstream_malformed' },
        effect: { kind: 'source-failed', sentence: 'The host sent an answer that is not valid HTTP.' },
        sentence: 'The host sent an answer that is not valid HTTP.',
      },
    ],
    [
      'returns a proxy that can not be used: another account would hide it',
      { kind: 'proxy', why: 'its port is not a number' },
      {
        ...plain,
        ...{ move: 'return', because: 'proxy', ambiguous: false, code: 'upstream_unreachable' },
        sentence: 'The proxy can not be used: its port is not a number.',
      },
    ],
    [
      'F47 blames nobody and asks nobody else when this machine has no room for a connection',
      { kind: 'no-room', why: 'this program has too many files open' },
      {
        ...plain,
        ...{ move: 'return', because: 'no-room', ambiguous: false, code: 'local_busy' },
        sentence: 'No connection could be opened: this program has too many files open.',
      },
    ],
    [
      'F5 tries the next once after a lost connection and rests nobody',
      { kind: 'lost' },
      {
        ...plain,
        ...{ move: 'next', because: 'lost', ambiguous: true, code: null },
        sentence: 'The connection was lost after the request was sent.',
      },
    ],
    [
      'treats a long silence as lost',
      { kind: 'silent' },
      {
        ...plain,
        ...{ move: 'next', because: 'silent', ambiguous: true, code: 'upstream_silent' },
        sentence: 'The host did not begin to answer in time.',
      },
    ],
    [
      'treats an answer cut before its content as lost',
      { kind: 'cut' },
      {
        ...plain,
        ...{ move: 'next', because: 'cut', ambiguous: true, code: null },
        sentence: 'The answer was cut off before it began.',
      },
    ],
  ] as const)('%s', (_name, failure, expected) => {
    expect(failureOf(failure, once)).toEqual(expected)
  })

  it.each([
    ['the setting is off', { retryAmbiguous: false }],
    ['it was retried already', { alreadyAmbiguous: true }],
    ['it is a compaction', { operation: 'compact' }],
  ] as const)('never repeats an ambiguous request when %s', (_name, change) => {
    for (const kind of ['lost', 'silent', 'cut'] as const) {
      expect(failureOf({ kind }, { ...once, ...change })).toMatchObject({ move: 'return', ambiguous: true })
    }
  })
})
