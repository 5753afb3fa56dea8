/** `rehearsal.run`: asks the log, off the data path, what would have been. */
import { PointsmanError } from '../../shared/errors.ts'
import type { SourceId } from '../../shared/ids.ts'
import type { Backend } from '../domain/backend.ts'
import { costOn } from '../domain/charges.ts'
import { type Rehearsal, rehearse } from '../rehearsal/rehearse.ts'
import type { Present } from '../rehearsal/rehearsed-use.ts'
import { optionProblem } from '../strategies/options.ts'
import { findStrategy, strategies } from '../strategies/registry.ts'
import type { ApiDeps } from './api-deps.ts'
import { checkStrategy } from './check-strategy.ts'
import { members } from './implement.ts'
import { mustGetPool } from './pool-view.ts'

const hourMs = 3_600_000
const units: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 168 * hourMs }

export function rehearsal(deps: ApiDeps) {
  return {
    run: members.rehearsal.run.handler(async ({ input, signal }): Promise<Answer> => {
      const { since = '7d', options = null, offsetMs = 0, tiers = null } = input ?? {}
      const strategy = input?.strategy ?? null
      const poolId = input?.poolId ?? null
      checkStrategy(strategy)
      const rules =
        strategy === null ? strategies.flatMap((one) => one.options) : (findStrategy(strategy)?.options ?? [])
      const problem = optionProblem(rules, options ?? {})
      if (problem !== null) throw new PointsmanError('invalid_input', { why: problem })
      if (poolId !== null) mustGetPool(deps, poolId)
      if (tiers !== null && poolId === null) throw new PointsmanError('invalid_input', { why: 'tiers needs poolId' })
      const fromMs = typeof since === 'number' ? since : deps.clock.nowMs() - spanOf(since)
      const newSessionMinRemaining = input?.newSessionMinRemaining ?? deps.settings().newSessionMinRemaining
      const ask = { fromMs, offsetMs, strategy, options, poolId, tiers, newSessionMinRemaining }
      return { ...(await rehearse(ask, deps.reader, presentOf(deps), signal)), strategy, poolId }
    }),
  }
}

interface Answer extends Rehearsal {
  readonly strategy: string | null
  readonly poolId: string | null
}

const spanOf = (text: string): number => Number(text.slice(0, -1)) * (units[text.slice(-1)] ?? 0)

/** What was not kept with each call counts as it is set now. */
function presentOf({ sources, settings }: ApiDeps): Present {
  const { backends, pools } = sources.picture
  const { prices } = settings()
  const byId = new Map<string, Backend>(backends.map((backend) => [backend.id, backend]))
  const free = new Set(backends.filter((backend) => backend.free).map(({ id }) => id as string))
  return {
    weight: (sourceId: string) => sources.get(sourceId as SourceId)?.weight ?? null,
    isFree: (backendId: string) => free.has(backendId),
    cost(backendId, usage, atMs) {
      const backend = byId.get(backendId)
      // The service tier isn't kept with a call: the ordinary one.
      return backend === undefined ? null : costOn(backend, usage, null, atMs, prices)
    },
    options: (pool: string | null) => (pool === null ? {} : (pools.find(pool)?.pool.options ?? {})),
  }
}
