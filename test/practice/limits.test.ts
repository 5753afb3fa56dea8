/** Windows of simulated accounts: filling, refusing when full, renewing by the clock; and faults by name. */
import { describe, expect, it } from 'vitest'
import { fiveHour, weekly } from '../../src/main/practice/practice.ts'
import { begin, type Loose, message, noonMs, response } from './fixture.ts'

const responses = '/backend-api/codex/responses'

describe('a full window', () => {
  it('refuses at Claude with rejected headers until its reset, then serves again', async () => {
    const { practice, clock, call } = await begin()
    practice.setWindows('claude-work', [fiveHour(98, noonMs, 600_000, 2), weekly(10, noonMs, 86_400_000, 1)])
    const last = await call.claude('/v1/messages', message)
    const refused = await call.claude('/v1/messages', message)
    const read = (name: string): string | null => refused.headers.get(`anthropic-ratelimit-unified-${name}`)
    expect([last.status, refused.status, refused.headers.get('retry-after')]).toEqual([200, 429, '600'])
    expect([
      read('status'),
      read('5h-status'),
      read('5h-utilization'),
      read('7d-status'),
      read('representative-claim'),
    ]).toEqual(['rejected', 'rejected', '1', 'allowed', 'five_hour'])
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    clock.turn(600_000)
    const after = await call.claude('/v1/messages', message)
    expect([after.status, after.headers.get('anthropic-ratelimit-unified-5h-utilization')]).toEqual([200, '0.02'])
    expect(after.headers.get('anthropic-ratelimit-unified-5h-reset')).toBe(
      String((noonMs + 600_000 + 18_000_000) / 1000),
    )
  })

  it('says that a window has not started while it is empty', async () => {
    const { practice, call } = await begin()
    practice.setWindows('claude-work', [fiveHour(0, noonMs, null, 1)])
    const usage = (await (await call.claude('/api/oauth/usage')).json()) as Loose
    expect([usage.five_hour, usage.seven_day]).toEqual([{ utilization: 0, resets_at: null }, null])
  })

  it('of one family refuses that family only', async () => {
    const { practice, call } = await begin()
    const fable = { ...weekly(100, noonMs, 86_400_000, 1), name: 'weekly:fable', family: 'fable' }
    practice.setWindows('claude-work', [fiveHour(10, noonMs, 600_000, 1), fable])
    const refused = await call.claude('/v1/messages', { ...message, model: 'claude-fable-5-1' })
    const served = await call.claude('/v1/messages', message)
    const read = (name: string): string | null => refused.headers.get(`anthropic-ratelimit-unified-${name}`)
    expect([refused.status, read('5h-status'), read('7d_oi-status'), served.status]).toEqual([
      429,
      'allowed',
      'rejected',
      200,
    ])
  })

  it('refuses at Codex with usage_limit_reached until its reset', async () => {
    const { practice, clock, call } = await begin()
    practice.setWindows('codex-team', [fiveHour(100, noonMs, 600_000, 1), weekly(10, noonMs, 86_400_000, 1)])
    const refused = await call.codex(responses, response)
    expect([refused.status, refused.headers.get('x-codex-primary-used-percent')]).toEqual([429, '100'])
    expect(await refused.json()).toEqual({
      error: {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'business',
        resets_at: noonMs / 1000 + 600,
        resets_in_seconds: 600,
        eligible_promo: null,
      },
    })
    const usage = (await (await call.codex('/backend-api/wham/usage')).json()) as Loose
    expect([usage.rate_limit.allowed, usage.rate_limit.limit_reached]).toEqual([false, true])
    clock.turn(600_000)
    expect((await call.codex(responses, response)).status).toBe(200)
  })

  it('of a pool of its own leaves the plan alone', async () => {
    const { practice, call } = await begin()
    const spark = { ...fiveHour(100, noonMs, 600_000, 1), name: 'spark:five-hour', family: 'spark', ownPool: true }
    practice.setWindows('codex-team', [fiveHour(10, noonMs, 600_000, 1), spark])
    const refused = await call.codex(responses, { ...response, model: 'gpt-5.3-codex-spark' })
    const served = await call.codex(responses, response)
    expect([refused.status, served.status]).toEqual([429, 200])
    expect(served.headers.get('x-codex-bengalfox-primary-used-percent')).toBe('100')
  })
})

describe('faults by name', () => {
  it('exhaust spends the short window for some minutes and is over by itself', async () => {
    const { practice, clock, call } = await begin()
    practice.fault('claude-work', 'exhaust', { minutes: 3 })
    const refused = await call.claude('/v1/messages', message)
    const during = practice.state().find((one) => one.sourceId === 'claude-work')?.fault
    clock.turn(180_000)
    const served = await call.claude('/v1/messages', message)
    const after = practice.state().find((one) => one.sourceId === 'claude-work')?.fault
    expect([refused.status, refused.headers.get('retry-after'), during, served.status, after]).toEqual([
      429,
      '180',
      'exhaust',
      200,
      'none',
    ])
  })

  it('none puts an exhausted account back to where it was', async () => {
    const { practice } = await begin()
    const before = practice.account('codex-team').windows
    practice.fault('codex-team', 'exhaust')
    practice.fault('codex-team', 'none')
    expect(practice.account('codex-team').windows).toEqual(before)
  })

  it('overload answers in the words of each vendor', async () => {
    const { practice, call } = await begin()
    for (const id of ['claude-work', 'codex-team', 'anthropic-key', 'openai-key', 'ollama'])
      practice.fault(id, 'overload')
    const answers = [
      await call.claude('/v1/messages', message),
      await call.codex(responses, response),
      await call.anthropic('/v1/messages', message),
      await call.openai('/v1/responses', response),
      await call.ollama('/v1/chat/completions', message),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([529, 503, 529, 503, 503])
    expect(((await answers[1]!.json()) as Loose).error.code).toBe('server_is_overloaded')
    practice.fault('claude-work', 'none')
    expect((await call.claude('/v1/messages', message)).status).toBe(200)
  })

  it('revoke refuses the tokens of an account and the key of a profile with 401', async () => {
    const { practice, call } = await begin()
    for (const id of ['codex-team', 'openai-key']) practice.fault(id, 'revoke')
    const statuses = [
      (await call.codex(responses, response)).status,
      (await call.openai('/v1/responses', response)).status,
    ]
    const other = await call.codex(responses, response, {}, 'codex-personal')
    expect([statuses, other.status]).toEqual([[401, 401], 200])
  })

  it('cut breaks a stream off after it has begun', async () => {
    const { practice, call } = await begin()
    practice.fault('codex-team', 'cut')
    const answer = await call.codex(responses, response)
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  })

  it('cut breaks a whole body off in its middle', async () => {
    const { practice, call } = await begin()
    practice.fault('openai-key', 'cut')
    const answer = await call.openai('/v1/responses', { ...response, stream: false })
    await expect(answer.text()).rejects.toThrow()
  })

  it('slow answers in small pieces', async () => {
    const { practice, call } = await begin()
    practice.fault('ollama', 'slow')
    const answer = await call.ollama('/v1/chat/completions', message)
    expect(((await answer.json()) as Loose).object).toBe('chat.completion')
  })

  it('shows each source with its fault and windows', async () => {
    const { practice } = await begin()
    practice.fault('ollama', 'slow')
    expect(
      practice
        .state()
        .map(({ sourceId, fault, windows }) => [sourceId, fault, windows.map((window) => window.usedPercent)]),
    ).toEqual([
      ['ollama', 'slow', []],
      ['claude-work', 'none', [23, 41, 61]],
      ['claude-personal', 'none', [74, 18]],
      ['codex-team', 'none', [35, 22, 3]],
      ['codex-personal', 'none', [58, 67]],
      ['anthropic-key', 'none', []],
      ['openai-key', 'none', []],
    ])
  })
})
