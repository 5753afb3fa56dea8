/**
 * The last guard before sending, alone: everything that plans a call is made to forget the key's policy, and still a
 * strict key's request reaches its own account only. Without the guard it would go to another one.
 */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AccessKey, RoutePolicy } from '../../src/main/domain/access-key.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { codexCli, response } from './asks.ts'
import { type Rig, startRig } from './start-core.ts'

type Standing = typeof import('../../src/main/flow/standing.ts')

// The bug: who stands how is worked out as if every key might use everything.
vi.mock('../../src/main/flow/standing.ts', async (real: () => Promise<Standing>) => {
  const own = await real()
  const standing: Standing['standing'] = (place, bound, view) =>
    own.standing(place, { ...bound, policy: { mode: 'default' } }, view)
  return { ...own, standing, allowed: () => true }
})

const team = sourceId('codex-team')

async function served(policy: RoutePolicy): Promise<{ readonly status: number; readonly seen: readonly string[] }> {
  const rig: Rig = await startRig({ sources: ['codex-personal', 'codex-team'] })
  onTestFinished(() => rig.close())
  const limits: Partial<AccessKey> = { policy }
  const secret = rig.newKey('mine', limits)
  const headers = { ...codexCli().headers, authorization: `Bearer ${secret}` }
  rig.practice.script('codex-team', { reply: { kind: 'error', error: 'server-error' } })
  const statuses = []
  for (const stream of [false, true]) {
    statuses.push((await rig.call('/codex/v1/responses', response({ stream }), { headers })).status)
  }
  const seen = rig.practice.seen().flatMap(({ sourceId: source }) => (source === null ? [] : [source]))
  return { status: statuses[0] ?? 0, seen: [...new Set(seen)].sort() }
}

test.each<[string, RoutePolicy]>([
  ['strict', { mode: 'strict', sources: [team] }],
  ['a pool', { mode: 'pool', sources: [team], strategy: 'ordered' }],
])('%s: only its own account is asked, whatever the plan says', async (_, policy) => {
  expect((await served(policy)).seen).toEqual(['codex-team'])
})

test('the plan really is wrong: a key that may use every account is served by the other one', async () => {
  expect((await served({ mode: 'default' })).seen).toContain('codex-personal')
})
