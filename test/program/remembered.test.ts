/** Restart in the middle: bindings, rests and windows are the same after as before (routing §5, §7). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Reading } from '../../src/main/domain/quota.ts'
import { codexCli, response } from './asks.ts'
import { id, type Rig, startRig, until } from './start-core.ts'

const hour = 3_600_000
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const start = (dataDir: string): Promise<Rig> => startRig({ dataDir, vault: 'file' })

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'pointsman-again-'))
  folders.push(made, `${made}.vault-key`)
  return made
}

const reading = (resetAtMs: number | null): Reading => ({
  ...{ window: 'weekly', usedPercent: 62.5, lengthMs: 168 * hour, resetAtMs, family: null },
  ...{ source: 'header', readAtMs: Date.now() },
})

const remembered = (rig: Rig) => {
  const { bindings, conditions } = rig.core.api
  return structuredClone({ bindings: bindings.all(), health: conditions.health, quota: conditions.quota })
}

test('bindings, rests, circuits, entitlements and windows are the same after as before', async () => {
  const dataDir = folder()
  const rig = await start(dataDir)
  for (const source of ['codex-team', 'codex-personal']) await rig.add(source, { active: source === 'codex-team' })
  const first = await rig.call('/codex/v1/responses', response(), codexCli('thread'))
  expect(first.status).toBe(200)
  const { conditions, owners } = rig.core.api
  const subject = { sourceId: id('codex-personal'), backendId: 'codex-personal:gpt-5.5' as never, host: 'http://h' }
  conditions.read(id('codex-personal'), [reading(Date.now() + 30 * hour)])
  conditions.spend(id('codex-personal'), [
    { window: 'weekly', family: null, untilMs: Date.now() + 30 * hour, sinceMs: Date.now() },
  ])
  for (let n = 0; n < 3; n += 1) conditions.apply(subject, { kind: 'source-failed', sentence: 'It failed.' })
  conditions.apply(subject, { kind: 'host-rests', sentence: 'It rests.' })
  conditions.apply(subject, { kind: 'not-entitled' })
  owners.learn('hash-of-an-answer', id('codex-team'), Date.now())
  // Nobody polls it, so that nothing but the restart can change what is remembered.
  await rig.add('codex-team', { active: false })
  const before = remembered(rig)
  expect(before.health.circuits.get(id('codex-personal'))?.kind).toBe('open')
  await rig.close()

  const again = await start(dataDir)
  expect(remembered(again)).toEqual(before)
  expect(again.core.api.owners.get('hash-of-an-answer')).toBe('codex-team')
  await again.close()
})

test('what was measured is on disk soon, not only at the end', async () => {
  const dataDir = folder()
  const rig = await start(dataDir)
  await rig.add('codex-team')
  rig.core.api.conditions.read(id('codex-team'), [reading(null)])
  const stored = () => rig.core.api.quotaLog.quotaSamples({ fromMs: 0, toMs: Date.now() + hour, limit: 10 })
  await until(() => (stored().length === 1 ? true : null), 'the reading is on disk')
  await rig.close()
})

test('a rest whose reset passed while the program was off is lifted by itself', async () => {
  const dataDir = folder()
  const rig = await start(dataDir)
  await rig.add('codex-team')
  await rig.add('codex-personal')
  const untilMs = Date.now() + 400
  rig.core.api.conditions.spend(id('codex-team'), [{ window: 'weekly', family: null, untilMs, sinceMs: Date.now() }])
  const effect = { kind: 'source-rests', because: 'burst', untilMs, sentence: 'A pause.' } as const
  const subject = { sourceId: id('codex-team'), backendId: 'codex-team:gpt-5.5' as never, host: 'http://h' }
  rig.core.api.conditions.apply(subject, effect)
  expect(rig.core.api.view().health.sources.has(id('codex-team'))).toBe(true)
  await rig.core.stop()
  await until(() => (Date.now() > untilMs ? true : null), 'the reset has passed')

  const again = await startRig({ dataDir, vault: 'file', practice: rig.practice })
  // The key was made by the first start; a later one doesn't show it again.
  const headers = { ...codexCli('fresh').headers, authorization: `Bearer ${rig.key}` }
  const served = await again.call('/codex/v1/responses', response(), { headers })
  expect([served.status, served.text.includes('Codex, team')]).toEqual([200, true])
  expect(again.core.api.conditions.health.sources.has(id('codex-team'))).toBe(false)
  expect(again.core.api.conditions.snapshot(id('codex-team')).spent).toEqual([])
  await again.close()
})
