/** `models.test`: proves that a backend answers, without a request of ours to a subscription's model (routing §6). */
import { PointsmanError, type Problem } from '../../shared/errors.ts'
import type { Backend } from '../domain/backend.ts'
import type { ApiDeps } from './api-deps.ts'
import { isProblem } from './implement.ts'

export interface TestResult {
  readonly ok: boolean
  readonly code: string | null
  readonly sentence: string
  readonly elapsedMs: number
}

export async function testBackend(backend: Backend, deps: ApiDeps): Promise<TestResult> {
  const startedMs = deps.clock.elapsedMs()
  const answer = await ask(backend, deps)
  const elapsedMs = Math.round(deps.clock.elapsedMs() - startedMs)
  if (isProblem(answer)) return { ok: false, code: answer.code, sentence: answer.sentence, elapsedMs }
  return { ok: true, code: null, sentence: answer, elapsedMs }
}

/** The sentence of success. */
async function ask({ source, upstreamModel }: Backend, { desk, poller }: ApiDeps): Promise<string | Problem> {
  try {
    if (source.type !== 'subscription') {
      const failed = await desk.tryModel(source, upstreamModel)
      return failed ?? `${source.label} answered as ${upstreamModel}.`
    }
    const models = await desk.listModels(source.id)
    if (isProblem(models)) return models
    const isListed = models.some((model) => model.upstreamModel === upstreamModel)
    // Some hosts serve models that they don't list.
    const unread = await poller.refresh(source.id)
    // Read a moment ago is as good.
    const rest = unread === null || unread.code === 'too_soon' ? '' : ` ${unread.sentence}`
    return `${source.label} answered ${isListed ? 'and lists' : 'but doesn’t list'} ${upstreamModel}.${rest}`
  } catch (cause) {
    if (cause instanceof PointsmanError) return cause.problem
    throw cause
  }
}
