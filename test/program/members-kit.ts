/** What the tests of the contract's members share: one practice program a file, one call, and typed failures. */
import { isDefinedError } from '@orpc/client'
import { afterAll, beforeAll, expect } from 'vitest'
import { catalogue } from '../../src/shared/errors.ts'
import { type Program, startProgram } from './run-program.ts'

/** Of each seeded kind. */
export const account = 'codex-team'
export const profile = 'openai-key'
export const model = 'gpt-5.5'
export const canary = 'canary-5up3r-s3cr3t-api-key-0123456789'

/** Runs from before the first test of the file to after its last. */
export function practiceProgram(): () => Program {
  let program: Program | null = null
  beforeAll(async () => {
    program = await startProgram()
  })
  afterAll(async () => {
    await program?.stop()
  })
  return () => {
    if (program === null) throw new Error('the program runs only during tests')
    return program
  }
}

/** One streamed call, whole. */
export async function callOnce(program: Program): Promise<void> {
  const answer = await fetch(`${program.address}/codex/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program.key()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: [{ role: 'user', content: 'prompt-canary' }], stream: true }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}

export async function failure(answer: Promise<unknown>): Promise<unknown> {
  try {
    await answer
  } catch (cause) {
    return cause
  }
  throw new Error('it did not fail')
}

interface ProblemData {
  readonly code: string
  readonly sentence: string
  readonly next: string
}

/** The typed error's data, once everything about it agrees. */
export async function problemOf(answer: Promise<unknown>): Promise<ProblemData> {
  const cause = (await failure(answer)) as Error & { code: string; status: number; data: ProblemData }
  expect(isDefinedError(cause), String(cause)).toBe(true)
  expect(cause.code).toBe(cause.data.code)
  expect(cause.status).toBe(catalogue[cause.code as keyof typeof catalogue].status)
  expect(cause.message).toBe(cause.data.sentence)
  return cause.data
}
