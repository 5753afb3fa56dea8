/** Child of the disk error test: saves calls and settings although the disk fails once, and tells what it was told. */

import { SqliteCallStore } from '../../../src/main/adapters/sqlite/call-store.ts'
import { SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { defaultSettings } from '../../../src/main/domain/settings.ts'
import type { Clock } from '../../../src/main/ports.ts'
import { PointsmanError } from '../../../src/shared/errors.ts'
import { sampleCall } from './sample-calls.ts'

const [folder = ''] = process.argv.slice(2)
const clock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
}
const limits = () => ({ retentionDays: 36_500, retentionBytes: 2 ** 40, forgetsByAge: true })
const refusals: string[] = []
const calls = new SqliteCallStore({
  path: `${folder}/calls.db`,
  clock,
  limits,
  work: null,
  onSaving: ({ why }) => {
    if (why !== null) refusals.push(why)
  },
})
const config = new SqliteConfigStore({ path: `${folder}/pointsman.db`, clock })

const rows = 4_000
/** Fewer than may wait in memory while the disk is looked at again. */
const rowsAtOnce = 500
for (let n = 0; n < rows; n += rowsAtOnce) {
  const saved = Array.from({ length: rowsAtOnce }, (_, k) => {
    const call = sampleCall(1_790_000_000_000_000 + n + k)
    return new Promise<void>((resolve) => calls.finish(call, resolve))
  })
  await Promise.all(saved)
  while (!calls.saving().saving) await new Promise((resolve) => setTimeout(resolve, 20))
}

let acknowledged = defaultSettings.proxyPort
for (let port = 8_000; port < 8_010; port += 1) {
  try {
    config.saveSettings({ ...defaultSettings, proxyPort: port })
    acknowledged = port
  } catch (cause) {
    if (!(cause instanceof PointsmanError)) throw cause
    refusals.push(cause.problem.sentence)
  }
}
calls.close()
config.close()
console.log(JSON.stringify({ rows, refusals, acknowledged }))
