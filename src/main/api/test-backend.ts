/** `models.test`: asks a source for its models, which proves its host and its login without a request to a model. */
import { PointsmanError, type Problem } from '../../shared/errors.ts'
import type { Backend } from '../domain/backend.ts'
import type { SourceModel } from '../domain/source.ts'
import type { ApiDeps } from './api-deps.ts'
import { isProblem } from './implement.ts'

export interface TestResult {
  readonly ok: boolean
  readonly code: string | null
  readonly sentence: string
  readonly elapsedMs: number
}

export async function testBackend({ source, upstreamModel }: Backend, deps: ApiDeps): Promise<TestResult> {
  const startedMs = deps.clock.elapsedMs()
  const answer = await ask(source.id, deps)
  const elapsedMs = Math.round(deps.clock.elapsedMs() - startedMs)
  if (isProblem(answer)) return { ok: false, code: answer.code, sentence: answer.sentence, elapsedMs }
  const isListed = answer.some((model) => model.upstreamModel === upstreamModel)
  // Some hosts serve models that they don't list.
  const rest = isListed ? `and lists ${upstreamModel}.` : `but doesn’t list ${upstreamModel}.`
  return { ok: true, code: null, sentence: `${source.label} answered ${rest}`, elapsedMs }
}

async function ask(id: Backend['source']['id'], { desk }: ApiDeps): Promise<readonly SourceModel[] | Problem> {
  try {
    return await desk.listModels(id)
  } catch (cause) {
    if (cause instanceof PointsmanError) return cause.problem
    throw cause
  }
}
