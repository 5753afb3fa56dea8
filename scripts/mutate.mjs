// Takes each rule away, one at a time, in a private copy of the tree, and runs the smallest tests that must fail then: a
// rule whose tests still pass is not proven. `npm run test:deep -- guards known-bugs` runs it too.
// `node scripts/mutate.mjs Host BerriAI/litellm#31561` tries only the rules named. Prints one line a mutation, ends with 1
// when one survived.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { guards, knownBugs } from './mutations/all.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * @param {readonly import('./mutations/all.mjs').Mutation[]} mutations
 * @returns {{ killed: number, survived: readonly string[] }}
 */
export function mutate(mutations, say = () => {}) {
  const copy = mkdtempSync(join(tmpdir(), 'pointsman-mutated-'))
  try {
    copyTree(copy)
    const wrong = baseline(copy, mutations)
    if (wrong !== null) throw new Error(`With every rule in place the tests fail:\n${wrong}`)
    const survived = mutations.flatMap((mutation) => {
      const line = `${mutation.rule}: ${mutation.what}`
      const killed = isKilled(copy, mutation)
      say(`${killed ? 'killed  ' : 'SURVIVED'} ${line}`)
      return killed ? [] : [line]
    })
    return { killed: mutations.length - survived.length, survived }
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
function baseline(copy, mutations) {
  for (const project of ['unit', 'integration']) {
    const tests = [...new Set(mutations.filter((one) => one.project === project).flatMap((one) => one.tests))]
    if (tests.length === 0) continue
    const { status, output } = run(copy, project, tests)
    if (status !== 0) return output.slice(-4_000)
  }
  return null
}

function isKilled(copy, { file, edits, project, tests, title }) {
  const whole = new Map()
  const readIn = (name) => readFileSync(join(copy, name), 'utf8')
  try {
    for (const [find, replace, other] of edits) {
      const name = other ?? file
      if (!whole.has(name)) whole.set(name, readIn(name))
      writeFileSync(join(copy, name), changed(readIn(name), find, replace, name))
    }
    const { status, output } = run(copy, project, tests, title)
    // Only a test that failed counts: a tree that can't be built or read would fail whatever it is asked.
    return status !== 0 && /Tests\s+\d+ failed/.test(output)
  } finally {
    for (const [name, text] of whole) writeFileSync(join(copy, name), text)
  }
}

function changed(text, find, replace, file) {
  const times = text.split(find).length - 1
  if (times !== 1)
    throw new Error(`${file} holds ${JSON.stringify(find)} ${times} times: its entry must follow the code`)
  return text.replace(find, () => replace)
}

function run(copy, project, tests, title) {
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [vitest, 'run', '--project', project, '--bail', '1', '--testTimeout', '60000', ...tests]
  if (title !== undefined) args.push('--testNamePattern', RegExp.escape(`${title} `))
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
  const asked = process.argv.slice(2)
  const chosen = [...guards, ...knownBugs].filter(({ rule }) => asked.length === 0 || asked.includes(rule))
  const { killed, survived } = mutate(chosen, console.log)
  console.log(`\n${killed} killed, ${survived.length} survived`)
  process.exitCode = killed > 0 && survived.length === 0 ? 0 : 1
}
