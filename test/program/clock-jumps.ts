/**
 * The wall clock of the built program jumps by an hour and by ten years, forward and back, between calls and under them:
 * every call is served, no account renews more than once a jump, no row lasts a negative time or shares an id, and the
 * next start under the right clock finds them all (F60). Used by the test and by the long run.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Practice } from '../../src/main/practice/practice.ts'
import { addCodex, callNamed, openPractice, startOver } from './load.ts'
import { loggedFaults } from './program-health.ts'
import type { Program } from './run-program.ts'
import { until } from './start-core.ts'

export interface ClockFigures {
  readonly jumps: number
  readonly calls: number
  readonly renewals: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

interface TimedRow {
  readonly id: string
  readonly outcome: string | null
  readonly firstByteMs: number | null
  readonly totalMs: number | null
}

const hourMs = 3_600_000
/** A day short of the longest time that the log can be told to keep its rows: none is to be forgotten here. */
const tenYearsMs = (3_650 - 1) * 24 * hourMs
export const movedClockEntry = fileURLToPath(new URL('./moved-clock-process.ts', import.meta.url))
const accounts = ['codex-team', 'codex-personal'] as const
const callsAtOnce = 4

/** Offsets from the right time, one after the other. */
export const everyJump = [hourMs, 0, -hourMs, 0, tenYearsMs, 0, -tenYearsMs, 0, tenYearsMs, -tenYearsMs, hourMs]

/** `watched`: waits after each jump until the program has had the time to notice it by itself. */
export async function clockJumps(offsetsMs: readonly number[], watched: boolean): Promise<ClockFigures> {
  const home = mkdtempSync(join(tmpdir(), 'pointsman-clock-'))
  const clockFile = join(home, 'clock')
  const environment = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), POINTSMAN_TEST_CLOCK: clockFile }
  const place = { dataDir: join(home, 'data'), environment }
  const practice = await openPractice(5)
  const wrong: string[] = []
  let [program, calls, renewals]: [Program | null, number, number] = [null, 0, 0]
  try {
    program = await startOver(practice, { ...place, entry: movedClockEntry })
    for (const id of accounts) await addCodex(program, practice, id)
    await program.rpc('settings.set', { retentionDays: 3_650 })
    for (const [jump, offsetMs] of offsetsMs.entries()) {
      const before = renewalsOf(practice)
      // Some calls are under way while it jumps.
      const under = callMany(program, `under-${jump}`)
      await moveClock(program, clockFile, offsetMs)
      const answers = [...(await under), ...(await callMany(program, `after-${jump}`))]
      if (watched) await new Promise((resolve) => setTimeout(resolve, 6_000))
      answers.push(...(await callMany(program, `later-${jump}`)))
      calls += answers.length
      wrong.push(...answers.filter((text) => text !== '').map((text) => `jump ${jump} to ${offsetMs} ms: ${text}`))
      for (const [id, count] of renewalsOf(practice)) {
        const more = count - (before.get(id) ?? 0)
        renewals += more
        if (more > 1) wrong.push(`jump ${jump} to ${offsetMs} ms: ${id} renewed ${more} times`)
      }
    }
    wrong.push(...(await rowFaults(program, calls)))
    const code = await program.stop()
    if (code !== 0 || program.stderr() !== '') wrong.push(`it ended with ${code}: ${program.stderr().slice(0, 300)}`)
    wrong.push(...loggedFaults(program))
    program = await startOver(practice, place)
    wrong.push(...(await callMany(program, 'next-start')).filter((text) => text !== ''))
    wrong.push(...(await rowFaults(program, calls + callsAtOnce)))
    await program.stop()
    return { jumps: offsetsMs.length, calls, renewals, wrong }
  } finally {
    await program?.kill()
    await practice.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Of a program started with `movedClockEntry`; `file` is its `POINTSMAN_TEST_CLOCK`. */
export async function moveClock(program: Program, file: string, offsetMs: number): Promise<void> {
  writeFileSync(file, String(offsetMs))
  rmSync(`${file}.moved`, { force: true })
  process.kill(program.pid, 'SIGUSR2')
  const moved = () => (existsSync(`${file}.moved`) && readFileSync(`${file}.moved`, 'utf8') !== '' ? true : null)
  await until(moved, 'the clock has jumped')
}

/** What was wrong with each call; nothing when it was served. */
const callMany = (program: Program, name: string): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: callsAtOnce }, async (_, n) => {
      const answer = await callNamed(program, program.key(), `${name}-${n}`)
      const served = answer.end === 'whole' && answer.text.includes('response.completed')
      return served ? '' : `${name}-${n}: ${answer.status} ${answer.end} ${answer.text.slice(0, 200)}`
    }),
  )

function renewalsOf(practice: Practice): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { sourceId } of practice.seen({ origin: 'codexAuth', operation: 'token' })) {
    counts.set(sourceId ?? '', (counts.get(sourceId ?? '') ?? 0) + 1)
  }
  return counts
}

/** Every call has one finished row of a believable length. */
async function rowFaults(program: Program, calls: number): Promise<readonly string[]> {
  const page = await program.rpc<{ readonly rows: readonly TimedRow[]; readonly total: number }>('calls.page', {
    limit: 1_000,
  })
  const wrong: string[] = []
  if (page.total !== calls) wrong.push(`${page.total} rows for ${calls} calls`)
  const ids = new Set(page.rows.map(({ id }) => id))
  if (ids.size !== page.rows.length) wrong.push('rows share an id')
  for (const { id, outcome, firstByteMs, totalMs } of page.rows) {
    const isOdd = [firstByteMs, totalMs].some((ms) => ms === null || ms < 0 || ms > hourMs)
    if (outcome !== 'done' || isOdd) wrong.push(`row ${id}: ${outcome}, ${firstByteMs} ms, ${totalMs} ms`)
  }
  return wrong
}
