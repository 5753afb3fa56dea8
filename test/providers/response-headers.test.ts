/** What of an upstream's response headers reaches the client. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inboundHeaders } from '../../src/main/providers/index.ts'

const passes = [
  ['Content-Type', 'text/event-stream'],
  ['content-encoding', 'gzip'],
  ['Retry-After', '12'],
  ['retry-after-ms', '12000'],
  ['X-Should-Retry', 'true'],
  ['request-id', 'req_FAKE'],
  ['x-request-id', 'req_FAKE'],
  ['X-OAI-Request-Id', 'req_FAKE'],
  ['CF-RAY', 'FAKE'],
  ['ETag', '"1"'],
  ['anthropic-ratelimit-unified-5h-utilization', '0.4'],
  ['Anthropic-Organization-Id', 'org-FAKE'],
  ['x-codex-primary-used-percent', '40'],
  ['x-codex-turn-state', 'opaque'],
  ['openai-model', 'gpt-6.2-sol'],
  ['OpenAI-Processing-Ms', '12'],
  ['x-ratelimit-remaining-requests', '9'],
  ['X-Models-Etag', '"2"'],
  ['x-reasoning-included', 'true'],
] as const

/** Harmful to a browser at our origin, about this hop, or nobody's business (T4.7). */
const stays = [
  ['Set-Cookie', '__cf_bm=FAKE'],
  ['set-cookie', 'second=1'],
  ['Clear-Site-Data', '"*"'],
  ['Content-Security-Policy', 'default-src *'],
  ['Content-Security-Policy-Report-Only', 'default-src *'],
  ['Refresh', '0; url=https://evil.test'],
  ['Location', 'https://evil.test'],
  ['Content-Location', '/x'],
  ['Access-Control-Allow-Origin', '*'],
  ['access-control-allow-credentials', 'true'],
  ['Access-Control-Expose-Headers', '*'],
  ['Service-Worker-Allowed', '/'],
  ['Alt-Svc', 'h3=":443"'],
  ['Strict-Transport-Security', 'max-age=63072000'],
  ['Public-Key-Pins', 'x'],
  ['Link', '</x>; rel=preload'],
  ['Report-To', '{}'],
  ['NEL', '{}'],
  ['Connection', 'x-request-id'],
  ['Keep-Alive', 'timeout=5'],
  ['Transfer-Encoding', 'chunked'],
  ['Content-Length', '12'],
  ['Upgrade', 'h2'],
  ['Proxy-Authenticate', 'Basic'],
  ['WWW-Authenticate', 'Bearer'],
  ['Server', 'cloudflare'],
  ['Date', 'Sun, 29 Nov 2026 12:00:00 GMT'],
  ['Via', '1.1 edge'],
  ['X-Powered-By', 'FAKE'],
  ['x-error-json', 'e30='],
  ['x-pointsman-error', 'forged'],
] as const

describe('headers towards the client', () => {
  it('T4.7 an upstream that sends everything shows the client only what it may read, order and spelling kept', () => {
    const mixed = Array.from({ length: Math.max(passes.length, stays.length) }, (_, at) => [
      ...(stays[at] ?? []),
      ...(passes[at] ?? []),
    ])
    expect(inboundHeaders(mixed.flat())).toEqual(passes.flat())
  })

  it('keeps repeated lines of a header that passes', () => {
    const raw = ['Anthropic-Warning', 'one', 'anthropic-warning', 'two']
    expect(inboundHeaders(raw)).toEqual(raw)
  })

  it('T4.7 passes no header it does not know, whatever its spelling', () => {
    const known = /^(?:content-(?:type|encoding|language)|etag|retry-after(?:-ms)?|cf-ray|(?:x-)?request-id)$/i
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,20}$/).filter((text) => {
      return !known.test(text) && !/^(?:anthropic|openai|x)-/i.test(text)
    })
    fc.assert(
      fc.property(fc.array(name), (names) => {
        expect(inboundHeaders(names.flatMap((text) => [text, 'v']))).toEqual([])
      }),
    )
  })
})
