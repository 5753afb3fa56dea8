/** What the circumstances of a call change in a verdict: waiting once, hopping once, renewing once, who holds the token. */
import { describe, expect, it } from 'vitest'
import { type JudgeContext, judge } from '../../src/main/domain/verdict.ts'

const nowMs = Date.UTC(2026, 10, 29, 12)
const plain: JudgeContext = {
  sourceType: 'subscription',
  custody: 'pointsman',
  alreadyRefreshed: false,
  alreadyWaited: false,
  alreadyHopped: false,
  status: 429,
  nowMs,
}
const burst = (retryAfterMs: number | null) => ({ kind: 'burst', retryAfterMs }) as const
const short = (context: Partial<JudgeContext>, signal: Parameters<typeof judge>[0]) => {
  const { move, waitMs, because, effect } = judge(signal, { ...plain, ...context })
  const untilMs = effect?.kind === 'source-rests' ? effect.untilMs : null
  return { move, waitMs, because, restMs: untilMs === null ? null : untilMs - nowMs }
}

describe('a throttle', () => {
  it.each([
    ['is waited for up to five seconds', burst(5_000), {}, { move: 'same', waitMs: 5_000, restMs: null }],
    ['is left when it asks for longer', burst(5_001), {}, { move: 'next', waitMs: 0, restMs: 5_001 }],
    ['is left when it says nothing', burst(null), {}, { move: 'next', waitMs: 0, restMs: 30_000 }],
    ['is waited for once only', burst(2_000), { alreadyWaited: true }, { move: 'next', waitMs: 0, restMs: 2_000 }],
    [
      'is followed by one hop only',
      burst(null),
      { alreadyHopped: true },
      { move: 'return', waitMs: 0, restMs: 30_000 },
    ],
    [
      'is still waited for after the hop',
      burst(2_000),
      { alreadyHopped: true },
      { move: 'same', waitMs: 2_000, restMs: null },
    ],
  ] as const)('%s', (_name, signal, context, expected) => {
    expect(short(context, signal)).toEqual({ ...expected, because: 'burst' })
  })
})

describe('a refused credential', () => {
  const signal = { kind: 'unauthorised' } as const

  it.each([
    ['F8 is renewed where we hold the token', {}, 'refresh', 'unauthorised'],
    ['F8 sends a read-only login to its own store', { custody: 'read-only' }, 'refresh', 'unauthorised'],
    ['F8 sends a setup token to its own store', { custody: 'setup-token' }, 'refresh', 'unauthorised'],
    ['F8 ends the login the second time', { alreadyRefreshed: true }, 'next', 'signed-out'],
    ['rejects a key without renewing', { sourceType: 'api', custody: null }, 'next', 'key-rejected'],
    ['rejects a key of a local provider too', { sourceType: 'local', custody: null }, 'next', 'key-rejected'],
  ] as const)('%s', (_name, context, move, because) => {
    expect(short(context, signal)).toEqual({ move, because, waitMs: 0, restMs: null })
  })
})

describe('refusals that cost nothing', () => {
  it('do not count against the cap; what cost a try does', () => {
    const counted = (['overloaded', 'server-error', 'final', 'request-scoped'] as const).map((kind) => ({ kind }))
    const free = (['unauthorised', 'model-not-entitled', 'model-unknown'] as const).map((kind) => ({ kind }))
    const why = 'x'
    expect([...counted, { kind: 'host-refused', why } as const].map((signal) => judge(signal, plain).counts)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ])
    const others = [
      burst(null),
      { kind: 'billing', why },
      { kind: 'account-refused', why },
      { kind: 'window-spent', marks: [] },
    ]
    expect(
      [...free, ...(others as Parameters<typeof judge>[0][])].map((signal) => judge(signal, plain).counts),
    ).toEqual([false, false, false, false, false, false, false])
  })
})
