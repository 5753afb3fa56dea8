/**
 * What a disk may hold after a power cut, made from a writing process that is stopped in the middle of its work: the
 * files as they are, and with whatever had not been synced torn, lost or in another order. Each such image must open
 * undamaged, hold what durability promises, and nothing half (F33, F35).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { callsFile } from '../../../src/main/adapters/sqlite/calls/call-database.ts'
import { SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { openStore } from '../../../src/main/adapters/sqlite/open-store.ts'
import { oneOf, type Random } from '../../program/sequence.ts'
import { systemClock } from './ground.ts'
import { halfWritten } from './kill-loop.ts'

export interface ImageFigures {
  readonly images: number
  /** Images of which bytes that were not synced were taken away or altered. */
  readonly torn: number
  readonly acknowledged: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

interface Moment {
  readonly folder: string
  /** Calls and the newest setting that were acknowledged before the process stood still. */
  readonly calls: readonly number[]
  readonly port: number
}

const writer = fileURLToPath(new URL('./kill-writer.ts', import.meta.url))
const databases = ['calls.db', 'pointsman.db'] as const
const imagesPerMoment = 8
const momentsPerWriter = 5
const startedMs = 1_790_000_000_000

export async function crashImages(folder: string, images: number, random: Random): Promise<ImageFigures> {
  const wrong: string[] = []
  let [made, torn, acknowledged] = [0, 0, 0]
  for (let run = 0; made < images; run += 1) {
    const live = join(folder, `live-${run}`)
    mkdirSync(live)
    for await (const moment of moments(live, random)) {
      acknowledged = Math.max(acknowledged, moment.calls.length)
      for (let n = 0; n < imagesPerMoment && made < images; n += 1, made += 1) {
        const image = join(folder, 'image')
        copyAll(moment.folder, image)
        // The first one is what a kill leaves.
        const lost = n === 0 ? [] : databases.map((name) => tear(join(image, name), name === 'calls.db', random))
        if (lost.some((what) => what !== 'nothing')) torn += 1
        const found = check(image, moment, n === 0)
        wrong.push(...found.map((text) => `image ${made} (${lost.join(', ')}): ${text}`))
        rmSync(image, { recursive: true })
      }
      if (made >= images) break
    }
    rmSync(live, { recursive: true })
  }
  return { images: made, torn, acknowledged, wrong }
}

/** Copies of the folder of one writing process, each taken while it stands still. */
async function* moments(folder: string, random: Random): AsyncGenerator<Moment> {
  const child = spawn(process.execPath, [writer, folder, String(startedMs)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (bytes: Buffer) => {
    text += bytes.toString()
  })
  try {
    for (let moment = 0; moment < momentsPerWriter; moment += 1) {
      const enough = text.length + 500 + random(60_000)
      while (text.length < enough && child.exitCode === null) await pause()
      await stop(child)
      // What it said last may still be in the pipe.
      for (let before = -1; before < text.length; ) {
        before = text.length
        await pause()
      }
      const copy = `${folder}-copy`
      copyAll(folder, copy)
      child.kill('SIGCONT')
      const said = text.split('\n').slice(0, -1)
      const numbers = (kind: string): number[] =>
        said.filter((line) => line.startsWith(kind)).map((line) => Number(line.split(' ')[1]))
      yield { folder: copy, calls: numbers('call'), port: numbers('port').at(-1) ?? 0 }
      rmSync(copy, { recursive: true })
    }
  } finally {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

/** Returns once every thread of it stands still. */
async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP')
  for (let tries = 0; tries < 2_000; tries += 1) {
    const state = /\) (\w) /.exec(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))?.[1]
    if (state === 'T') return
    await pause()
  }
  throw new Error('the writer does not stand still')
}

function copyAll(from: string, to: string): void {
  mkdirSync(to)
  for (const name of databases) {
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(join(from, name + suffix))) copyFileSync(join(from, name + suffix), join(to, name + suffix))
    }
  }
}

const frameBytes = 24 + 4_096
const headerBytes = 32
const kinds = ['cut', 'zeroed', 'noise', 'one sector zeroed', 'one sector noise'] as const

/**
 * Alters what a power cut may take from the write-ahead log; says what it did. The index beside it, which no restart reads
 * again, tells how far that is: with `synchronous = NORMAL` everything behind the frames that a checkpoint has begun to
 * move, with FULL only what is behind the last commit (sqlite.org/walformat.html, "The WAL-Index File Format").
 */
function tear(path: string, isNormal: boolean, random: Random): string {
  const index = readFileSync(`${path}-shm`)
  const log = readFileSync(`${path}-wal`)
  rmSync(`${path}-shm`)
  const synced = headerBytes + frameBytes * index.readUInt32LE(isNormal ? 128 : 16)
  if (log.length <= synced) return 'nothing'
  const at = synced + random(log.length - synced)
  const kind = oneOf(random, kinds)
  const end = kind.startsWith('one sector') ? Math.min(log.length, (Math.floor(at / 512) + 1) * 512) : log.length
  if (kind === 'cut') writeFileSync(`${path}-wal`, log.subarray(0, at))
  else {
    for (let n = at; n < end; n += 1) log[n] = kind.endsWith('noise') ? random(256) : 0
    writeFileSync(`${path}-wal`, log)
  }
  return `${kind} from ${at - synced} of ${log.length - synced}`
}

function check(image: string, { calls: acknowledged, port }: Moment, isKill: boolean): readonly string[] {
  const wrong: string[] = []
  const calls = openStore(callsFile(join(image, 'calls.db')), systemClock)
  if (calls.recovery !== null) wrong.push(`calls.db was taken for damaged: ${calls.recovery.because}`)
  const fault = calls.database.pragma('integrity_check', { simple: true })
  if (fault !== 'ok') wrong.push(`calls.db: ${String(fault)}`)
  const half = calls.database.prepare<[number], number>(halfWritten).pluck().get(startedMs) ?? 0
  if (half > 0) wrong.push(`${half} half calls`)
  const kept = new Set(calls.database.prepare<[], number>('SELECT id FROM call').pluck().all())
  calls.database.close()
  // Calls are committed in the order of their ids: what is missing can only be the newest.
  const newest = isKill ? Number.POSITIVE_INFINITY : Math.max(0, ...kept)
  const missing = acknowledged.filter((id) => id <= newest && !kept.has(id))
  if (missing.length > 0) wrong.push(`${missing.length} of ${acknowledged.length} acknowledged calls are missing`)

  const config = new SqliteConfigStore({ path: join(image, 'pointsman.db'), clock: systemClock })
  if (config.recovery !== null) wrong.push('pointsman.db was taken for damaged')
  const stored = config.settings().proxyPort
  config.close()
  if (port !== 0 && stored !== port && stored !== port + 1) wrong.push(`setting ${stored} instead of ${port}`)
  return wrong
}
