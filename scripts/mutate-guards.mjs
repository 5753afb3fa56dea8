// Takes each guard away, one at a time, in a private copy of the tree, and runs the smallest tests that must fail then: a
// guard whose tests still pass is not proven. `npm run test:deep -- guards` runs it too.
// `node scripts/mutate-guards.mjs Host key` tries only the guards named. Prints one line a mutation, ends with 1 when one
// survived.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { guardMutations } from './guard-mutations.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** @returns {{ killed: number, survived: readonly string[], rows: readonly { guard: string, what: string, killed: boolean }[] }} */
export function mutateGuards(only = [], say = () => {}) {
  const chosen = guardMutations.filter(({ guard }) => only.length === 0 || only.includes(guard))
  const copy = mkdtempSync(join(tmpdir(), 'pointsman-guards-'))
  try {
    copyTree(copy)
    const wrong = baseline(copy, chosen)
    if (wrong !== null) throw new Error(`With every guard in place the tests fail:\n${wrong}`)
    const rows = chosen.map((mutation) => {
      const killed = isKilled(copy, mutation)
      say(`${killed ? 'killed  ' : 'SURVIVED'} ${mutation.guard}: ${mutation.what}`)
      return { guard: mutation.guard, what: mutation.what, killed }
    })
    const survived = rows.filter((row) => !row.killed).map(({ guard, what }) => `${guard}: ${what}`)
    return { killed: rows.length - survived.length, survived, rows }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Everything that git knows or would add; packages are shared, nothing in them is changed. */
function copyTree(to) {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.stdout.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(root, file), join(to, file), { errorOnExist: false })
  }
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'))
}

/** Null when every test that is used passes as the tree stands. */
function baseline(copy, chosen) {
  for (const project of ['unit', 'integration']) {
    const tests = [...new Set(chosen.filter((one) => one.project === project).flatMap((one) => one.tests))]
    if (tests.length === 0) continue
    const { status, output } = run(copy, project, tests)
    if (status !== 0) return output.slice(-4_000)
  }
  return null
}

function isKilled(copy, { file, edits, project, tests }) {
  const path = join(copy, file)
  const whole = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    edits.reduce((text, edit) => changed(text, edit, file), whole),
  )
  try {
    const { status, output } = run(copy, project, tests)
    // Only a test that failed counts: a tree that can't be built or read would fail whatever it is asked.
    return status !== 0 && /Tests\s+\d+ failed/.test(output)
  } finally {
    writeFileSync(path, whole)
  }
}

function changed(text, [find, replace], file) {
  const times = text.split(find).length - 1
  if (times !== 1)
    throw new Error(`${file} holds ${JSON.stringify(find)} ${times} times: its entry must follow the code`)
  return text.replace(find, () => replace)
}

function run(copy, project, tests) {
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [vitest, 'run', '--project', project, '--bail', '1', '--testTimeout', '60000', ...tests]
  const env = { ...process.env, NO_COLOR: '1', CI: '' }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 27,
  })
  return { status, output: `${stdout}${stderr}` }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { killed, survived } = mutateGuards(process.argv.slice(2), console.log)
  console.log(`\n${killed} killed, ${survived.length} survived`)
  process.exitCode = survived.length === 0 ? 0 : 1
}
