/** The contract as something that can be implemented, and how what goes wrong inside reaches the caller. */
import { type Implementer, implement, ORPCError } from '@orpc/server'
import { type Contract, contract } from '../../shared/contract/index.ts'
import { PointsmanError, type Problem, problem } from '../../shared/errors.ts'
import type { Log } from '../ports.ts'
import { inputTrouble } from './input-trouble.ts'

type NoContext = Record<never, never>

export const members: Implementer<Contract, NoContext, NoContext> = implement(contract)

/** For members whose core answers with a value or a problem. */
export function mustBe<Value>(value: Value | Problem): Exclude<Value, Problem> {
  if (isProblem(value)) throw errorOf(value)
  return value as Exclude<Value, Problem>
}

export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'sentence' in value && 'next' in value && 'again' in value

/** A problem as the contract types it. */
export function errorOf({ code, status, sentence, next }: Problem, logId?: string) {
  const data = { code, sentence, next, ...(logId === undefined ? {} : { logId }) }
  return new ORPCError(code, { status, message: sentence, data })
}

/**
 * Anything thrown becomes a typed error: expected ones keep their code, a refused input says what is wrong with it,
 * and the rest is logged and becomes `internal`. A caller that has left is no fault.
 */
export function toContractError(cause: unknown, log: Log, isAborted: boolean): unknown {
  if (cause instanceof PointsmanError) return errorOf(cause.problem)
  if (isAborted) return cause
  if (cause instanceof ORPCError) {
    const data: unknown = cause.data
    if (typeof data === 'object' && data !== null && 'code' in data && data.code === cause.code) return cause
    const why = cause.code === 'BAD_REQUEST' ? inputTrouble(data) : null
    if (why !== null) return errorOf(problem('invalid_input', { why }))
    if (cause.code === 'NOT_FOUND') return errorOf(problem('not_found', { what: 'such member' }))
  }
  const logId = log.fault('member-failed', cause)
  return errorOf(problem('internal', { logId }), logId)
}
