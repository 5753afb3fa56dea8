/** Which behaviour serves which request, and what is remembered of each. */
import { describe, expect, it } from 'vitest'
import type { Behaviour } from '../../src/main/practice/practice.ts'
import { begin, claudeHeaders, completion, message, secret } from './fixture.ts'
import { raw } from './raw-client.ts'

const status = (code: number, on?: Behaviour['on']): Behaviour => ({
  reply: { kind: 'status', status: code },
  ...(on === undefined ? {} : { on }),
})

describe('the script', () => {
  it('serves queued behaviours in order, once each, then the usual one, then the vendor', async () => {
    const { practice, call } = await begin()
    practice.script('claude-work', status(500), status(502))
    practice.usually('claude-work', status(503))
    const seen: number[] = []
    for (let n = 0; n < 4; n += 1) seen.push((await call.claude('/v1/messages', message)).status)
    practice.usually('claude-work', null)
    seen.push((await call.claude('/v1/messages', message)).status)
    expect(seen).toEqual([500, 502, 503, 503, 200])
  })

  it('takes the source’s queue before its origin’s, and both before what is usual', async () => {
    const { practice, call } = await begin()
    practice.usually('claude-work', status(503))
    practice.script('claude', status(502))
    practice.script('claude-work', status(500))
    const seen: number[] = []
    for (let n = 0; n < 3; n += 1) seen.push((await call.claude('/v1/messages', message)).status)
    expect(seen).toEqual([500, 502, 503])
  })

  it('touches only the source it names', async () => {
    const { practice, call } = await begin()
    practice.usually('claude-work', status(500))
    expect((await call.claude('/v1/messages', message, {}, 'claude-personal')).status).toBe(200)
  })

  it('leaves polls and lists alone unless told otherwise', async () => {
    const { practice, call } = await begin()
    practice.script('claude-work', status(500), status(501, ['usage']))
    expect([(await call.claude('/v1/models')).status, (await call.claude('/api/oauth/usage')).status]).toEqual([
      200, 501,
    ])
    expect(practice.queued('claude-work')).toBe(1)
    practice.unscript('claude-work')
    expect([practice.queued('claude-work'), (await call.claude('/v1/messages', message)).status]).toEqual([0, 200])
  })

  it('refuses a target that does not exist', async () => {
    const { practice } = await begin()
    expect(() => practice.script('nobody', {})).toThrow('no practice source or origin nobody')
    expect(() => practice.fault('nobody', 'slow')).toThrow('no practice source nobody')
  })

  it('starts empty when asked to, and takes accounts and keys of one’s own', async () => {
    const { practice } = await begin({ seeded: false })
    practice.addAccount({ id: 'mine', provider: 'claude' })
    practice.addKey('openaiApi', 'key', 'sk-mine')
    const headers = { ...claudeHeadersOf(practice.signIn('mine').accessToken), 'content-type': 'application/json' }
    const account = await fetch(`${practice.origins.claude}/v1/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
    })
    const key = await fetch(`${practice.origins.openaiApi}/v1/models`, { headers: { authorization: 'Bearer sk-mine' } })
    expect([practice.seeds.sources, account.status, key.status]).toEqual([[], 200, 200])
  })
})

const claudeHeadersOf = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'anthropic-version': '2023-06-01',
  'anthropic-beta': 'oauth-2025-04-20',
})

describe('what is remembered', () => {
  it('is each request with its bytes, its source, and its end', async () => {
    const { practice, call } = await begin()
    await (await call.claude('/v1/messages?beta=true', message)).text()
    await (await call.claude('/v1/models?limit=1')).text()
    await (await call.claude('/v1/messages', message, {}, 'claude-personal')).text()
    expect(practice.seen({ sourceId: 'claude-work', path: '/v1/models' })).toHaveLength(1)
    expect(practice.seen({ operation: 'generate', method: 'POST', origin: 'claude' })).toHaveLength(2)
    const [request] = practice.seen({ sourceId: 'claude-work', path: '/v1/messages' })
    expect(request).toMatchObject({
      origin: 'claude',
      operation: 'generate',
      method: 'POST',
      path: '/v1/messages?beta=true',
      status: 200,
    })
    expect(new TextDecoder().decode(request?.body ?? undefined)).toBe(JSON.stringify(message))
    expect(request?.rawHeaders).toContain(claudeHeaders(practice).authorization)
    expect((await practice.waitFor((one) => one.ended !== null)).ended).toBe('whole')
  })

  it('numbers sockets and the requests on each', async () => {
    const { practice } = await begin()
    const body = JSON.stringify(completion)
    const more = [
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      'GET /api/tags HTTP/1.1\r\nhost: x\r\n\r\n',
    ]
    const pipelined = { path: '/api/version', method: 'GET', headers: { 'content-length': '0' }, body: more.join('') }
    const answers = await raw(practice.origins.ollamaHost, { ...pipelined, until: 'MXFP4' })
    answers.close()
    expect(practice.seen().map((request) => [request.connection, request.onConnection])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ])
  })

  it('tells a caller that left in the middle of a stream, and when', async () => {
    const { practice } = await begin()
    practice.script('ollama', { wire: { pieceDelayMs: 20 } })
    const answer = await raw(practice.origins.ollamaHost, {
      path: '/v1/chat/completions',
      body: JSON.stringify({ ...completion, stream: true }),
      until: 'assistant',
    })
    answer.close()
    const left = await practice.waitFor((request) => request.ended === 'by-peer')
    expect(left.endedMs).toBeGreaterThan(left.arrivedMs)
    expect(practice.openSockets('ollamaHost')).toBe(0)
  })

  it('tells a caller that left before its body was whole', async () => {
    const { practice } = await begin()
    const answer = await raw(practice.origins.ollamaHost, {
      path: '/v1/chat/completions',
      headers: { 'content-length': '5000' },
      body: '{"model":',
      until: '',
    })
    answer.close()
    const left = await practice.waitFor((request) => request.ended === 'by-peer')
    expect([left.status, new TextDecoder().decode(left.body ?? undefined)]).toEqual([null, '{"model":'])
  })

  it('is bounded waiting: a request that never comes is an error that names the last ones', async () => {
    const { practice, call } = await begin()
    await call.ollama('/api/version')
    await expect(practice.waitFor((request) => request.origin === 'codex', 20)).rejects.toThrow(
      'ollamaHost GET /api/version',
    )
  })

  it('counts open sockets and drops idle ones', async () => {
    const { practice } = await begin()
    const answer = await raw(practice.origins.ollamaHost, { path: '/api/version', method: 'GET', until: '0.33.0' })
    expect([practice.openSockets('ollamaHost'), practice.openSockets('claude')]).toEqual([1, 0])
    practice.dropIdleSockets('ollamaHost')
    await expect.poll(() => practice.openSockets()).toBe(0)
    answer.close()
  })

  it('can be forgotten', async () => {
    const { practice, call } = await begin()
    await call.ollama('/api/version')
    practice.forgetSeen()
    expect([practice.seen(), secret(practice, 'openai-key')]).toEqual([[], 'sk-practice-openai-key'])
  })
})
