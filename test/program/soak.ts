/**
 * The built program under long load of which some calls fail in every way an upstream or a client can: memory after a
 * collection stays flat, descriptors come back, no fault is logged, nothing broken looks complete and no complete call
 * lacks its row (F26, F48, F49). Used by the test and by the long run.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askPlanned, openPlannedUpstream, type Plan, planOf } from './planned-upstream.ts'
import { calmDescriptors, loggedFaults } from './program-health.ts'
import { type Program, startProgram } from './run-program.ts'
import { until } from './start-core.ts'

export interface SoakFigures {
  readonly requests: number
  readonly complete: number
  readonly broken: number
  readonly left: number
  /** Rows of the log, all finished. */
  readonly rows: number
  /** Used memory after a collection, per 100,000 requests behind the warm-up, MB. */
  readonly grownMb: number
  /** The same for the whole process; a collection gives pages back late, so this is for looking at. */
  readonly residentGrownMb: number
  readonly descriptorsMore: number
  readonly faultsLogged: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: string[]
}

interface Measure {
  readonly heapUsed: number
  readonly external: number
  readonly rss: number
}

const faultPercent = 5
const concurrency = 24
const sessions = 200
const mostWrong = 20
const mb = 1_000_000
const entry = fileURLToPath(new URL('./measured-process.ts', import.meta.url))
const plan = (number: number): Plan => planOf(number, 100 - faultPercent)

/** `requests` behind a warm-up of `warmUp`; `say` hears how memory stands. */
export async function soak(
  requests: number,
  warmUp: number,
  say: (text: string) => void = () => {},
): Promise<SoakFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'pointsman-soak-'))
  const measures = join(folder, 'measures')
  const dataDir = join(folder, 'data')
  const upstream = await openPlannedUpstream(plan)
  const { POINTSMAN_TEST_SNAPSHOTS: snapshots } = process.env
  const environment = {
    POINTSMAN_TEST_MEASURES: measures,
    ...(snapshots === undefined ? {} : { POINTSMAN_TEST_SNAPSHOTS: snapshots }),
  }
  const program = await startProgram({ practice: false, dataDir, entry, environment, args: ['--vault', 'memory'] })
  try {
    await addSources(program, upstream.port)
    const load = newLoad(program)
    const rest = async (): Promise<{ readonly memory: Measure; readonly descriptors: number }> => {
      load.disconnect()
      for (const socket of upstream.sockets) socket.destroy()
      await until(async () => ((await count(program, 'open')) === 0 ? true : null), 'every row is finished', 60_000)
      const memory = await measured(program, measures)
      say(`${load.counts.asked} calls: ${round(memory.heapUsed / mb)} MB used, ${round(memory.rss / mb)} MB resident`)
      return { memory, descriptors: await calmDescriptors(program) }
    }
    await load.run(warmUp)
    const before = await rest()
    await load.run(requests / 2)
    await rest()
    await load.run(requests / 2)
    const after = await rest()
    const rows = await count(program)
    const done = await count(program, 'done')
    const { wrong, counts } = load
    if (rows !== counts.asked) wrong.push(`${rows} rows for ${counts.asked} calls`)
    // A client that left may have done so behind the end marker.
    if (done < counts.complete || done > counts.complete + counts.left) {
      wrong.push(`${done} rows say done for ${counts.complete} complete calls`)
    }
    const descriptorsMore = after.descriptors - before.descriptors
    if (Math.abs(descriptorsMore) > 2) wrong.push(`${descriptorsMore} descriptors more than before`)
    const code = await program.stop()
    if (code !== 0) wrong.push(`it ended with ${code}`)
    if (program.stderr() !== '') wrong.push(`it printed ${program.stderr().slice(0, 300)}`)
    const faults = loggedFaults(program)
    wrong.push(...faults.slice(0, 3))
    const per100k = (bytes: number): number => round((bytes / mb / requests) * 100_000)
    const used = ({ heapUsed, external }: Measure): number => heapUsed + external
    const { complete, broken, left } = counts
    return {
      ...{ requests: counts.asked, complete, broken, left, rows },
      grownMb: per100k(used(after.memory) - used(before.memory)),
      residentGrownMb: per100k(after.memory.rss - before.memory.rss),
      descriptorsMore,
      faultsLogged: faults.length,
      wrong,
    }
  } finally {
    await program.kill()
    await upstream.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function newLoad(program: Program) {
  const port = Number(new URL(program.address).port)
  const key = program.key()
  const counts = { asked: 0, complete: 0, broken: 0, left: 0 }
  const wrong: string[] = []
  let agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const one = async (number: number): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'x-session-id': `soak-${number % sessions}` }
    const asked = await askPlanned(plan(number), { port, headers, agent })
    counts[asked.counts] += 1
    if (asked.wrong !== null) wrong.push(asked.wrong)
  }
  return {
    counts,
    wrong,
    async run(requests: number): Promise<void> {
      const last = counts.asked + requests
      const worker = async (): Promise<void> => {
        while (counts.asked < last && wrong.length < mostWrong) await one(counts.asked++)
      }
      await Promise.all(Array.from({ length: concurrency }, worker))
    },
    disconnect() {
      agent.destroy()
      agent = new Agent({ keepAlive: true, maxSockets: concurrency })
    },
  }
}

async function addSources(program: Program, port: number): Promise<void> {
  for (const [id, dialects] of [
    ['mixed-messages', ['messages']],
    ['mixed-openai', ['responses', 'chat']],
  ] as const) {
    await program.rpc('profiles.create', {
      kind: 'api',
      label: id,
      dialects,
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: `sk-${id}-0123456789abcdef`,
      models: [{ id: 'mixed' }],
    })
  }
}

async function count(program: Program, outcome?: string): Promise<number> {
  const filter = outcome === undefined ? {} : { filter: { outcome } }
  const { total } = await program.rpc<{ readonly total: number }>('calls.page', { limit: 1, offset: 0, ...filter })
  return total
}

async function measured(program: Program, file: string): Promise<Measure> {
  const lines = (): readonly string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
  const before = lines().length
  process.kill(program.pid, 'SIGUSR2')
  return until(
    () => {
      const found = lines()
      return found.length > before ? (JSON.parse(found.at(-1) ?? '') as Measure) : null
    },
    'the program has measured itself',
    60_000,
  )
}

const round = (figure: number): number => Math.round(figure * 100) / 100
