/** F38: a disk that fails to write or to sync, made by strace in a child process. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { callsFile } from '../../../src/main/adapters/sqlite/calls/call-database.ts'
import { SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { openStore } from '../../../src/main/adapters/sqlite/open-store.ts'
import { freshFolder, HandClock } from './ground.ts'

const writer = fileURLToPath(new URL('./disk-error-writer.ts', import.meta.url))

function strace(): boolean {
  try {
    execFileSync('strace', ['-e', 'trace=none', 'true'], { stdio: 'pipe' })
    return true
  } catch {
    console.log('skipped F38: strace is not here, or may not trace')
    return false
  }
}

const faults = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14].map((when) => ({ call: 'fsync,fdatasync', error: 'EIO', when })),
  ...[1, 100, 3_000].map((when) => ({ call: 'pwrite64', error: 'EIO', when })),
  ...[1, 150, 3_500].map((when) => ({ call: 'pwrite64', error: 'ENOSPC', when })),
]

test.skipIf(!strace()).each(faults)('F38 $call failing with $error at time $when loses nothing', (fault) => {
  const folder = freshFolder()
  new SqliteConfigStore({ path: join(folder, 'pointsman.db'), clock: new HandClock() }).close()
  openStore(callsFile(join(folder, 'calls.db')), new HandClock()).database.close()
  const inject = `inject=${fault.call}:error=${fault.error}:when=${fault.when}`
  const arguments_ = ['-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', `trace=${fault.call}`, '-e', inject]
  const child = spawnSync('strace', [...arguments_, process.execPath, writer, folder], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect(child.stderr).toBe('')
  const { rows, acknowledged, refusals } = JSON.parse(child.stdout) as {
    rows: number
    acknowledged: number
    refusals: string[]
  }

  expect(refusals.filter((sentence) => !/disk/.test(sentence))).toEqual([])
  const calls = new Database(join(folder, 'calls.db'))
  expect(calls.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(calls.prepare('SELECT count(*) FROM call, detail WHERE call_id = id').pluck().get()).toBe(rows)
  calls.close()
  const config = new Database(join(folder, 'pointsman.db'))
  expect(config.pragma('integrity_check', { simple: true })).toBe('ok')
  const port = config.prepare(`SELECT value_json FROM setting WHERE name = 'proxyPort'`).pluck().get()
  expect(Number(port)).toBeGreaterThanOrEqual(acknowledged)
  config.close()
})
