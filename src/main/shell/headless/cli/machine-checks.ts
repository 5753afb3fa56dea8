/** What `pointsman doctor` can see of the machine itself: the sign-in's ports, the clock, the proxy. */
import { createServer } from 'node:net'
import type { Check } from './check.ts'

/** The only two that Codex returns to (codex §1.1). */
const callbackPorts = [1455, 1457]
/** No clock of a machine that runs this program is earlier. */
const earliestMs = Date.UTC(2026, 0, 1)
const latestMs = Date.UTC(2100, 0, 1)

export async function machineChecks(
  variables: Readonly<Record<string, string | undefined>>,
  now: Date,
): Promise<readonly Check[]> {
  const free: number[] = []
  for (const port of callbackPorts) if (await isFree(port)) free.push(port)
  return [callbackCheck(free), clockCheck(now.getTime()), proxyCheck(variables)]
}

function callbackCheck(free: readonly number[]): Check {
  const name = 'sign-in ports'
  if (free.length > 0)
    return { name, ok: true, sentence: `Port ${free[0]} is free for signing in to Codex.`, next: null }
  return {
    name,
    ok: false,
    sentence: `Other programs hold the ports ${callbackPorts.join(' and ')}.`,
    next: 'Sign in with `pointsman accounts sign-in codex --device` or `--paste`, or end those programs.',
  }
}

export function clockCheck(nowMs: number): Check {
  const name = 'clock'
  const at = new Date(nowMs).toISOString().slice(0, 16).replace('T', ' ')
  if (nowMs > earliestMs && nowMs < latestMs)
    return { name, ok: true, sentence: `It is ${at} UTC by this machine.`, next: null }
  return {
    name,
    ok: false,
    sentence: `It can not be ${at} UTC.`,
    next: 'Set the clock: certificates and logins count by it.',
  }
}

/** Without the name and password that a proxy's URL may hold. */
export function proxyCheck(variables: Readonly<Record<string, string | undefined>>): Check {
  const name = 'proxy'
  const found = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'].find(
    (variable) => (variables[variable] ?? '') !== '',
  )
  if (found === undefined) return { name, ok: true, sentence: 'None is set in this shell.', next: null }
  const text = variables[found] ?? ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { name, ok: false, sentence: `${found} is no http or https address.`, next: `Correct or unset ${found}.` }
  }
  return {
    name,
    ok: true,
    sentence: `${found} is ${url.protocol}//${url.host}; this machine is always direct.`,
    next: null,
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
