/**
 * Loaded before the tests and before every program that they start: what would leave this machine is refused and noted,
 * and the note fails the test (threats T3.6). Names that can't exist (`.invalid`, `.test`) are not looked up anywhere.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { networkInterfaces } from 'node:os'
import workers from 'node:worker_threads'

/** Names the file in which strays are noted; children must be given it. */
export const straysVariable = 'POINTSMAN_TEST_STRAYS'

/** What is sent to one of the machine's own addresses doesn't leave it either. */
const own = new Set(
  Object.values(networkInterfaces())
    .flat()
    .map((each) => each?.address),
)
const isHere = (host: string): boolean =>
  host === 'localhost' || /^(::1|\[::1\]|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(host) || own.has(host)
const cannotExist = (host: string): boolean => /\.(invalid|test)\.?$/.test(host)

function refuse(what: string): NodeJS.ErrnoException {
  const file = process.env[straysVariable]
  if (file === undefined) process.stderr.write(`A connection would have left this machine: ${what}\n`)
  else appendFileSync(file, `${what}\n`)
  return Object.assign(new Error(`not on this machine: ${what}`), { code: 'ENETUNREACH' })
}

const unknownName = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND', hostname: host })

/** Null for what may be looked up; the reason why not otherwise. */
function lookupRefusal(host: string): NodeJS.ErrnoException | null {
  if (host === '' || isHere(host) || net.isIP(host) !== 0) return null
  return cannotExist(host) ? unknownName(host) : refuse(`a look-up of ${host}`)
}

type AnyFunction = (...given: never[]) => unknown

/** Every TCP and TLS connection of Node comes through this one method. */
const connect = net.Socket.prototype.connect as AnyFunction
net.Socket.prototype.connect = function guarded(this: net.Socket, ...given: unknown[]) {
  const host = targetOf(given)
  if (host === null || isHere(host) || cannotExist(host)) return connect.apply(this, given as never[])
  const cause = refuse(host)
  process.nextTick(() => this.destroy(cause))
  return this
} as never

/** Null for a local socket; what was given is a list already when `net.connect` was asked. */
function targetOf(given: readonly unknown[]): string | null {
  const [first, second] = Array.isArray(given[0]) ? (given[0] as unknown[]) : given
  if (typeof first === 'object' && first !== null) {
    const { path, host } = first as { path?: unknown; host?: unknown }
    return typeof path === 'string' ? null : String(host ?? 'localhost')
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return null
  return typeof second === 'string' ? second : 'localhost'
}

const { lookup } = dns
dns.lookup = ((host: string, ...rest: unknown[]) => {
  const cause = lookupRefusal(host)
  if (cause === null) return (lookup as AnyFunction)(host as never, ...(rest as never[]))
  process.nextTick(rest.at(-1) as () => void, cause)
  return {}
}) as never
const promised = dns.promises.lookup
dns.promises.lookup = (async (host: string, ...rest: unknown[]) => {
  const cause = lookupRefusal(host)
  if (cause !== null) throw cause
  return (promised as AnyFunction)(host as never, ...(rest as never[]))
}) as never

for (const name of ['send', 'connect'] as const) {
  const original = dgram.Socket.prototype[name] as AnyFunction
  dgram.Socket.prototype[name] = function guarded(this: dgram.Socket, ...given: unknown[]) {
    const host = given.slice(1).find((each) => typeof each === 'string')
    if (host !== undefined && !isHere(host)) throw refuse(`a datagram to ${host}`)
    return original.apply(this, given as never[])
  } as never
}

/** A thread has modules of its own. */
workers.Worker = class extends workers.Worker {
  constructor(file: string | URL, options: workers.WorkerOptions = {}) {
    const execArgv = [...(options.execArgv ?? process.execArgv), '--import', import.meta.url]
    super(file, { ...options, execArgv })
  }
}

syncBuiltinESMExports()
