/** `models.test`: proves that a backend answers, without a request of ours to a subscription's model (routing §6). */
import { PointsmanError, type Problem, problem } from '../../shared/errors.ts'
import { plainAsk } from '../accounts/try-model.ts'
import type { Backend } from '../domain/backend.ts'
import type { LocalProvider, Profile } from '../domain/source.ts'
import { dialectNames } from '../flow/spoken-dialect.ts'
import { toolTrial, trialFault } from '../flow/tool-trial.ts'
import type { ApiDeps } from './api-deps.ts'
import { isProblem } from './implement.ts'
import { type Direction, translatesFrom } from './translations.ts'

interface Found {
  readonly answer: string | Problem
  readonly translations: readonly (Direction & { readonly ok: boolean; readonly sentence: string })[]
}

export async function testBackend(backend: Backend, deps: ApiDeps) {
  const startedMs = deps.clock.elapsedMs()
  const { answer, translations } = await found(backend, deps)
  const elapsedMs = Math.round(deps.clock.elapsedMs() - startedMs)
  if (isProblem(answer)) return { ok: false, code: answer.code, sentence: answer.sentence, elapsedMs, translations }
  return { ok: true, code: null, sentence: answer, elapsedMs, translations }
}

async function found(backend: Backend, deps: ApiDeps): Promise<Found> {
  try {
    const { source } = backend
    if (source.type === 'subscription') return { answer: await readAccount(backend, deps), translations: [] }
    return await askModel({ ...backend, source }, deps)
  } catch (cause) {
    if (cause instanceof PointsmanError) return { answer: cause.problem, translations: [] }
    throw cause
  }
}

/** Its models and its usage; the sentence of success. */
async function readAccount({ source, upstreamModel }: Backend, { desk, poller }: ApiDeps): Promise<string | Problem> {
  const models = await desk.listModels(source.id)
  if (isProblem(models)) return models
  const isListed = models.some((model) => model.upstreamModel === upstreamModel)
  // Some hosts serve models that they don't list.
  const unread = await poller.refresh(source.id)
  // Read a moment ago is as good.
  const rest = unread === null || unread.code === 'too_soon' ? '' : ` ${unread.sentence}`
  return `${source.label} answered ${isListed ? 'and lists' : 'but doesn’t list'} ${upstreamModel}.${rest}`
}

/** A word where it speaks every dialect, else a streamed tool call for the clients of each that it doesn't speak. */
async function askModel(
  backend: Backend & { readonly source: Profile | LocalProvider },
  deps: ApiDeps,
): Promise<Found> {
  const { source, upstreamModel } = backend
  const { label } = source
  const answered = `${label} answered as ${upstreamModel}.`
  const directions = translatesFrom(source)
  if (directions.length === 0) {
    const plain = await deps.desk.tryModel(source, plainAsk(source, upstreamModel))
    return { answer: isProblem(plain) ? plain : answered, translations: [] }
  }
  const translations: Found['translations'][number][] = []
  let answer: string | Problem = answered
  for (const direction of directions) {
    const trial = toolTrial(backend, direction, (text) => deps.digest.sha256(text))
    const given = await deps.desk.tryModel(source, { dialect: trial.to, body: trial.body })
    // Not reached, or refused: the next one would fare no better.
    if (isProblem(given)) return { answer: given, translations }
    const isStream = given.headers.some((text) => text.includes('text/event-stream'))
    const why = trialFault(trial, { text: given.text, isStream })
    const [from, to] = [dialectNames[direction.from], dialectNames[direction.to]]
    const failed = why === null ? null : problem('translation_test_failed', { label, from, to, why })
    const sentence = failed?.sentence ?? `A tool call came through the translation from ${from} to ${to}.`
    translations.push({ ...direction, ok: failed === null, sentence })
    if (failed !== null && !isProblem(answer)) answer = failed
  }
  return { answer, translations }
}
