/** Conversations that a new order doesn't touch by itself, and the wish to take them along. */
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { toast } from '../state/toasts.ts'
import type { Texts } from '../text/en.ts'
import { poolNow } from './pools.ts'

/** How many open conversations of the pool are not with the account that would serve a new one. */
export async function staying(poolId: string): Promise<number> {
  const pool = poolNow(poolId)
  const first = pool?.tiers.flat().find(({ backendId }) => backendId === pool.serving.order[0])
  if (first === undefined) return 0
  try {
    const { rows } = await client.bindings.list({ poolId, warm: true, limit: 1_000 })
    return rows.filter(({ sourceId, moved }) => sourceId !== first.sourceId && moved === null).length
  } catch {
    return 0
  }
}

export async function takeAlong(poolId: string, { models, said }: Texts): Promise<void> {
  try {
    const { count } = await client.models.moveConversations({ poolId })
    toast(models.conversationsMoved(count))
  } catch (cause) {
    toast(said.problem(problemOf(cause)))
  }
}
