/** What goes upstream is what the client sent: the few edits of routing §2, and no others (T7.3, T7.4). */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { Received } from '../../src/main/practice/practice.ts'
import { backendId } from '../../src/shared/ids.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { type Rig, startRig } from './start-core.ts'

const open: Rig[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()))
})
async function start(...sources: string[]): Promise<Rig> {
  const rig = await startRig({ sources })
  open.push(rig)
  return rig
}

const sent = (rig: Rig): Received => {
  const last = rig.practice.seen({ operation: 'generate' }).at(-1)
  if (last === undefined) throw new Error('nothing arrived')
  return last
}
const textOf = ({ body }: Received): string => Buffer.from(body ?? []).toString('utf8')
const header = ({ rawHeaders }: Received, name: string): string | undefined => {
  const at = rawHeaders.findIndex((other, index) => index % 2 === 0 && other.toLowerCase() === name)
  return at < 0 ? undefined : rawHeaders[at + 1]
}

const odd =
  '{ "model" : "claude-opus-4-8" ,\n\t"max_tokens":64,"metadata":{"user_id":"user_x"},"messages":[{"role":"user","content":"h\\u00e9\\ud83d\\ude00 \\/ model"}],"tools":[{"model":"inner","name":"x"}],"temperature":1.0e0 }\n'

test('a body that needs no edit goes byte for byte', async () => {
  const rig = await start('claude-work')
  await rig.call('/claude/v1/messages', odd, claudeCode())
  expect(textOf(sent(rig))).toBe(odd)
})

describe('an alias', () => {
  const models = [{ id: 'my-opus', upstreamModel: 'claude-opus-4-8', aliases: ['best'], free: false }]
  for (const [asked, upstream] of [
    ['my-opus', 'claude-opus-4-8'],
    ['best', 'claude-opus-4-8'],
    ['my-opus[1m]', 'claude-opus-4-8[1m]'],
    ['best-high', 'claude-opus-4-8-high'],
  ]) {
    test(`edits only the bytes of the model’s name (${asked})`, async () => {
      const rig = await start()
      await rig.add('anthropic-key', { models })
      const body = odd.replace('"claude-opus-4-8"', JSON.stringify(asked))
      await rig.call('/claude/v1/messages', body, claudeCode())
      // The value's span ends at its comma: white space before it belongs to it.
      expect(textOf(sent(rig)).replace(/"model"\s*:\s*"/, '"model":"')).toBe(
        odd.replace(/"model" : "claude-opus-4-8" ,/, `"model":${JSON.stringify(upstream)},`),
      )
    })
  }

  test.each([
    [
      'another model that a rule gives',
      'claude-opus-4-8',
      'claude-haiku-4-5',
      'claude-sonnet-5[1m]',
      'claude-haiku-4-5',
    ],
    ['the model itself, by a rule', 'claude-opus-4-8', 'claude-sonnet-5', 'claude-sonnet-5[1m]', 'claude-sonnet-5[1m]'],
    ['an effort stays', 'claude-opus-4-8', 'claude-haiku-4-5', 'claude-sonnet-5-high[1m]', 'claude-haiku-4-5-high'],
    ['a name that has it', 'large[1m]', null, 'claude-opus-4-8[1m]', 'large[1m]'],
  ])(
    '[1m] asks for the large context of the model that was named: %s',
    async (_case, upstream, ruled, asked, written) => {
      const rig = await start()
      const listed = (id: string, upstreamModel = id) => ({ id, upstreamModel, aliases: [], free: false })
      const source = await rig.add('anthropic-key', {
        models: [listed('claude-opus-4-8', upstream), listed('claude-sonnet-5'), listed('claude-haiku-4-5')],
      })
      const rule = { id: 'r', providerId: 'claude', matchModel: 'claude-sonnet-5', dialect: null, strategy: null }
      const places = { options: {}, tiers: [[backendId(source.id, ruled ?? '')]], enabled: true }
      if (ruled !== null) rig.core.api.sources.saveRule({ ...rule, ...places }, null)
      await rig.call('/claude/v1/messages', message({ model: asked }), claudeCode())
      expect(JSON.parse(textOf(sent(rig))).model).toBe(written)
    },
  )

  test('in a compressed body sends it as identity; an account’s own vendor gets compressed bytes as they came', async () => {
    const rig = await start()
    await rig.add('anthropic-key', { models })
    const compress = { zstd: zstdCompressSync, gzip: gzipSync }
    for (const encoding of ['zstd', 'gzip'] as const) {
      const body = compress[encoding](odd.replace('claude-opus-4-8', 'my-opus'))
      const headers = { ...claudeCode().headers, 'content-encoding': encoding }
      const answer = await rig.call('/claude/v1/messages', undefined, { headers, body })
      expect(answer.status).toBe(200)
      expect([header(sent(rig), 'content-encoding'), JSON.parse(textOf(sent(rig))).model]).toEqual([
        undefined,
        'claude-opus-4-8',
      ])
      expect(header(sent(rig), 'content-length')).toBe(String(sent(rig).body?.length))
    }
    const account = await start('claude-work')
    const body = zstdCompressSync(odd)
    const plain = await account.call('/claude/v1/messages', undefined, {
      headers: { ...claudeCode().headers, 'content-encoding': 'zstd' },
      body,
    })
    expect(plain.status).toBe(200)
    expect([header(sent(account), 'content-encoding'), sent(account).body]).toEqual(['zstd', Uint8Array.from(body)])
  })
})

describe('a unary caller of Codex', () => {
  const ask = { ...response(), store: undefined, stream: undefined }
  test('gets one answer put together from the stream; upstream sees `store: false` and `stream: true`', async () => {
    const rig = await start('codex-team')
    const answer = await rig.call('/codex/v1/responses', ask, codexCli())
    expect([answer.status, answer.headers['content-type'], answer.end]).toEqual([200, 'application/json', 'whole'])
    const body = JSON.parse(answer.text)
    expect([body.object, body.status, body.output[0].content[0].text.includes('Codex, team')]).toEqual([
      'response',
      'completed',
      true,
    ])
    expect(JSON.parse(textOf(sent(rig)))).toMatchObject({ store: false, stream: true, model: 'gpt-5.5' })
    expect((await rig.latest()).call).toMatchObject({ outcome: 'done', stream: false })
  })

  test('gets the output rebuilt where the final response leaves it empty', async () => {
    const rig = await start('codex-team')
    rig.practice.script('codex-team', { reply: { kind: 'vendor', content: { emptyOutput: true, text: 'rebuilt' } } })
    const answer = await rig.call('/codex/v1/responses', ask, codexCli())
    expect(JSON.parse(answer.text).output[0].content[0].text).toBe('rebuilt')
  })

  for (const afterEvents of [1, 6]) {
    test(`gets an error as JSON when the stream fails after ${afterEvents} events`, async () => {
      const rig = await start('codex-team')
      rig.practice.script('codex-team', {
        reply: { kind: 'vendor', content: { words: 20, fail: { afterEvents, error: 'overloaded' } } },
      })
      const answer = await rig.call('/codex/v1/responses', ask, codexCli())
      expect([answer.status, answer.end, JSON.parse(answer.text).error.code]).toEqual([
        502,
        'whole',
        'server_is_overloaded',
      ])
      expect((await rig.latest()).call.outcome).toBe('failed')
    })
  }

  for (const error of ['server-error', 'spent', 'invalid', 'overloaded'] as const) {
    test(`gets the vendor’s own ${error} when nobody else can serve`, async () => {
      const rig = await start('codex-team')
      rig.practice.script('codex-team', { reply: { kind: 'error', error } })
      const answer = await rig.call('/codex/v1/responses', ask, codexCli())
      expect([answer.status >= 400, answer.end, answer.headers['content-type']]).toEqual([
        true,
        'whole',
        'application/json',
      ])
      expect((await rig.latest()).call).toMatchObject({ outcome: 'failed', status: answer.status })
    })
  }

  test('moves on unseen while the stream has no content', async () => {
    const rig = await start('codex-team', 'codex-personal')
    rig.practice.script('codex-team', {
      reply: { kind: 'vendor', content: { fail: { afterEvents: 1, error: 'overloaded' } } },
    })
    const answer = await rig.call('/codex/v1/responses', ask, codexCli())
    expect([answer.status, answer.text.includes('Codex, personal')]).toEqual([200, true])
  })

  test('sees a cut stream as a cut', async () => {
    const rig = await start('codex-team')
    rig.practice.script('codex-team', {
      reply: { kind: 'vendor', content: { words: 40 } },
      wire: { end: { how: 'reset', afterEvents: 9 } },
    })
    const answer = await rig.call('/codex/v1/responses', ask, codexCli())
    expect([answer.status, answer.end]).toEqual([0, 'ECONNRESET'])
  })
})

describe('T7.3 headers', () => {
  test('the client’s credentials, hop-by-hop and intermediary headers never travel; its own do, unchanged', async () => {
    const rig = await start('claude-work')
    const evil: Record<string, string> = {
      cookie: 'session=canary-cookie',
      connection: 'x-secret-hop, x-api-key, authorization',
      'x-secret-hop': 'canary-hop',
      'x-forwarded-for': '10.0.0.1',
      forwarded: 'for=10.0.0.1',
      referer: 'http://canary.test/',
      'x-pointsman-folder': '/home/canary',
      'proxy-authorization': 'Basic canary',
      te: 'trailers',
      'chatgpt-account-id': 'canary-account',
    }
    await rig.call('/claude/v1/messages', odd, { headers: { ...claudeCode().headers, ...evil, 'x-own': 'kept' } })
    const { rawHeaders } = sent(rig)
    const flat = rawHeaders.join('\n').toLowerCase()
    expect(flat).not.toContain('canary')
    expect(flat).not.toContain(rig.key.toLowerCase())
    const credential = rig.core.api.vault.read('credential/claude-work' as never)
    const token = credential?.kind === 'oauth' ? credential.accessToken : ''
    expect(header(sent(rig), 'authorization')).toBe(`Bearer ${token}`)
    expect([header(sent(rig), 'x-own'), header(sent(rig), 'x-app'), header(sent(rig), 'accept-encoding')]).toEqual([
      'kept',
      'cli',
      'identity',
    ])
    expect(header(sent(rig), 'user-agent')).toBe('claude-cli/2.1.328 (external, cli)')
  })

  test('a key in the path lets the client’s own bearer be dropped unread', async () => {
    const rig = await start('codex-team')
    const answer = await rig.call(`/k/${rig.key}/codex/v1/responses`, response(), {
      headers: { ...codexCli().headers, authorization: 'Bearer canary-client-bearer' },
    })
    expect(answer.status).toBe(200)
    expect([sent(rig).path, sent(rig).rawHeaders.join(' ').includes('canary')]).toEqual([
      '/backend-api/codex/responses',
      false,
    ])
  })

  test('T4.7 response headers that speak to a browser never reach the client', async () => {
    const rig = await start('claude-work')
    const bad = [
      'set-cookie',
      'clear-site-data',
      'content-security-policy',
      'refresh',
      'location',
      'access-control-allow-origin',
      'service-worker-allowed',
      'alt-svc',
      'strict-transport-security',
    ]
    rig.practice.script('claude-work', {
      reply: {
        kind: 'status',
        status: 200,
        headers: [...bad.flatMap((name) => [name, 'evil']), 'request-id', 'good', 'content-type', 'application/json'],
        body: '{}',
      },
    })
    const answer = await rig.call('/claude/v1/messages', message(), claudeCode())
    expect(bad.filter((name) => answer.headers[name] !== undefined)).toEqual([])
    expect([answer.headers['request-id'], answer.text]).toEqual(['good', '{}'])
  })
})

describe('T7.4 an upstream that repeats the request’s headers in its error', () => {
  for (const encode of [undefined, 'gzip', 'zstd'] as const) {
    test(`never gives our credential to the client (${encode ?? 'plain'})`, async () => {
      const rig = await start('claude-work')
      rig.practice.script('claude-work', {
        reply: { kind: 'echo-headers' },
        ...(encode === undefined ? {} : { wire: { encode } }),
      })
      const answer = await rig.call('/claude/v1/messages', message(), claudeCode())
      const credential = rig.core.api.vault.read('credential/claude-work' as never)
      const token = credential?.kind === 'oauth' ? credential.accessToken : 'none'
      expect(answer.text).not.toContain(token)
      expect(answer.text).not.toContain(rig.key)
      expect(answer.headers['x-pointsman-error']).toBe('account_refused')
    })
  }

  test('passes untouched when it repeats nothing of ours', async () => {
    const rig = await start('claude-work')
    rig.practice.script('claude-work', {
      reply: {
        kind: 'status',
        status: 400,
        body: '{"error":{"type":"invalid_request_error","message":"bad request: x-app cli"}}',
      },
    })
    const answer = await rig.call('/claude/v1/messages', message(), claudeCode())
    expect([answer.status, answer.text]).toEqual([
      400,
      '{"error":{"type":"invalid_request_error","message":"bad request: x-app cli"}}',
    ])
  })
})

describe('the metadata of a Codex turn, which names folders and git remotes,', () => {
  const client_metadata = {
    session_id: 's',
    'x-codex-turn-metadata': '{"workspaces":{"/home/me/secret":{}}}',
    'x-codex-window-id': 'w:0',
  }
  const withIt = (): string => JSON.stringify(response({ client_metadata, n: 1 }))

  test('goes to its own vendor as it came', async () => {
    const rig = await start('codex-team')
    await rig.call('/codex/v1/responses', withIt(), codexCli())
    expect(textOf(sent(rig))).toBe(withIt())
  })

  test('goes to no other host, in the body as little as in a header', async () => {
    const rig = await start()
    await rig.add('openai-key')
    await rig.call('/codex/v1/responses', withIt(), codexCli())
    expect(textOf(sent(rig))).toBe(JSON.stringify(response({ client_metadata: { session_id: 's' }, n: 1 })))
  })
})
