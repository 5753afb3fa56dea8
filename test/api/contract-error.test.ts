/** Whatever goes wrong in a member reaches its caller as a typed error, and what nobody expected is logged. */
import { ORPCError } from '@orpc/server'
import { expect, test } from 'vitest'
import { toContractError } from '../../src/main/api/implement.ts'
import { PointsmanError } from '../../src/shared/errors.ts'
import { HandLog } from '../accounts/kit.ts'

const dataOf = (error: unknown): unknown => (error as ORPCError<string, unknown>).data

test('an expected failure keeps its code, status, sentence and next step', () => {
  const log = new HandLog()
  const error = toContractError(new PointsmanError('not_found', { what: 'account x' }), log, false)
  expect(error).toMatchObject({ code: 'not_found', status: 404, message: 'There is no account x.' })
  expect(dataOf(error)).toEqual({
    code: 'not_found',
    sentence: 'There is no account x.',
    next: 'List what exists and try again.',
  })
  expect(log.lines).toEqual([])
})

test('a refused input names its places, three at most, and never its values', () => {
  const issue = (path: readonly unknown[]) => ({
    message: 'Invalid input: expected string',
    path,
    input: 'secret-value',
  })
  const issues = [issue(['tiers', 0, { key: 'x' }]), issue([]), issue(['b']), issue(['c'])]
  const error = toContractError(new ORPCError('BAD_REQUEST', { data: { issues } }), new HandLog(), false)
  const each = 'Invalid input: expected string'
  expect(dataOf(error)).toEqual({
    code: 'invalid_input',
    sentence: `The input is not valid: tiers.0.x: ${each}; ${each}; b: ${each}.`,
    next: 'Correct it and try again.',
  })
})

test('anything else is logged and becomes internal with its log id, without its own text', () => {
  for (const cause of [new TypeError('secret of a fault'), 'secret text', new ORPCError('INTERNAL_SERVER_ERROR')]) {
    const log = new HandLog()
    const error = toContractError(cause, log, false)
    expect(dataOf(error)).toEqual({
      code: 'internal',
      sentence: 'Something went wrong inside Pointsman (log id log-1).',
      next: expect.any(String),
      logId: 'log-1',
    })
    expect(JSON.stringify(error)).not.toContain('secret')
    expect(log.events).toEqual(['member-failed'])
  }
})

test('a caller that has left is no fault', () => {
  const log = new HandLog()
  const left = new DOMException('gone', 'AbortError')
  expect(toContractError(left, log, true)).toBe(left)
  expect(log.lines).toEqual([])
})

test('what is typed already passes through', () => {
  const typed = toContractError(new PointsmanError('conflict', { what: 'The pool x' }), new HandLog(), false)
  expect(toContractError(typed, new HandLog(), false)).toBe(typed)
})
