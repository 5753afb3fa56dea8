/** Reads a negative answer of one account, judges what follows, with what was already tried, and learns from it. */
import type { Verdict } from '../domain/failure.ts'
import { judge } from '../domain/verdict.ts'
import { providerOf } from '../providers/index.ts'
import { subjectOf } from './execution.ts'
import type { FlowDeps } from './flow-deps.ts'
import type { Opened } from './opened.ts'

export interface AlreadyTried {
  readonly refreshed: boolean
  readonly waited: boolean
  readonly hopped: boolean
}

export function judged(
  { candidate, incoming }: Opened,
  status: number,
  body: string,
  tried: AlreadyTried,
  nowMs: number,
): Verdict {
  const { source, upstreamModel } = candidate.backend
  const rawHeaders = incoming.headers.raw
  const { signal } = providerOf(source).read({ status, rawHeaders, body, model: upstreamModel, nowMs })
  return judge(signal, {
    sourceType: source.type,
    custody: source.type === 'subscription' ? source.custody : null,
    alreadyRefreshed: tried.refreshed,
    alreadyWaited: tried.waited,
    alreadyHopped: tried.hopped,
    status,
    nowMs,
  })
}

/** What a failed request tells of its account and of its host: limits, rests, a login that no longer counts. */
export function learn({ candidate: { backend }, incoming }: Opened, verdict: Verdict, deps: FlowDeps): void {
  const { source } = backend
  deps.conditions.read(source.id, providerOf(source).readings(incoming.headers.raw, deps.clock.nowMs()))
  if (verdict.effect !== null) deps.conditions.apply(subjectOf(backend, deps.view()), verdict.effect)
  deps.conditions.spend(source.id, verdict.marks)
  if (verdict.because === 'signed-out') deps.signedOut(source.id, 'its vendor no longer accepts the login')
}
