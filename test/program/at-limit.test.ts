/** The choice for a spent window over real HTTP: the limit is found during the call. */
import { afterEach, expect, it } from 'vitest'
import { response } from './asks.ts'
import { type Rig, type RigOptions, startRig } from './start-core.ts'

let rig: Rig | null = null
afterEach(async () => {
  await rig?.close()
  rig = null
})

async function spentFirst(options: RigOptions): Promise<Rig> {
  rig = await startRig(options)
  rig.practice.script('codex-team', { reply: { kind: 'error', error: 'spent' } })
  return rig
}
const reached = (of: Rig): readonly (string | null)[] =>
  of.practice.seen({ operation: 'generate' }).map(({ sourceId }) => sourceId)

it('`move`: another account of the vendor answers', async () => {
  const on = await spentFirst({ sources: ['codex-team', 'codex-personal'] })
  expect((await on.call('/codex/v1/responses', response())).status).toBe(200)
  expect(reached(on)).toEqual(['codex-team', 'codex-personal'])
})

it('`ask`: the vendor’s own limit reaches the client, and no other subscription is used', async () => {
  const on = await spentFirst({ sources: ['codex-team', 'codex-personal'], settings: { atLimit: 'ask' } })
  expect((await on.call('/codex/v1/responses', response())).status).toBe(429)
  expect(reached(on)).toEqual(['codex-team'])
  // Already known now: the refusal is Pointsman's own, with the reason.
  const second = await on.call('/codex/v1/responses', response())
  expect(second.text).toContain('you chose not to move on')
  expect(reached(on)).toEqual(['codex-team'])
})

it('`ask`: an API profile that was joined still takes over', async () => {
  const on = await spentFirst({ sources: ['codex-team', 'codex-personal'], settings: { atLimit: 'ask' } })
  await on.call('/codex/v1/responses', response())
  await on.add('openai-key', { joins: ['codex'] })
  expect((await on.call('/codex/v1/responses', response())).status).toBe(200)
  expect(reached(on)).toEqual(['codex-team', 'openai-key'])
})
