/** Each refusal of the nine checks as each client gets it, unary and streaming (access.md, "How a refusal reaches the person"). */
import { describe, expect, test } from 'vitest'
import { admitHead } from '../../src/main/flow/10-ingress.ts'
import { refusalAnswer } from '../../src/main/flow/refusal-answer.ts'
import { callerOf } from '../../src/main/flow/refused-caller.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import type { ErrorCode, ErrorValues } from '../../src/shared/errors.ts'
import { viewOf } from './kit.ts'

const label = 'work'
const codes: readonly (readonly [ErrorCode, ErrorValues, number | null])[] = [
  ['not_served', { method: 'POST', path: '/v1/videos', served: 'POST /v1/messages' }, null],
  ['access_key_unbound', { label, why: 'has no route policy' }, null],
  ['access_credential_inactive', { label, state: 'disabled' }, null],
  ['access_scope_denied', { label, what: 'the model gpt-5.5' }, null],
  ['billing_quota_exhausted', { label: 'play' }, 3_600_000],
  ['billing_price_unavailable', { model: 'gpt-5.5' }, null],
  ['access_concurrency_exceeded', { who: 'The budget play', limit: 1 }, null],
  ['upstream_binding_unavailable', { why: 'Work: Signed out' }, null],
  ['access_unavailable', {}, null],
]
const dialects = ['messages', 'responses', 'chat'] as const

test.each(codes)('%s in the three styles', (code, values, retryAfterMs) => {
  const answers = dialects.flatMap((dialect) =>
    [false, true].map((stream) => {
      const refusal = new Refusal(code, values, { retryAfterMs })
      const { status, headers, body } = refusalAnswer(refusal, { authenticated: true, dialect, stream, callId: '1' })
      return [`${dialect} ${stream ? 'streaming' : 'unary'}`, status, headers.join(' '), new TextDecoder().decode(body)]
    }),
  )
  expect(answers).toMatchSnapshot()
})

test.each(dialects)('no credentials, to a stranger speaking %s: the same sentence for every cause', (dialect) => {
  const refusal = new Refusal('no_credentials')
  const answer = refusalAnswer(refusal, { authenticated: false, dialect, stream: true, callId: '' })
  expect([answer.status, answer.headers.join(' '), new TextDecoder().decode(answer.body)]).toMatchSnapshot()
})

test('keys that can not be read let nobody in, and answer access_unavailable', () => {
  const rawHeaders = ['host', '127.0.0.1:7646', 'authorization', `Bearer pk_${'a'.repeat(43)}`]
  const head = { method: 'POST', target: '/v1/messages', rawHeaders, port: 7646 }
  const found = admitHead(head, viewOf(), () => {
    throw new Error('the store is gone')
  })
  expect(found).toBeInstanceOf(Refusal)
  expect((found as Refusal).problem.code).toBe('access_unavailable')
})

describe('who is refused before the body is read', () => {
  const head = (target: string, accept: string | null) => ({
    method: 'POST',
    target,
    rawHeaders: ['host', '127.0.0.1:7646', ...(accept === null ? [] : ['accept', accept])],
    port: 7646,
  })
  const nothing = { head: null, call: null, callId: '' }
  const unboundKey = new Refusal('access_key_unbound', { label, why: 'has no route policy' })
  const stream = 'text/event-stream'
  test.each([
    ['a Responses turn that asks for a stream', '/codex/v1/responses', stream, 'responses', true],
    ['a Responses turn that does not', '/codex/v1/responses', 'application/json', 'responses', false],
    ['one that names nothing', '/codex/v1/responses', null, 'responses', false],
    ['a Messages turn', '/claude/v1/messages', stream, 'messages', true],
    ['a path that is not served', '/v1/videos', stream, null, true],
  ])('%s', (_, target, accept, dialect, streams) => {
    const caller = callerOf(unboundKey, head(target, accept), nothing)
    expect(caller).toMatchObject({ authenticated: true, dialect, stream: streams })
  })

  test('a stranger is told nothing in any style', () => {
    const caller = callerOf(new Refusal('no_credentials'), head('/codex/v1/responses', stream), nothing)
    expect(caller).toMatchObject({ authenticated: false, dialect: null, stream: false })
  })
})

test('a full house is told to the Codex CLI in a stream that fails; other clients keep their 429', () => {
  const full = new Refusal('access_concurrency_exceeded', { who: 'The access key work', limit: 1 })
  const status = (isCodex: boolean, streams: boolean) =>
    refusalAnswer(full, { authenticated: true, dialect: 'responses', stream: streams, isCodex, callId: '' }).status
  expect([status(true, true), status(true, false), status(false, true)]).toEqual([200, 429, 429])
})
