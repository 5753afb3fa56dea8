/** Reads a negative answer of one account and judges what follows, with what was already tried. */
import type { Verdict } from '../domain/failure.ts'
import { judge } from '../domain/verdict.ts'
import { providerOf } from '../providers/index.ts'
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
