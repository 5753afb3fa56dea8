// The long forms of the proofs, in parts; what is done is kept in `.deep/summary.json` and not done again, so that a run
// may be broken off and taken up. A part counts for the state of the sources it was run on. Prints every figure.
// `npm run test:deep -- kills streams` runs only the parts named; `--again` forgets what was done before.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import '../test/net/loopback-only.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, '.deep')
const summaryFile = join(folder, 'summary.json')

/** `chunks` runs of `run`, each with its number and kept by itself; figures are added up. */
const parts = [
  {
    name: 'kills',
    what: 'kill -9 under load (F33)',
    chunks: 10,
    run: async () => (await import('../test/program/kill-cycles.ts')).killCycles(30, say),
  },
  {
    name: 'streams',
    what: 'mixed streams, byte for byte',
    chunks: 5,
    run: async () => (await import('../test/program/mixed-run.ts')).mixedRun(1_000, 40),
  },
  {
    name: 'soak',
    what: '50,000 calls, one in twenty failing; memory within 1 MB per 100,000',
    chunks: 1,
    run: async () => {
      const figures = await (await import('../test/program/soak.ts')).soak(50_000, 20_000, say)
      if (figures.grownMb > 1) figures.wrong.push(`${figures.grownMb} MB more per 100,000 calls`)
      return figures
    },
  },
  {
    name: 'requests',
    what: '100,000 broken requests on the data port (T7)',
    chunks: 5,
    run: async (chunk) => (await import('../test/program/fuzz-requests.ts')).fuzzRequests(20_000, chunk * 20_000),
  },
  {
    name: 'answers',
    what: 'answers split at every byte in three dialects, and 50,000 broken ones (T6, F12 to F22)',
    chunks: 10,
    // The splits are the same each time: done once.
    run: async (chunk) =>
      (await import('../test/program/fuzz-answers.ts')).fuzzAnswers(chunk === 0 ? 1 : 100_000, 5_000, chunk * 5_000),
  },
  {
    name: 'system',
    what: 'the n-th write, sync, rename, opening, reading or connection fails, n up to 30 (F38)',
    chunks: 30,
    run: async (chunk) => (await import('../test/program/failing-system.ts')).withEachFailure(chunk + 1),
  },
  {
    name: 'starts',
    what: '20 starts at once on one folder, 20 times (F57)',
    chunks: 4,
    run: async () => (await import('../test/program/starts-at-once.ts')).startsAtOnce(5, 20),
  },
  {
    name: 'large-log',
    what: 'a damaged call log of 110 MB, and one over its limit (F40, F45)',
    chunks: 1,
    run: async () => (await import('../test/program/large-log.ts')).largeLog(110),
  },
  {
    name: 'clock',
    what: 'the wall clock jumps by an hour and by ten years, and is noticed (F60)',
    chunks: 1,
    run: async () => {
      const { clockJumps, everyJump } = await import('../test/program/clock-jumps.ts')
      return clockJumps(everyJump, true)
    },
  },
  {
    name: 'refreshes',
    what: 'one renewal per round of 50 calls (F61)',
    chunks: 10,
    run: async () => (await import('../test/program/refresh-rounds.ts')).refreshRounds(100, 50),
  },
  {
    name: 'leaving',
    what: '1,000 clients that leave (F25)',
    chunks: 1,
    run: () => suite('integration', ['test/program/leaving.test.ts'], { POINTSMAN_LEAVING_TRIALS: '1000' }),
  },
  {
    name: 'payloads',
    what: '100,000 random messages on the window’s port (T4.4)',
    chunks: 1,
    run: () => suite('integration', ['test/desktop/port-payloads.real.test.ts'], { POINTSMAN_PAYLOADS: '100000' }),
  },
  {
    name: 'vault',
    what: 'the vault at full size',
    chunks: 1,
    run: () => suite('integration', ['test/adapters/vault']),
  },
  {
    name: 'stores',
    what: 'the stores at full size',
    chunks: 1,
    run: () => suite('integration', ['test/adapters/sqlite']),
  },
  {
    name: 'access',
    what: '200,000 steps of the state machine over keys, policies and budgets',
    chunks: 1,
    run: () => suite('unit', ['test/state/access-machine.test.ts'], { POINTSMAN_ACCESS_STEPS: '200000' }),
  },
  {
    name: 'translation',
    what: '200,000 generated streams in each of six directions, and as many with something odd in them',
    chunks: 10,
    run: () =>
      suite('unit', ['test/translate/invariants.test.ts', 'test/translate/odd-answers.test.ts'], {
        POINTSMAN_TRANSLATE_STREAMS: '20000',
      }),
  },
  {
    name: 'faults',
    what: 'silence of five minutes, an answer of 2 GiB, 5,000 injected texts (F15, F21, T7.5)',
    chunks: 1,
    run: () =>
      suite(
        'integration',
        ['long-waits', 'scarce', 'injection'].map((name) => `test/program/${name}.test.ts`),
      ),
  },
  {
    name: 'guards',
    what: 'each guard taken away, and its test red (T1 to T7)',
    chunks: 1,
    run: () => mutated('guards'),
  },
  {
    name: 'known-bugs',
    what: 'the rule against each known bug of translators taken away, and its test red',
    chunks: 1,
    run: () => mutated('knownBugs'),
  },
  { name: 'unit', what: 'properties and simulations at full size', chunks: 1, run: () => suite('unit', []) },
]

const asked = process.argv.slice(2)
const wanted = asked.filter((argument) => !argument.startsWith('--'))
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name))
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. There are: ${parts.map((part) => part.name).join(', ')}.`)
  process.exit(2)
}

const state = sourcesDigest()
mkdirSync(folder, { recursive: true })
const summary = asked.includes('--again') ? {} : readSummary()
let failed = 0

for (const part of parts) {
  if (wanted.length > 0 && !wanted.includes(part.name)) continue
  const known = summary[part.name]?.state === state ? summary[part.name] : { state, chunks: [] }
  const left = part.chunks - known.chunks.length
  console.log(`\n── ${part.name}: ${part.what}${left < part.chunks ? `, ${left} of ${part.chunks} left` : ''}`)
  for (let chunk = known.chunks.length; chunk < part.chunks; chunk += 1) {
    const beganMs = Date.now()
    const figures = await figuresOf(part, chunk)
    known.chunks.push({ ...figures, seconds: Math.round((Date.now() - beganMs) / 100) / 10 })
    summary[part.name] = known
    writeSummary()
    if (figures.wrong.length > 0) break
  }
  const sum = addedUp(known.chunks)
  console.log(
    `   ${Object.entries(sum.figures)
      .map(([name, figure]) => `${name} ${figure}`)
      .join(', ')}`,
  )
  for (const wrong of sum.wrong) console.log(`   WRONG ${wrong}`)
  if (sum.wrong.length === 0) continue
  failed += 1
  // What went wrong is done anew next time.
  summary[part.name] = { ...known, chunks: known.chunks.filter(({ wrong }) => wrong.length === 0) }
  writeSummary()
}

console.log(failed === 0 ? '\nEverything held.' : `\n${failed} part(s) went wrong.`)
process.exit(failed === 0 ? 0 : 1)

/** A run that breaks down is one that went wrong. */
async function figuresOf(part, chunk) {
  try {
    return await part.run(chunk)
  } catch (cause) {
    return { wrong: [String(cause?.message ?? cause).slice(0, 1_000)] }
  }
}

function say(text) {
  console.log(`   ${text}`)
}

/** The rules of one table taken away, one at a time. */
async function mutated(table) {
  const { mutate } = await import('./mutate.mjs')
  const { killed, survived } = mutate((await import('./mutations/all.mjs'))[table], say)
  return { killed, wrong: survived.map((rule) => `survived: ${rule}`) }
}

/** Vitest over some files, with every long form switched on. */
function suite(project, files, environment = {}) {
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const args = ['run', '--project', project, '--testTimeout', '3600000', ...files]
  const env = { ...process.env, POINTSMAN_DEEP: '1', NO_COLOR: '1', ...environment }
  const { status, stdout } = spawnSync(vitest, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  const counts = /Tests\s+(?:(\d+) failed[^\d]*)?(?:(\d+) passed)?/.exec(stdout)
  const wrong = [...stdout.matchAll(/FAIL\s+(.+)/g)].map((match) => match[1])
  if (status !== 0 && wrong.length === 0) wrong.push(`vitest ended with ${status}: ${stdout.slice(-2_000)}`)
  return { passed: Number(counts?.[2] ?? 0), wrong }
}

function addedUp(chunks) {
  const figures = {}
  for (const { wrong: _, ...chunk } of chunks) {
    for (const [name, figure] of Object.entries(chunk))
      figures[name] = Math.round(((figures[name] ?? 0) + figure) * 10) / 10
  }
  return { figures, wrong: chunks.flatMap(({ wrong }) => wrong) }
}

/** What a figure was measured on: sources and tests, not the history. */
function sourcesDigest() {
  const hash = createHash('sha256')
  const visit = (path) => {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => a.name.localeCompare(b.name))) {
      const full = join(path, entry.name)
      if (entry.name === 'node_modules') continue
      if (entry.isDirectory()) visit(full)
      else if (/\.(ts|mjs)$/.test(entry.name)) hash.update(full.slice(root.length)).update(readFileSync(full))
    }
  }
  for (const name of ['src/main', 'src/shared', 'test']) visit(join(root, name))
  return hash.digest('hex').slice(0, 16)
}

function readSummary() {
  try {
    return JSON.parse(readFileSync(summaryFile, 'utf8'))
  } catch {
    return {}
  }
}

function writeSummary() {
  writeFileSync(`${summaryFile}.new`, `${JSON.stringify(summary, null, 2)}\n`)
  renameSync(`${summaryFile}.new`, summaryFile)
}
