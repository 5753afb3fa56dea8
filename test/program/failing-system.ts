/**
 * The built program while one call to the system fails: the n-th write, sync, rename, opening or reading of a file of its
 * data folder, or the n-th connection. It serves or says in one sentence why it doesn't start, and the next start finds
 * everything that was acknowledged (F38, F2). Made by strace; used by the test and by the long run.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import type { Practice } from '../../src/main/practice/practice.ts'
import { addCodex, allRows, callNamed, openPractice, startOver } from './load.ts'
import type { Program, ProgramOptions } from './run-program.ts'

/** Each kind: the calls that fail, how, and whether only those on files of the data folder count. */
const kinds = {
  write: { calls: 'write,pwrite64,pwritev,writev', error: 'EIO', onFiles: true },
  'full disk': { calls: 'write,pwrite64,pwritev,writev', error: 'ENOSPC', onFiles: true },
  sync: { calls: 'fsync,fdatasync', error: 'EIO', onFiles: true },
  rename: { calls: 'rename,renameat,renameat2', error: 'EIO', onFiles: true },
  open: { calls: 'openat,open', error: 'EIO', onFiles: true },
  read: { calls: 'read,pread64', error: 'EIO', onFiles: true },
  connect: { calls: 'connect', error: 'ETIMEDOUT', onFiles: false },
} as const

export type FailureKind = keyof typeof kinds
const failureKinds = Object.keys(kinds) as readonly FailureKind[]

export interface FailureFigures {
  readonly runs: number
  readonly served: number
  /** Starts that were refused with a sentence. */
  readonly refused: number
  readonly acknowledged: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

interface Acknowledged {
  readonly calls: string[]
  readonly keys: string[]
  secret: number
  sent: number
}

const files = [
  ...['pointsman.db', 'pointsman.db-wal', 'pointsman.db-shm', 'calls.db', 'calls.db-wal', 'calls.db-shm'],
  ...['vault', 'vault.tmp', 'vault.prev', 'vault.reserve', 'owner.lock', 'key-secret', 'key-secret.tmp'],
  ...['default-key', 'default-key.tmp', 'instance.json', 'instance.json.tmp', 'pointsman.log', ''],
]
const calls = 12
const guarded = fileURLToPath(new URL('../net/guarded-process.ts', import.meta.url))
const secretOf = (number: number): string => `sk-failing-system-${String(number).padStart(8, '0')}`

/** One run with the `nth` call of that kind failing, on a folder that has been used before. */
export async function withFailure(kind: FailureKind, nth: number): Promise<FailureFigures> {
  const home = mkdtempSync(join(tmpdir(), 'pointsman-failing-'))
  const dataDir = join(home, 'data')
  const environment = { HOME: home, XDG_CONFIG_HOME: join(home, 'config') }
  const practice = await openPractice()
  const acknowledged: Acknowledged = { calls: [], keys: [], secret: 0, sent: 0 }
  const wrong: string[] = []
  let outcome: 'served' | 'refused' = 'served'
  const started: Program[] = []
  const start = async (more: ProgramOptions = {}): Promise<Program> => {
    const program = await startOver(practice, { dataDir, environment, startBoundMs: 120_000, ...more })
    started.push(program)
    return program
  }
  try {
    const first = await start()
    await addCodex(first, practice)
    await addProfile(first, practice)
    if ((await first.stop()) !== 0) wrong.push('the first run did not end well')

    try {
      const faulty = await start({ ...tracing(kind, nth, dataDir), entry: guarded })
      await use(faulty, practice, acknowledged, kind === 'connect' ? 1 : 0, wrong)
      const code = await faulty.stop()
      if (code !== 0) wrong.push(`it ended with ${code}`)
      if (faulty.stderr() !== '') wrong.push(`it printed ${faulty.stderr().slice(0, 300)}`)
    } catch (cause) {
      outcome = 'refused'
      // A sentence as JSON, never a stack.
      const text = cause instanceof Error ? cause.message : String(cause)
      if (
        !/^The program did not start: it ended with \d+\n\{"code":"\w+","sentence":"[^"]+","next":"[^"]+"\}\n$/.test(
          text,
        )
      )
        wrong.push(text.slice(0, 600))
    }

    const after = await start()
    wrong.push(...(await check(after, practice, dataDir, acknowledged)))
    if ((await after.stop()) !== 0) wrong.push('the last run did not end well')
    return {
      runs: 1,
      served: outcome === 'served' ? 1 : 0,
      refused: outcome === 'refused' ? 1 : 0,
      acknowledged: acknowledged.calls.length,
      wrong: wrong.map((text) => `${kind} ${nth}: ${text}`),
    }
  } finally {
    await Promise.all(started.map((program) => program.kill()))
    await practice.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** The `nth` call of every kind failing, one run each. */
export async function withEachFailure(nth: number): Promise<FailureFigures> {
  const sum = { runs: 0, served: 0, refused: 0, acknowledged: 0, wrong: [] as string[] }
  for (const kind of failureKinds) {
    const figures = await withFailure(kind, nth)
    for (const name of ['runs', 'served', 'refused', 'acknowledged'] as const) sum[name] += figures[name]
    sum.wrong.push(...figures.wrong)
  }
  return sum
}

/** `-D` leaves the program itself as our child, so that signals reach it. */
function tracing(kind: FailureKind, nth: number, dataDir: string): Pick<ProgramOptions, 'node' | 'nodeArguments'> {
  const { calls: names, error, onFiles } = kinds[kind]
  const paths = onFiles ? files.flatMap((name) => ['-P', join(dataDir, name).replace(/\/$/, '')]) : []
  const inject = ['-e', `trace=${names}`, '-e', `inject=${names}:error=${error}:when=${nth}`]
  const how = ['-D', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null']
  return { node: 'strace', nodeArguments: [...how, ...paths, ...inject, process.execPath] }
}

async function addProfile(program: Program, practice: Practice): Promise<void> {
  practice.addKey('openaiApi', 'failing-0', secretOf(0))
  await program.rpc('profiles.create', {
    kind: 'api',
    label: 'failing',
    dialects: ['responses'],
    baseUrl: practice.origins.openaiApi,
    apiKey: secretOf(0),
    models: [{ id: 'gpt-5.5' }],
  })
}

/** Calls and changes; of the calls at most `mayFail` may be anything but served. */
async function use(
  program: Program,
  practice: Practice,
  acknowledged: Acknowledged,
  mayFail: number,
  wrong: string[],
): Promise<void> {
  const key = program.key()
  let failed = 0
  for (let n = 0; n < calls; n += 1) {
    const name = `failing-${n}`
    const answer = await callNamed(program, key, name, { stream: n % 2 === 0 })
    if (answer.end === 'whole' && answer.text.includes('"completed"')) acknowledged.calls.push(name)
    // A vault that could not be read stays shut until it is asked again; every call then hears so.
    else if (!answer.text.includes('The vault is locked.') && ++failed > mayFail)
      wrong.push(`call ${n}: ${answer.status} ${answer.end} ${answer.text.slice(0, 200)}`)
    if (n % 3 === 0) await change(program, practice, acknowledged)
  }
}

/** A change that is refused must say so with a code of ours; it then doesn't count. */
async function change(program: Program, practice: Practice, acknowledged: Acknowledged): Promise<void> {
  const refused = (cause: unknown): void => {
    if (typeof (cause as { data?: { code?: unknown } }).data?.code !== 'string') throw cause
  }
  const label = `key ${acknowledged.sent}`
  await program.rpc('keys.create', { label }).then(() => acknowledged.keys.push(label), refused)
  const number = acknowledged.sent + 1
  practice.addKey('openaiApi', `failing-${number}`, secretOf(number))
  acknowledged.sent = number
  await program.rpc('profiles.update', { id: 'failing', apiKey: secretOf(number) }).then(() => {
    acknowledged.secret = number
  }, refused)
}

async function check(
  program: Program,
  practice: Practice,
  dataDir: string,
  acknowledged: Acknowledged,
): Promise<readonly string[]> {
  const wrong: string[] = []
  const rows = await allRows(program)
  for (const name of acknowledged.calls) {
    const found = rows.filter((row) => row.requestedModel === name && row.outcome === 'done').length
    if (found !== 1) wrong.push(`the acknowledged call ${name} has ${found} rows`)
  }
  const keys = await program.rpc<readonly { readonly label: string }[]>('keys.list', {})
  const labels = new Set(keys.map((key) => key.label))
  for (const label of acknowledged.keys) if (!labels.has(label)) wrong.push(`the acknowledged ${label} is gone`)
  for (const name of ['calls.db', 'pointsman.db']) {
    const database = new Database(join(dataDir, name), { readonly: true })
    const fault = database.pragma('integrity_check', { simple: true })
    database.close()
    if (fault !== 'ok') wrong.push(`${name}: ${String(fault)}`)
  }
  const answer = await callNamed(program, program.key(), 'after')
  if (answer.status !== 200) wrong.push(`a call after it: ${answer.status} ${answer.text.slice(0, 200)}`)
  wrong.push(...(await checkSecret(program, practice, acknowledged)))
  const odd = readdirSync(dataDir).filter((name) => /\.tmp$|corrupt/.test(name))
  if (odd.length > 0) wrong.push(`left behind: ${odd.join(', ')}`)
  return wrong
}

/** The profile's key is the newest confirmed one or one that was sent after it. */
async function checkSecret(program: Program, practice: Practice, { secret, sent }: Acknowledged): Promise<string[]> {
  const before = practice.seen({ origin: 'openaiApi' }).at(-1)?.number ?? 0
  await program.rpc('models.test', { backendId: 'failing:gpt-5.5' })
  const used = practice.seen({ origin: 'openaiApi' }).find(({ number }) => number > before)?.sourceId
  const number = Number(used?.replace('failing-', '') ?? Number.NaN)
  return number >= secret && number <= sent ? [] : [`the vault holds ${number}; confirmed was ${secret}, sent ${sent}`]
}
