/** A configuration that can't be written or built leaves the last good one: in memory, on disk, and for the next call (EXT). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { Profile } from '../../src/main/domain/source.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { codexCli, response } from './asks.ts'
import { startRig } from './start-core.ts'

const team = sourceId('codex-team')
const personal = sourceId('codex-personal')

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pointsman-last-good-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('while another program holds the file, no change counts; each counts once the file is free', async () => {
  const dataDir = freshFolder()
  const rig = await startRig({ dataDir, sources: ['codex-team', 'codex-personal'] })
  onTestFinished(() => rig.close())
  const { api } = rig.core
  const budget = api.budgets.create({ label: 'play', amount: 1e9, cycle: 'none', timeZone: 'UTC' })
  const secret = rig.newKey('mine', { policy: { mode: 'strict', sources: [personal] }, budgetId: budget.id })
  rig.newKey('other')
  const id = api.keys.find('mine').id
  const other = api.keys.find('other').id
  const source = api.sources.get(personal)
  if (source === undefined) throw new Error('the account was expected')
  const changes: readonly (() => unknown)[] = [
    () => api.keys.setState(id, 'disabled'),
    () => api.keys.change(id, { policy: { mode: 'strict', sources: [team] } }),
    () => api.keys.changeAll([id, other].map((one) => [one, { policy: null }])),
    () => api.keys.rotate(id),
    () => api.budgets.change(budget.id, { enabled: false }),
    () => api.sources.save({ ...source, active: false }),
    () => api.sources.remove(personal),
    () => api.changeSettings({ ...api.settings(), paused: true }),
  ]
  const facts = () => [
    api.keys.all(),
    [...api.budgets.all.values()],
    api.sources.all(),
    api.settings().paused,
    api.sources.picture,
  ]
  const before = facts()
  const holder = new Database(join(dataDir, 'pointsman.db'))
  holder.exec('BEGIN IMMEDIATE')
  for (const change of changes) expect(change).toThrow('another program holds the file')
  const after = facts()
  expect(after).toEqual(before)
  expect(after.at(-1)).toBe(before.at(-1))
  const path = '/codex/v1/responses'
  const as = { headers: { ...codexCli().headers, authorization: `Bearer ${secret}` } }
  expect((await rig.call(path, response(), as)).text).toContain('Codex, personal')
  holder.exec('ROLLBACK')
  holder.close()
  for (const change of changes) expect(change).not.toThrow()
  expect((await rig.call(path, response(), as)).status).toBe(401)
})

test('a source of which no picture can be made is refused before it is stored; the program starts again without it', async () => {
  const dataDir = freshFolder()
  const first = await startRig({ dataDir, sources: ['codex-team', 'openai-key'] })
  const { sources } = first.core.api
  const profile = sources.get(sourceId('openai-key')) as Profile
  const [before, picture] = [sources.all(), sources.picture]
  expect(() => sources.save({ ...profile, models: undefined as never })).toThrow()
  expect([sources.all(), sources.picture === picture]).toEqual([before, true])
  expect((await first.call('/codex/v1/responses', response())).status).toBe(200)
  await first.close()
  const second = await startRig({ dataDir })
  onTestFinished(() => second.close())
  expect(second.core.api.sources.all()).toEqual(before)
})
