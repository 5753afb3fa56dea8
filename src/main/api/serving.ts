/** Who would serve a new conversation of a pool's own client, now and next: the flow's pure stages, nothing else. */
import type { Pool } from '../domain/pool.ts'
import { type Dialect, dialectsOf, type Source } from '../domain/source.ts'
import { plan, ruleOf } from '../flow/explain.ts'
import { allClaudeCodeMarks } from '../flow/explain-ask.ts'
import { Refusal } from '../flow/trail.ts'
import type { View } from '../flow/view.ts'
import { anyKey } from './stand.ts'

export function servingOf(pool: Pool, view: View) {
  const { address, dialect } = asksOf(pool)
  const client = dialect === 'messages' ? 'claude-code' : dialect === 'responses' ? 'codex' : 'other'
  const ask = {
    ...{ providerId: address, dialect, model: pool.model, key: anyKey },
    operation: 'generate',
    serviceTier: null,
    session: null,
    parents: [],
    interactive: true,
    claudeCodeMarks: client === 'claude-code' ? allClaudeCodeMarks : [],
    codexClient: client === 'codex',
  } as const
  const planned = plan(ask, view)
  const route = ruleOf(ask, view)
  const excluded = planned.excluded.map(({ backendId, because, sentence }) => ({
    ...{ backendId, because, sentence },
  }))
  if (planned instanceof Refusal) {
    return { address, client, dialect, route, order: [], excluded, sentence: planned.problem.sentence } as const
  }
  const order = planned.order.map(({ backend }) => backend.id)
  return {
    address,
    client,
    dialect,
    route,
    order,
    excluded,
    sentence: `${planned.order[0]?.backend.source.label} would serve now.`,
  } as const
}

/** A vendor's address where the pool has an account of it, the highest one's; else every source is asked. */
function asksOf(pool: Pool): { readonly address: string; readonly dialect: Dialect } {
  const sources: readonly Source[] = pool.places.map(({ backend }) => backend.source)
  const account = sources.find((source) => source.type === 'subscription')
  if (account !== undefined) return { address: account.provider, dialect: dialectsOf(account)[0] ?? 'responses' }
  const [first] = sources
  return { address: 'any', dialect: (first && dialectsOf(first)[0]) ?? 'chat' }
}
