/** The one sentence of a call: who served it, why, and after whom. */
import { describe, expect, test } from 'vitest'
import type { Execution, Outcome } from '../../src/main/domain/call.ts'
import type { ChoiceReason } from '../../src/main/domain/decision.ts'
import type { Ending } from '../../src/main/flow/ending.ts'
import { decisionSentence } from '../../src/main/flow/sentence.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import { sourceId } from '../../src/shared/ids.ts'

const labels: Readonly<Record<string, string>> = { a: 'Work', b: 'Personal', c: 'Key' }
const execution = (id: string, sentence: string): Execution =>
  ({ sourceId: sourceId(id), sourceLabel: labels[id] ?? id, sentence }) as Execution
const failed = (id: string): Execution => execution(id, 'The vendor failed with status 500.')
const served = (id: string): Execution => execution(id, 'It answered.')
const candidate = (id: string) => ({ backend: { source: { id: sourceId(id), label: labels[id] ?? id } } })

interface Case {
  readonly by: string | null
  readonly reason?: ChoiceReason
  readonly outcome?: Outcome
  readonly filed?: boolean
  readonly wanted?: string
  readonly refusal?: Refusal
  readonly executions: readonly Execution[]
}

function sentence({ by, reason = 'rank', outcome = 'done', filed = false, wanted, refusal, executions }: Case): string {
  const plan = {
    reason,
    wanted: wanted === undefined ? null : sourceId(wanted),
    candidates: ['a', 'b', 'c'].map(candidate),
  }
  const opened = by === null ? null : { candidate: candidate(by), filed }
  return decisionSentence({ plan, opened, refusal: refusal ?? null, outcome } as unknown as Ending, executions)
}

describe('says who served and why', () => {
  for (const [reason, words] of [
    ['rank', 'because it stands first in the order'],
    ['pinned', 'because the address names it'],
    ['affinity', 'because this conversation is bound to it'],
    ['inherit', 'because the conversation it belongs to is bound to it'],
    ['only-candidate', 'because it is the only one that can'],
    ['none-trustworthy', 'in listed order because nothing is known of the quotas'],
    ['rebind:moved-by-user', 'because you moved this conversation'],
  ] as const) {
    test(reason, () =>
      expect(sentence({ by: 'a', reason, executions: [served('a')] })).toBe(`Work served this call ${words}.`),
    )
  }

  test('a bound account that can’t serve is named', () => {
    expect(sentence({ by: 'b', reason: 'failover', wanted: 'a', executions: [served('b')] })).toBe(
      'Personal served this call because the conversation’s own account, Work, can not serve now.',
    )
    expect(sentence({ by: 'b', reason: 'rebind:signed-out', wanted: 'a', executions: [served('b')] })).toBe(
      'Personal served this call because Work, to which the conversation was bound, is gone (signed-out).',
    )
  })
})

describe('says after whom', () => {
  test('the first place is not claimed by who came second', () => {
    expect(sentence({ by: 'b', executions: [failed('a'), served('b')] })).toBe(
      'Personal served this call as the next in the order after Work (The vendor failed with status 500).',
    )
  })
  test('two tries of the same account', () => {
    expect(
      sentence({
        by: 'a',
        executions: [execution('a', 'The vendor did not accept the login; it is renewed.'), served('a')],
      }),
    ).toBe(
      'Work served this call because it stands first in the order after Work (The vendor did not accept the login; it is renewed).',
    )
  })
  test('a refusal that was kept, with another failure behind it', () => {
    expect(
      sentence({
        by: 'b',
        filed: true,
        outcome: 'failed',
        executions: [failed('a'), failed('b'), execution('c', 'The connection was lost.')],
      }),
    ).toBe(
      'Personal refused this call last, and its answer was passed on unchanged as the next in the order after Work (The vendor failed with status 500), then Key (The connection was lost).',
    )
  })
})

describe('says how it ended', () => {
  for (const [outcome, words] of [
    ['client-left', 'Work was serving this call when the client left because it stands first in the order.'],
    ['interrupted', 'Work was serving this call when Pointsman ended because it stands first in the order.'],
    ['truncated', 'Work began to serve this call and was cut off because it stands first in the order.'],
    ['error-midstream', 'Work began to serve this call and reported a failure because it stands first in the order.'],
    ['failed', 'Work refused this call because it stands first in the order.'],
  ] as const) {
    test(outcome, () => expect(sentence({ by: 'a', outcome, executions: [served('a')] })).toBe(words))
  }

  for (const [outcome, executions, words] of [
    [
      'unknown-outcome',
      [execution('a', 'The connection was lost.')],
      'No account answered: Work (The connection was lost).',
    ],
    ['client-left', [execution('a', 'The client left.')], 'The client left while trying: Work (The client left).'],
    ['client-left', [], 'The client left.'],
    ['interrupted', [], 'Pointsman ended while trying.'],
  ] as const) {
    test(`without an answer: ${words}`, () => expect(sentence({ by: null, outcome, executions })).toBe(words))
  }

  test('a refusal of ours speaks for itself', () => {
    expect(sentence({ by: null, outcome: 'refused', refusal: new Refusal('routing_paused'), executions: [] })).toBe(
      'Routing is paused.',
    )
  })
})
