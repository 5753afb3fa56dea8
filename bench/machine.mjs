/** The machine under the bench: tools built with gcc, processes on a core of their own, and what Linux says of them. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const project = fileURLToPath(new URL('../', import.meta.url))

/** Cores: the proxy has one for itself, upstream and client share the other. */
export const proxyCore = '0'
export const otherCore = '1'

/** Full path of a program, or null; also looked for where Debian keeps servers. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

export const canPin = findProgram('taskset') !== null && availableParallelism() > 1

/** Compiles upstream and client; null and a printed reason where there is no compiler. */
export function buildTools(folder) {
  const compiler = findProgram('gcc') ?? findProgram('cc')
  if (process.platform !== 'linux' || compiler === null) {
    console.error('Upstream and client are small C programs for Linux: install gcc (Debian: build-essential).')
    return null
  }
  mkdirSync(folder, { recursive: true })
  const built = {}
  for (const name of ['upstream', 'client']) {
    built[name] = join(folder, name)
    execFileSync(compiler, ['-O2', '-o', built[name], join(project, 'bench/tools', `${name}.c`)])
  }
  return built
}

const running = new Set()

/** Starts a program on a core; what it prints goes to `log`, or comes back when `log` is null. */
export function start(command, core, { log = null, env = {}, cwd = project } = {}) {
  const [program, ...options] = canPin ? ['taskset', '-c', core, ...command] : command
  const out = log === null ? 'pipe' : openSync(log, 'a')
  const child = spawn(program, options, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', out, log === null ? 'inherit' : out],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

const isOver = (child) => child.exitCode !== null || child.signalCode !== null

/** Ends one program that the bench started, by its id. */
export async function stop(child) {
  if (isOver(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await Promise.race([ended, after(8_000, null, { ref: false })])
  if (!isOver(child)) {
    child.kill('SIGKILL')
    await ended
  }
}

export const stopAll = () => Promise.all([...running].map(stop))

/** What a program printed, once it has ended; killed after `mostMs`. */
export async function outputOf(child, mostMs) {
  const late = setTimeout(() => child.kill('SIGKILL'), mostMs)
  let text = ''
  child.stdout.on('data', (piece) => (text += piece))
  await once(child, 'close')
  clearTimeout(late)
  return text
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** A process and all that it started. */
function familyOf(id) {
  const all = [id]
  for (const member of all) {
    for (const task of entries(`/proc/${member}/task`)) {
      const children = read(`/proc/${member}/task/${task}/children`).trim()
      if (children !== '') all.push(...children.split(' ').map(Number))
    }
  }
  return all
}

/** Processor time used so far, in microseconds. */
export function cpuUs(id) {
  let nanoseconds = 0
  for (const member of familyOf(id)) {
    for (const task of entries(`/proc/${member}/task`)) {
      nanoseconds += Number(read(`/proc/${member}/task/${task}/schedstat`).split(' ')[0])
    }
  }
  return nanoseconds / 1_000
}

/** Resident memory now and at its highest, in MB. */
export function memoryMb(id) {
  const sum = (name) =>
    familyOf(id).reduce((all, member) => {
      const found = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(read(`/proc/${member}/status`))
      return all + Number(found?.[1] ?? 0) / 1_024
    }, 0)
  return { now: sum('VmRSS'), highest: sum('VmHWM') }
}

/** Open sockets of one process. */
export const socketsOf = (id) => {
  const table = execFileSync('ls', ['-l', `/proc/${id}/fd`], { encoding: 'utf8' })
  return table.split('\n').filter((line) => line.includes('socket:[')).length
}

/** Processor time of the whole machine so far, in microseconds. */
export function machineUs() {
  const [user, nice, system, , , interrupt, soft] = read('/proc/stat').split('\n')[0].trim().split(/\s+/).slice(1)
  return (Number(user) + Number(nice) + Number(system) + Number(interrupt) + Number(soft)) * 10_000
}

function entries(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Empty when the process has just ended. */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
