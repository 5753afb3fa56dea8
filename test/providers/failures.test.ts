/** Every known negative answer: from status, headers and body to a signal and to what happens next. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JudgeContext, judge } from '../../src/main/domain/verdict.ts'
import { providers } from '../../src/main/providers/index.ts'
import { type FailureCase, nowMs } from './failure-case.ts'
import { anthropicKeyCases } from './failure-cases-anthropic-key.ts'
import { claudeCases } from './failure-cases-claude.ts'
import { codexCases } from './failure-cases-codex.ts'
import { hostCases } from './failure-cases-host.ts'
import { keyCases } from './failure-cases-openai-key.ts'

const bodyText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))
const flat = (headers: Readonly<Record<string, string>> = {}): readonly string[] => Object.entries(headers).flat()

const answerOf = ({ status, headers, body }: FailureCase) => ({
  status,
  rawHeaders: flat(headers),
  body: bodyText(body),
  model: 'model-1',
  nowMs,
})

function contextOf({ kind, status }: FailureCase): JudgeContext {
  const sourceType = kind === 'claude' || kind === 'codex' ? 'subscription' : kind === 'ollama' ? 'local' : 'api'
  const custody = sourceType === 'subscription' ? 'pointsman' : null
  return { sourceType, custody, alreadyRefreshed: false, alreadyWaited: false, alreadyHopped: false, status, nowMs }
}

const everyCase = [...claudeCases, ...anthropicKeyCases, ...codexCases, ...keyCases, ...hostCases]

describe('reading a negative answer', () => {
  it.each(Object.keys(providers) as (keyof typeof providers)[])(
    'tombii/better-ccflare#236 an overload by any number rests its host and goes on to the next: %s',
    (kind) => {
      const overloaded = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
      const verdicts = [
        { status: 503, body: '' },
        { status: 529, body: '' },
        { status: 529, body: '<html>Overloaded</html>' },
        { status: 500, body: overloaded },
        // As an event inside a stream that began well.
        { status: 200, body: overloaded },
      ].map((shape) => {
        const row = { kind, ...shape } as FailureCase
        const { signal } = providers[kind].read(answerOf(row))
        const { move, effect, because } = judge(signal, contextOf(row))
        return { move, because, rests: effect?.kind }
      })
      expect(verdicts).toEqual(Array(5).fill({ move: 'next', because: 'overloaded', rests: 'host-rests' }))
    },
  )

  it.each(everyCase)('$kind: $name', (row) => {
    const read = providers[row.kind].read(answerOf(row))
    expect({ read, verdict: judge(read.signal, contextOf(row)) }).toEqual({
      read: { signal: row.signal, vendorCode: row.vendorCode },
      verdict: row.verdict,
    })
  })

  it('covers every kind of signal and at least forty shapes', () => {
    expect(everyCase.length).toBeGreaterThanOrEqual(40)
    expect(new Set(everyCase.map((row) => row.signal.kind)).size).toBe(12)
    expect(new Set(everyCase.map((row) => `${row.kind}: ${row.name}`)).size).toBe(everyCase.length)
  })

  it('reads the same from headers in any case', () => {
    for (const row of everyCase) {
      const answer = answerOf(row)
      const shouted = {
        ...answer,
        rawHeaders: answer.rawHeaders.map((text, at) => (at % 2 ? text : text.toUpperCase())),
      }
      expect(providers[row.kind].read(shouted)).toEqual(providers[row.kind].read(answer))
    }
  })

  it('T6.6 never throws and never invents: 5,000 mutated answers give a known signal and clean words', () => {
    const known = new Set(everyCase.map((row) => row.signal.kind))
    const mutated = fc.record({
      row: fc.constantFrom(...everyCase),
      kind: fc.constantFrom(...everyCase.map((row) => row.kind)),
      status: fc.oneof(fc.constantFrom(200, 400, 401, 403, 429, 500, 529), fc.integer({ min: -1, max: 999 })),
      cutAt: fc.double({ min: 0, max: 1, noNaN: true }),
      inserted: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.constantFrom('null', '[]', '{', '"', '__proto__'),
      ),
      odd: fc.array(fc.string(), { maxLength: 3 }),
      replaced: fc.oneof(fc.string(), fc.constantFrom('', '-1', 'NaN', 'Infinity', '1e308', '0x10', '99999999999999')),
      place: fc.nat(),
    })
    fc.assert(
      fc.property(mutated, ({ row, kind, status, cutAt, inserted, odd, replaced, place }) => {
        const answer = answerOf(row)
        const at = Math.floor(answer.body.length * cutAt)
        const rawHeaders = [...answer.rawHeaders, ...odd]
        if (rawHeaders.length > 1) rawHeaders[(place % rawHeaders.length) | 1] = replaced
        const body = answer.body.slice(0, at) + inserted + (place % 2 ? answer.body.slice(at) : '')
        const { signal, vendorCode } = providers[kind].read({ ...answer, status, rawHeaders, body })
        expect(known).toContain(signal.kind)
        if (vendorCode !== null) expect(vendorCode).toMatch(/^[a-z_]+$|^\d+$/)
        if (signal.kind === 'window-spent') {
          expect(signal.marks.length).toBeGreaterThan(0)
          for (const { untilMs } of signal.marks) {
            if (untilMs === null) continue
            expect(untilMs).toBeGreaterThan(nowMs)
            expect(untilMs).toBeLessThanOrEqual(nowMs + 367 * 86_400_000)
          }
        }
        if (signal.kind === 'burst' && signal.retryAfterMs !== null) {
          expect(signal.retryAfterMs).toBeGreaterThanOrEqual(1_000)
          expect(signal.retryAfterMs).toBeLessThanOrEqual(86_400_000)
        }
        const { sentence } = judge(signal, contextOf({ ...row, kind, status }))
        expect(sentence).toMatch(/^[A-Z][^\n]{5,200}\.$/)
      }),
      { numRuns: 5_000 },
    )
  })

  it('keeps no text of the vendor: a canary in every message field reaches neither code nor sentence', () => {
    for (const row of everyCase) {
      const canary = 'CANARY-sk-ant-oat01-9f8e7d'
      const text = bodyText(row.body).replace(/"message":"/g, `"message":"${canary} `)
      const read = providers[row.kind].read({ ...answerOf(row), body: text })
      const verdict = judge(read.signal, contextOf(row))
      expect(JSON.stringify([read, verdict])).not.toContain('CANARY')
    }
  })
})
