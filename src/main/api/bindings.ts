/** Bindings: seen, released, moved. */
import { PointsmanError } from '../../shared/errors.ts'
import { type SessionKey, sourceId } from '../../shared/ids.ts'
import { type Binding, isWarm } from '../domain/session.ts'
import type { ApiDeps } from './api-deps.ts'
import { members } from './implement.ts'
import { mustGetPool } from './pool-view.ts'

const defaultLimit = 200

export function bindings(deps: ApiDeps) {
  const { sources, clock } = deps
  return {
    list: members.bindings.list.handler(({ input }) => {
      const { sourceId: source, poolId, warm, limit = defaultLimit } = input ?? {}
      const nowMs = clock.nowMs()
      const ofPool = poolId === undefined ? () => true : isOfPool(poolId, deps)
      const found = deps.bindings
        .all()
        .filter((binding) => source === undefined || binding.sourceId === source)
        .filter((binding) => warm === undefined || isWarm(binding, nowMs) === warm)
        .filter(ofPool)
        .sort((a, b) => b.lastUsedMs - a.lastUsedMs)
      const rows = found.slice(0, limit).map((binding) => ({
        session: binding.session,
        sourceId: binding.sourceId,
        sourceLabel: sources.get(binding.sourceId)?.label ?? binding.sourceId,
        model: binding.model ?? null,
        boundAtMs: binding.boundAtMs,
        lastUsedMs: binding.lastUsedMs,
        warm: isWarm(binding, nowMs),
        moved: binding.moved ?? null,
        switchCostTokens: deps.calls.sizeOf(binding.session),
      }))
      return { rows, total: found.length }
    }),
    release: members.bindings.release.handler(({ input: { session, sourceId: source } }) => {
      if (session === undefined && source === undefined) {
        throw new PointsmanError('invalid_input', { why: 'name a session or an account' })
      }
      const count = deps.bindings.forget(
        (binding) =>
          (session === undefined || binding.session === session) &&
          (source === undefined || binding.sourceId === source),
      )
      return { count }
    }),
    move: members.bindings.move.handler(({ input: { session, sourceId: target } }) => {
      if (sources.get(sourceId(target)) === undefined) {
        throw new PointsmanError('not_found', { what: `source ${target}` })
      }
      if (deps.bindings.get(session as SessionKey) === undefined) {
        throw new PointsmanError('not_found', { what: 'that conversation' })
      }
      return { count: deps.bindings.move((binding) => binding.session === session, sourceId(target), clock.nowMs()) }
    }),
  }
}

/** Conversations whose last request asked for the pool's model, by whatever name. */
export function isOfPool(poolId: string, deps: ApiDeps): (binding: Binding) => boolean {
  const pool = mustGetPool(deps, poolId)
  const { pools } = deps.sources.picture
  return ({ model }) => typeof model === 'string' && pools.find(model)?.pool.id === pool.id
}
