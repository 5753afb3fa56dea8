/**
 * The program killed at any moment under load, again and again on one data folder: nothing acknowledged may be lost
 * (F33, F34). Used by the test and by the long run.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Practice } from '../../src/main/practice/practice.ts'
import { send } from './client.ts'
import { addCodex, allRows, callNamed, openPractice, type Row, startOver } from './load.ts'
import type { Program } from './run-program.ts'
import { until } from './start-core.ts'

export interface KillFigures {
  readonly cycles: number
  readonly acknowledged: number
  readonly rows: number
  readonly interrupted: number
  readonly keysMade: number
  readonly secretsChanged: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

interface Acknowledged {
  readonly calls: Set<string>
  readonly keys: Set<string>
  /** Number of the newest API key whose saving was confirmed, and of the newest that was sent. */
  secret: number
  sent: number
}

const workers = 6
/** A kill before any call was acknowledged would prove nothing. */
const leastCalls = 3
const mostWrong = 20
const secretOf = (number: number): string => `sk-kill-cycle-key-${String(number).padStart(8, '0')}`

export async function killCycles(cycles: number, say: (text: string) => void = () => {}): Promise<KillFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'pointsman-kill-'))
  const dataDir = join(folder, 'data')
  // The vault's key file lies under HOME: one for all cycles.
  const environment = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') }
  const practice = await openPractice()
  const acknowledged: Acknowledged = { calls: new Set(), keys: new Set(), secret: 0, sent: 0 }
  const wrong: string[] = []
  let rows: readonly Row[] = []
  let program: Program | null = null
  try {
    practice.addKey('openaiApi', 'kill-0', secretOf(0))
    program = await startOver(practice, { dataDir, environment })
    await addCodex(program, practice)
    await program.rpc('profiles.create', {
      kind: 'api',
      label: 'kill',
      dialects: ['responses'],
      baseUrl: practice.origins.openaiApi,
      apiKey: secretOf(0),
      models: [{ id: 'gpt-5.5' }],
    })
    for (let cycle = 0; cycle < cycles && wrong.length < mostWrong; cycle += 1) {
      const load = startLoad(program, practice, cycle, acknowledged)
      const enough = acknowledged.calls.size + leastCalls
      await new Promise((resolve) => setTimeout(resolve, 60 + ((cycle * 97) % 340)))
      await until(() => (acknowledged.calls.size >= enough ? true : null), 'calls are served', 30_000)
      await program.kill()
      await load.stopped()
      program = await startOver(practice, { dataDir, environment })
      rows = await allRows(program)
      const found = await check(program, practice, dataDir, rows, acknowledged)
      wrong.push(...found.map((text) => `cycle ${cycle}: ${text}`))
      if ((cycle + 1) % 10 === 0) say(`${cycle + 1} kills, ${acknowledged.calls.size} calls, ${wrong.length} wrong`)
    }
    const code = await program.stop()
    program = null
    if (code !== 0) wrong.push(`the last end was ${code}`)
    return {
      cycles,
      acknowledged: acknowledged.calls.size,
      rows: rows.length,
      interrupted: rows.filter((row) => row.outcome === 'interrupted').length,
      keysMade: acknowledged.keys.size,
      secretsChanged: acknowledged.secret,
      wrong,
    }
  } finally {
    await program?.kill()
    await practice.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function startLoad(program: Program, practice: Practice, cycle: number, acknowledged: Acknowledged) {
  let running = true
  const key = program.key()
  const calls = async (worker: number): Promise<void> => {
    for (let n = 0; running; n += 1) {
      const name = `kill-${cycle}-${worker}-${n}`
      const answer = await callNamed(program, key, name, { stream: n % 2 === 0 })
      if (answer.end !== 'whole') return
      if (answer.status === 200) acknowledged.calls.add(name)
    }
  }
  const changes = async (): Promise<void> => {
    for (let n = 0; running; n += 1) {
      const label = `key ${cycle} ${n}`
      await program.rpc('keys.create', { label })
      acknowledged.keys.add(label)
      const number = acknowledged.sent + 1
      practice.addKey('openaiApi', `kill-${number}`, secretOf(number))
      acknowledged.sent = number
      await program.rpc('profiles.update', { id: 'kill', apiKey: secretOf(number) })
      acknowledged.secret = number
    }
  }
  const all = Promise.allSettled([...Array.from({ length: workers }, (_, worker) => calls(worker)), changes()])
  return {
    stopped() {
      running = false
      return all
    },
  }
}

async function check(
  program: Program,
  practice: Practice,
  dataDir: string,
  rows: readonly Row[],
  acknowledged: Acknowledged,
): Promise<readonly string[]> {
  const wrong: string[] = []
  const done = new Map<string, number>()
  for (const { outcome, requestedModel } of rows) {
    if (outcome === 'done') done.set(requestedModel, (done.get(requestedModel) ?? 0) + 1)
  }
  for (const name of acknowledged.calls) {
    if (done.get(name) !== 1) wrong.push(`the acknowledged call ${name} has ${done.get(name) ?? 0} rows`)
  }
  const open = rows.filter((row) => row.outcome === null).length
  if (open > 0) wrong.push(`${open} rows of an earlier run are still open`)
  for (const name of ['calls.db', 'pointsman.db']) {
    const database = new Database(join(dataDir, name), { readonly: true })
    const found = database.pragma('integrity_check', { simple: true })
    database.close()
    if (found !== 'ok') wrong.push(`${name}: ${String(found)}`)
  }
  const keys = await program.rpc<readonly { readonly label: string }[]>('keys.list', {})
  const labels = new Set(keys.map((key) => key.label))
  for (const label of acknowledged.keys) {
    if (!labels.has(label)) wrong.push(`the acknowledged access key ${label} is gone`)
  }
  wrong.push(...(await checkVault(program, practice, acknowledged)))
  const odd = readdirSync(dataDir).filter((name) => /tmp|partial|corrupt/.test(name))
  if (odd.length > 0) wrong.push(`left behind: ${odd.join(', ')}`)
  return wrong
}

/** The profile's API key is the newest confirmed one or the one that was being saved: never older, never neither. */
async function checkVault(
  program: Program,
  practice: Practice,
  acknowledged: Acknowledged,
): Promise<readonly string[]> {
  const before = practice.seen({ origin: 'openaiApi' }).at(-1)?.number ?? 0
  const answer = await send({
    port: Number(new URL(program.address).port),
    path: '/kill/v1/responses',
    body: JSON.stringify({ model: 'gpt-5.5', input: 'hi' }),
    headers: { authorization: `Bearer ${program.key()}` },
  })
  if (answer.status !== 200) return [`the profile’s key can’t be used: ${answer.status} ${answer.text.slice(0, 120)}`]
  const used = practice.seen({ origin: 'openaiApi' }).find(({ number }) => number > before)?.sourceId
  const number = Number(used?.replace('kill-', '') ?? Number.NaN)
  const { secret, sent } = acknowledged
  if (!(number >= secret && number <= sent)) return [`the vault holds ${number}; confirmed was ${secret}, sent ${sent}`]
  acknowledged.secret = number
  return []
}
