/** Tests of backends that were started here: running, and their last result until it is dismissed. */
import { create } from 'zustand'
import { type Client, client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'

type Answer = Awaited<ReturnType<Client['models']['test']>>

export type TestState =
  | { readonly kind: 'running' }
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly problem: Problem }

export const useTests = create<{ readonly tests: ReadonlyMap<string, TestState> }>()(() => ({ tests: new Map() }))

/** A second press while one is under way joins it. */
export async function testBackend(backendId: string): Promise<TestState | null> {
  if (useTests.getState().tests.get(backendId)?.kind === 'running') return null
  set(backendId, { kind: 'running' })
  const result = await ask(backendId)
  set(backendId, result)
  return result
}

async function ask(backendId: string): Promise<TestState> {
  try {
    return { kind: 'answered', answer: await client.models.test({ backendId }) }
  } catch (cause) {
    return { kind: 'failed', problem: problemOf(cause) }
  }
}

export const dismissTest = (backendId: string): void => set(backendId, null)

function set(backendId: string, state: TestState | null): void {
  useTests.setState(({ tests }) => {
    const next = new Map(tests)
    if (state === null) next.delete(backendId)
    else next.set(backendId, state)
    return { tests: next }
  })
}
