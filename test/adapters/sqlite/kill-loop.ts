/** Kills a writing process again and again and checks after each time what it had acknowledged (F33). */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { callsFile } from '../../../src/main/adapters/sqlite/calls/call-database.ts'
import { SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { openStore } from '../../../src/main/adapters/sqlite/open-store.ts'
import type { Clock } from '../../../src/main/ports.ts'

export interface KillReport {
  readonly cycles: number
  readonly acknowledged: number
  readonly lost: number
  readonly damaged: number
  /** Settings that were neither the last acknowledged nor the one after it. */
  readonly mixed: number
  /** Calls of earlier processes that are neither whole nor `interrupted`. */
  readonly leftOpen: number
}

/** Calls of before this moment that are neither whole nor `interrupted`. */
export const halfWritten =
  'SELECT count(*) FROM call LEFT JOIN detail ON call_id = id' +
  ` WHERE started_ms < ? AND outcome IS NOT 'interrupted' AND (outcome IS NULL OR call_id IS NULL)`

const writer = fileURLToPath(new URL('./kill-writer.ts', import.meta.url))

/** `unit` gives numbers in [0, 1) that decide how long each process may write. */
export async function killLoop(folder: string, cycles: number, unit: () => number, clock: Clock): Promise<KillReport> {
  const acknowledged = new Set<number>()
  let port = 0
  let [lost, damaged, mixed, leftOpen] = [0, 0, 0, 0]
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const startedMs = 1_790_000_000_000 + cycle * 1_000
    const lines = await writeUntilKilled(folder, startedMs, 20 + Math.floor(unit() * 1_500))
    for (const [kind, value] of lines) {
      if (kind === 'call') acknowledged.add(value)
      else port = value
    }
    for (const name of ['calls.db', 'pointsman.db']) damaged += isSound(join(folder, name)) ? 0 : 1
    const calls = openStore(callsFile(join(folder, 'calls.db')), clock)
    damaged += calls.recovery === null ? 0 : 1
    const kept = new Set(calls.database.prepare<[], number>('SELECT id FROM call').pluck().all())
    lost = [...acknowledged].filter((id) => !kept.has(id)).length
    leftOpen += calls.database.prepare<[number], number>(halfWritten).pluck().get(startedMs) ?? 0
    calls.database.close()
    const config = new SqliteConfigStore({ path: join(folder, 'pointsman.db'), clock })
    const stored = config.settings().proxyPort
    if (port !== 0 && stored !== port && stored !== port + 1) mixed += 1
    config.close()
  }
  return { cycles, acknowledged: acknowledged.size, lost, damaged, mixed, leftOpen }
}

type Line = readonly [kind: string, value: number]

/** Lets the writer acknowledge `count` things, then kills it in the middle of its work. */
function writeUntilKilled(folder: string, startedMs: number, count: number): Promise<readonly Line[]> {
  const child = spawn(process.execPath, [writer, folder, String(startedMs)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  let killed = false
  return new Promise((resolve) => {
    child.stdout.on('data', (bytes: Buffer) => {
      text += bytes.toString()
      if (killed || text.split('\n').length <= count) return
      killed = true
      child.kill('SIGKILL')
    })
    child.once('close', () => {
      const lines = text.split('\n').slice(0, -1)
      resolve(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])] as const))
    })
  })
}

function isSound(path: string): boolean {
  if (!existsSync(path)) return true
  const database = new Database(path)
  try {
    return database.pragma('integrity_check', { simple: true }) === 'ok'
  } finally {
    database.close()
  }
}
