/**
 * The built program over a call log of 100 MB and more: damaged, it serves within seconds and has its rows back; over its
 * limit, it serves at once and shrinks beside its calls to within a tenth (F40, F45). Used by the long run.
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { callDatabase, callsFile } from '../../src/main/adapters/sqlite/calls/call-database.ts'
import { openCurrent } from '../../src/main/adapters/sqlite/database.ts'
import type { Practice } from '../../src/main/practice/practice.ts'
import { sampleCall, sampleDecision } from '../adapters/sqlite/sample-calls.ts'
import { addCodex, callNamed, openPractice, startOver } from './load.ts'
import type { Program } from './run-program.ts'
import { sequence } from './sequence.ts'
import { until } from './start-core.ts'

export interface LargeLogFigures {
  readonly damagedMb: number
  readonly damagedPages: number
  /** From the start of the process to its first served call, s. */
  readonly servedAfterSeconds: number
  /** Of it the processor's time, which doesn't hang on how crowded the machine is. */
  readonly ofItProcessorSeconds: number
  readonly rowsLostOnIntactPages: number
  readonly rowsLost: number
  readonly overLimitMb: number
  readonly limitMb: number
  /** When the first call had been served, so that nothing was cleaned before. */
  readonly firstServedMb: number
  readonly shrunkMb: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: string[]
}

const mb = 1_000_000
const pageSize = 4_096
const pagesToDamage = 40
const limitBytes = 60 * mb

export async function largeLog(megabytes: number): Promise<LargeLogFigures> {
  const home = mkdtempSync(join(tmpdir(), 'pointsman-large-'))
  const practice = await openPractice()
  const wrong: string[] = []
  try {
    const damaged = await damagedLog(home, practice, megabytes * mb, wrong)
    const shrinking = await shrinkingLog(home, practice, megabytes * mb, wrong)
    return { ...damaged, ...shrinking, wrong }
  } finally {
    await practice.close()
    rmSync(home, { recursive: true, force: true })
  }
}

async function damagedLog(home: string, practice: Practice, bytes: number, wrong: string[]) {
  const place = placeOf(home, 'damaged')
  const { path } = place
  const rows = fill(path, bytes)
  const size = statSync(path).size
  const onDamaged = stomp(path)
  const beganMs = performance.now()
  const program = await startOver(practice, place)
  try {
    await serve(program, practice, wrong)
    const servedAfterSeconds = Math.round(performance.now() - beganMs) / 1_000
    const ofItProcessorSeconds = processorSeconds(program)
    if (ofItProcessorSeconds > 5) wrong.push(`${ofItProcessorSeconds} s of processor before the first call`)
    const back = (await totalOf(program)) - 1
    const rowsLostOnIntactPages = Math.max(0, rows - onDamaged - back)
    if (rowsLostOnIntactPages > rows / 100) wrong.push(`${back} of ${rows - onDamaged} rows on intact pages came back`)
    return {
      damagedMb: Math.round(size / mb),
      damagedPages: pagesToDamage,
      servedAfterSeconds,
      ofItProcessorSeconds,
      rowsLostOnIntactPages,
      rowsLost: rows - back,
    }
  } finally {
    await program.stop()
    rmSync(place.dataDir, { recursive: true })
  }
}

async function shrinkingLog(home: string, practice: Practice, bytes: number, wrong: string[]) {
  const place = placeOf(home, 'shrinking')
  const { path } = place
  const first = await startOver(practice, place)
  await first.rpc('settings.set', { retentionBytes: limitBytes })
  await first.stop()
  fill(path, bytes)
  const overLimitMb = Math.round(statSync(path).size / mb)
  const program = await startOver(practice, place)
  try {
    await serve(program, practice, wrong)
    const firstServedMb = Math.round(statSync(path).size / mb)
    // Emptying the file before the first call would be the start-up pause that nobody wants.
    if (firstServedMb < overLimitMb * 0.9) wrong.push(`cleaned up before the first call: ${firstServedMb} MB left`)
    const isSmall = () => (statSync(path).size < limitBytes * 1.1 ? true : null)
    await until(isSmall, 'the log is as small as it may be', 600_000)
    // Whatever would still be taken away is taken by then.
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const shrunkMb = Math.round(statSync(path).size / mb)
    if (shrunkMb * mb < limitBytes * 0.9) wrong.push(`${shrunkMb} MB are left of ${limitBytes / mb}`)
    return { overLimitMb, limitMb: limitBytes / mb, firstServedMb, shrunkMb }
  } finally {
    await program.stop()
  }
}

/** In ticks of a hundredth, fields 14 and 15 (proc(5)). */
function processorSeconds({ pid }: Program): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function placeOf(home: string, name: string) {
  const dataDir = join(home, name)
  mkdirSync(dataDir, { mode: 0o700 })
  const environment = { HOME: home, XDG_CONFIG_HOME: join(home, `${name}-config`) }
  return { dataDir, environment, path: join(dataDir, 'calls.db') }
}

/** One call, so that the program serves in earnest. */
async function serve(program: Program, practice: Practice, wrong: string[]): Promise<void> {
  await addCodex(program, practice)
  const { status, text } = await callNamed(program, program.key(), 'first')
  if (status !== 200 || !text.includes('response.completed'))
    wrong.push(`the first call: ${status} ${text.slice(0, 200)}`)
}

const totalOf = async (program: Program): Promise<number> =>
  (await program.rpc<{ readonly total: number }>('calls.page', { limit: 1 })).total

/** Calls of the last days until the file has this size; how many. */
function fill(path: string, bytes: number): number {
  const store = callDatabase(openCurrent(callsFile(path)))
  let rows = 0
  const startedMs = Date.now() - 10 * 86_400_000
  const warnings = ['as long as the decisions of a busy day are ', 'with a few seats '].map((text) => text.repeat(6))
  for (; statSync(path).size < bytes; rows += 500) {
    store.saveFinished(
      Array.from({ length: 500 }, (_, n) => ({
        record: sampleCall((startedMs + rows + n) * 1_000, { decision: { ...sampleDecision, warnings } }),
        mayExist: false,
      })),
    )
  }
  store.close()
  return rows
}

/** Overwrites pages anywhere with noise; how many calls lay on one of them, with either of their rows. */
function stomp(path: string): number {
  const database = new Database(path, { readonly: true })
  const pages = database.pragma('page_count', { simple: true }) as number
  const random = sequence(11)
  const chosen = new Set<number>()
  while (chosen.size < pagesToDamage) chosen.add(2 + random(pages - 1))
  const cells = database
    .prepare<[], { pageno: number; ncell: number }>(
      `SELECT pageno, ncell FROM dbstat WHERE name IN ('call', 'detail') AND pagetype = 'leaf'`,
    )
    .all()
  database.close()
  const lost = cells.filter(({ pageno }) => chosen.has(pageno)).reduce((sum, { ncell }) => sum + ncell, 0)
  const descriptor = openSync(path, 'r+')
  for (const page of chosen) {
    const noise = Buffer.from(Array.from({ length: pageSize }, () => random(256)))
    writeSync(descriptor, noise, 0, pageSize, (page - 1) * pageSize)
  }
  closeSync(descriptor)
  return lost
}
