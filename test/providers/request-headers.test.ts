/** What of a client's headers reaches which upstream, and that the credential is always and only ours. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Credential, OAuthCredential } from '../../src/main/domain/credential.ts'
import type { Dialect, Source } from '../../src/main/domain/source.ts'
import { outboundHeaders, providerOf } from '../../src/main/providers/index.ts'
import { inbound, inboundFlat, type Reach, reaching } from './inbound-headers.ts'
import { account, localProvider, profile } from './sources.ts'

const token: OAuthCredential = {
  kind: 'oauth',
  accessToken: 'at-OURS',
  refreshToken: 'rt-OURS',
  expiresAtMs: null,
  accountId: 'ws-OURS',
  fedramp: false,
  renewedAtMs: 0,
  refreshStarted: null,
}
const key: Credential = { kind: 'api-key', key: 'sk-OURS' }
const identity = ['accept-encoding', 'identity']
const bearer = ['authorization', 'Bearer sk-OURS']

const send = (
  source: Source,
  dialect: Dialect,
  credential: Credential | null,
  raw: readonly string[],
  rebuilt = false,
) => outboundHeaders(raw, providerOf(source).headers(source, dialect), credential, rebuilt)

const official = profile('openai-compatible', 'https://api.openai.com/v1')
const foreign = profile('openai-compatible', 'https://relay.test/v1')
const anthropicKey = profile('anthropic-compatible', 'https://api.anthropic.com')

interface Golden {
  readonly name: string
  readonly source: Source
  readonly dialect: Dialect
  readonly credential: Credential | null
  readonly passes: readonly Reach[]
  readonly added: readonly string[]
}

const golden: readonly Golden[] = [
  {
    name: 'a Claude account',
    ...{ source: account('claude'), dialect: 'messages', credential: token, passes: ['all', 'messages'] },
    added: ['anthropic-beta', 'oauth-2025-04-20', ...identity, 'authorization', 'Bearer at-OURS'],
  },
  {
    name: 'a Codex account',
    ...{ source: account('codex'), dialect: 'responses', credential: token, passes: ['all', 'openai'] },
    added: [...identity, 'authorization', 'Bearer at-OURS', 'chatgpt-account-id', 'ws-OURS'],
  },
  {
    name: 'a Codex account under FedRAMP',
    ...{
      source: account('codex'),
      dialect: 'responses',
      credential: { ...token, fedramp: true },
      passes: ['all', 'openai'],
    },
    added: [
      ...[...identity, 'authorization', 'Bearer at-OURS', 'chatgpt-account-id', 'ws-OURS'],
      ...['x-openai-fedramp', 'true'],
    ],
  },
  {
    name: 'an Anthropic key',
    ...{ source: anthropicKey, dialect: 'messages', credential: key, passes: ['all', 'messages'] },
    added: [...identity, 'x-api-key', 'sk-OURS'],
  },
  {
    name: 'an OpenAI key at OpenAI',
    ...{ source: official, dialect: 'responses', credential: key, passes: ['all', 'openai', 'key'] },
    added: [...identity, ...bearer],
  },
  {
    name: 'a key elsewhere in the OpenAI style',
    ...{ source: foreign, dialect: 'chat', credential: key, passes: ['all'] },
    added: [...identity, ...bearer],
  },
  {
    name: 'a key elsewhere in the Messages dialect',
    ...{ source: foreign, dialect: 'messages', credential: key, passes: ['all', 'messages'] },
    added: [...identity, ...bearer],
  },
  {
    name: 'Ollama, which has no key',
    ...{ source: localProvider(), dialect: 'responses', credential: null, passes: ['all'] },
    added: identity,
  },
]

describe('headers towards an upstream', () => {
  it('knows at least sixty inbound headers', () => {
    expect(inbound.length).toBeGreaterThanOrEqual(60)
  })

  it.each(golden)('T7.3 $name gets exactly this set, order and spelling kept', (row) => {
    expect(send(row.source, row.dialect, row.credential, inboundFlat)).toEqual([
      ...reaching(...row.passes),
      ...row.added,
    ])
  })

  it('T7.3 a connection line can not take away the injected credential', () => {
    const raw = ['Connection', 'x-api-key, authorization, accept-encoding', 'x-api-key', 'pk_client']
    expect(send(anthropicKey, 'messages', key, raw)).toEqual([
      ...['anthropic-version', '2023-06-01', ...identity],
      ...['x-api-key', 'sk-OURS'],
    ])
  })

  it('T7.4 no client credential survives in any spelling or number', () => {
    const names = ['authorization', 'x-api-key', 'api-key', 'cookie', 'proxy-authorization', 'chatgpt-account-id']
    const spelled = fc
      .constantFrom(...names)
      .chain((name) =>
        fc
          .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
          .map((upper) => [...name].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join('')),
      )
    fc.assert(
      fc.property(fc.array(spelled, { maxLength: 6 }), fc.constantFrom(...golden), (spellings, row) => {
        const raw = spellings.flatMap((name) => [name, 'CANARY'])
        expect(send(row.source, row.dialect, row.credential, raw).join(' ')).not.toContain('CANARY')
      }),
    )
  })

  it('keeps order and spelling of everything that passes, for any client', () => {
    const name = fc.stringMatching(/^[Xx]-[A-Za-z]{1,12}$/).filter((text) => !/^x-(?:api-key|real-ip)$/i.test(text))
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: 30 }), (pairs) => {
        expect(send(localProvider(), 'chat', null, pairs.flat())).toEqual([...pairs.flat(), ...identity])
      }),
    )
  })

  it('drops what describes the bytes once the body was rebuilt', () => {
    const raw = ['Content-Type', 'application/json', 'Content-Encoding', 'zstd', 'Content-MD5', 'x', 'Digest', 'y']
    expect(send(localProvider(), 'chat', null, raw, true)).toEqual(['Content-Type', 'application/json', ...identity])
  })
})

describe('the list of betas', () => {
  const betaOf = (source: Source, credential: Credential, ...lines: readonly string[]) => {
    const sent = send(
      source,
      'messages',
      credential,
      lines.flatMap((line) => ['Anthropic-Beta', line]),
    )
    return sent.flatMap((text, at) => (text.toLowerCase() === 'anthropic-beta' ? [sent[at + 1]] : []))
  }

  it.each([
    [[], ['oauth-2025-04-20']],
    [['a,b'], ['a,b,oauth-2025-04-20']],
    [['a, b '], ['a, b ,oauth-2025-04-20']],
    [['a,oauth-2025-04-20,b'], ['a,oauth-2025-04-20,b']],
    [
      ['a', 'b'],
      ['a', 'b,oauth-2025-04-20'],
    ],
    [
      ['oauth-2025-04-20', 'b'],
      ['oauth-2025-04-20', 'b'],
    ],
    [['not-oauth-2025-04-20x'], ['not-oauth-2025-04-20x,oauth-2025-04-20']],
  ])('for an account %j becomes %j', (lines, expected) => {
    expect(betaOf(account('claude'), token, ...lines)).toEqual(expected)
  })

  it.each([
    [[], []],
    [['a,b'], ['a,b']],
    [['a,oauth-2025-04-20,b'], ['a,b']],
    [['a, oauth-2025-04-20'], ['a']],
    [['oauth-2025-04-20'], []],
    [['oauth-2025-04-20', 'b'], ['b']],
    [['xoauth-2025-04-20'], ['xoauth-2025-04-20']],
  ])('for a key %j becomes %j, whichever kind of host takes it', (lines, expected) => {
    for (const source of [anthropicKey, foreign, localProvider()])
      expect(betaOf(source, key, ...lines)).toEqual(expected)
  })
})

describe('which hosts are OpenAI’s', () => {
  const metadata = ['x-codex-turn-metadata', 'private']

  it.each([
    ['https://api.openai.com/v1', true],
    ['https://eu.api.openai.com', true],
    ['https://API.OpenAI.com:443/v1', true],
    ['http://api.openai.com/v1', false],
    ['https://api.openai.com.relay.test/v1', false],
    ['https://notopenai.com/v1', false],
    ['https://api.openai.com@relay.test/v1', false],
    ['https://relay.test/api.openai.com/v1', false],
    ['https://api.openai.com:8443/v1', false],
  ])('turn metadata goes to %s: %s', (baseUrl, goes) => {
    const sent = send(profile('openai-compatible', baseUrl), 'responses', null, metadata)
    expect(sent).toEqual([...(goes ? metadata : []), ...identity])
  })
})
