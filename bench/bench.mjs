/**
 * `npm run bench`: ours against a bare relay, nginx and http-proxy-3 in the same run, on loopback, on cores of their
 * own, in interleaved rounds. Prints every figure with its target, reached or not, and writes all runs as JSON.
 * `--rounds N` (7), `--quick` (one round of everything, once), `--out FILE` (.bench/results.json).
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { cases, writeBodies } from './cases.mjs'
import { competitors, direct } from './competitors.mjs'
import { targets } from './figures.mjs'
import { LastingUpstream, measureLeaving } from './leaving.mjs'
import { buildTools, canPin, freePort, memoryMb, otherCore, project, start, stop, stopAll } from './machine.mjs'
import { caseTable, targetTable } from './print.mjs'
import { load, runRounds } from './rounds.mjs'

const { values: options } = parseArgs({
  options: { rounds: { type: 'string' }, quick: { type: 'boolean', default: false }, out: { type: 'string' } },
})
const { quick } = options
const rounds = Number(options.rounds ?? (quick ? 1 : 7))
const folder = join(project, '.bench')
const outFile = options.out ?? join(folder, 'results.json')
const run = promisify(execFile)

const tools = buildTools(folder)
if (tools === null) process.exit(1)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopAll().then(() => process.exit(1)))
async function bench() {
  const bodyPath = writeBodies(folder)
  const small = readFileSync(bodyPath('mock-json-1k'))
  if (!canPin) console.log('One core, or no taskset: proxy, upstream and client share what there is.')
  const upstreamPort = await freePort()
  const upstream = start([tools.upstream, String(upstreamPort)], otherCore, { log: join(folder, 'upstream.log') })
  const proxies = await competitors(folder, upstreamPort, small)

  const starts = await measureStarts(proxies, small)
  await after(2_000)
  const idleMb = memoryOf(proxies)
  console.log(`Start and idle memory are measured; now ${rounds} rounds of ${Object.keys(cases).length} cases.`)
  const all = [direct(upstream, upstreamPort), ...proxies]
  const report = (name, soFar) => {
    console.log(`${new Date().toISOString().slice(11, 19)} ${name}`)
    // A run that is broken off keeps what it has found.
    writeFileSync(outFile, JSON.stringify({ starts, idleMb, runs: soFar }))
  }
  const runs = await runRounds({ all, tools, bodyPath, rounds, upstream, report })
  await after(5_000)
  const afterMb = memoryOf(proxies)
  const growthMb = quick ? null : await measureGrowth(proxies, bodyPath)

  const leaving = await measureLeavings(proxies, upstreamPort, upstream, small)
  for (const proxy of proxies) await proxy.stop()
  const stages = await figuresOf('stages.mjs')
  const picks = await figuresOf('pick.mjs')
  const machine = { at: new Date().toISOString(), cpu: cpus()[0].model, cores: cpus().length, node: process.version }
  const results = {
    machine: { ...machine, memoryMb: Math.round(totalmem() / 2 ** 20), rounds },
    ...{ starts, idleMb, afterMb, growthMb, leaving, stages, picks, runs },
  }
  const rows = targets(results)
  mkdirSync(folder, { recursive: true })
  writeFileSync(outFile, JSON.stringify({ ...results, targets: rows }))
  for (const name of Object.keys(cases)) console.log(caseTable(name, runs))
  console.log(targetTable(rows, results))
  console.log(`All runs are in ${outFile}.`)
}

/** From the start of the process to its first answer, each competitor in turn; the last ones stay up. */
async function measureStarts(proxies, body) {
  const starts = Object.fromEntries(proxies.map(({ name }) => [name, []]))
  for (let round = 0; round < (quick ? 1 : 5); round += 1) {
    for (const proxy of proxies) {
      await proxy.stop()
      starts[proxy.name].push(await proxy.start(body))
    }
  }
  return starts
}

const memoryOf = (proxies) => Object.fromEntries(proxies.map((proxy) => [proxy.name, memoryMb(proxy.id).now]))

/** Memory after the second and after the third 100,000 requests on a fresh process. */
async function measureGrowth(proxies, bodyPath) {
  const growth = {}
  for (const proxy of proxies.filter(({ name }) => name === 'ours' || name === 'relay')) {
    await proxy.stop()
    await proxy.start(readFileSync(bodyPath('mock-json-1k')))
    const sizes = []
    for (let part = 0; part < 3; part += 1) {
      await load(tools, proxy, bodyPath, { connections: 16, seconds: 60, most: 100_000, body: 'mock-json-1k' })
      await after(2_000)
      sizes.push(memoryMb(proxy.id).now)
    }
    growth[proxy.name] = sizes[2] - sizes[1]
  }
  return growth
}

/** 300 leavings while streaming and 300 while waiting, on an upstream that takes the other one's place. */
async function measureLeavings(proxies, port, upstream, body) {
  await stop(upstream)
  const lasting = new LastingUpstream()
  await lasting.listen(port)
  const leaving = {}
  for (const proxy of proxies.filter(({ name }) => name === 'ours' || name === 'relay')) {
    leaving[proxy.name] = await measureLeaving(proxy, lasting, quick ? 20 : 300, body)
  }
  lasting.close()
  return leaving
}

/** The figures of a bench that works in-process. */
async function figuresOf(file) {
  const path = join(project, 'bench', file)
  if (!existsSync(path)) return []
  const { stdout } = await run(process.execPath, [path, '--json'], { timeout: 240_000, maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

try {
  await bench()
} finally {
  await stopAll()
}
