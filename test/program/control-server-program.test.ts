/** The window's listener in the built program: the ready line's link, `open`, `--no-ui`, members over the socket. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/websocket'
import type { ContractRouterClient } from '@orpc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { buildIfStale, root } from '../../scripts/build-if-stale.mjs'
import type { Contract } from '../../src/shared/contract/index.ts'
import { enter, get } from './control-server-kit.ts'
import { type Program, runCommand, startProgram } from './run-program.ts'

let program: Program

beforeAll(async () => {
  // This part is about the window: a build without one is no ground for it.
  buildIfStale({ window: true })
  expect(existsSync(join(root, 'out', 'renderer', 'index.html'))).toBe(true)
  program = await startProgram({ window: true })
})

afterAll(() => program.stop())

const portOf = (link: string): number => Number(new URL(link).port)
const visitor = (link: string) => ({ port: portOf(link), openLink: () => link })

async function connected(link: string) {
  const { cookie, token } = await enter(visitor(link))
  const { origin, host } = new URL(link)
  const socket = new WebSocket(`ws://${host}/socket`, ['pointsman', token], { headers: { origin, cookie } })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const client: ContractRouterClient<Contract> = createORPCClient(
    new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }),
  )
  return { socket, client, cookie, token }
}

describe('T1.6 the link', () => {
  test('the ready line’s link opens the window once', async () => {
    const link = program.ready.ui ?? ''
    const { cookie } = await enter(visitor(link))
    const page = await get(portOf(link), '/', [`Cookie: ${cookie}`])
    expect([page.status, page.body.includes('<div id="root">')]).toEqual([200, true])
    const { pathname, search } = new URL(link)
    expect((await get(portOf(link), pathname + search)).status).toBe(401)
  })

  test('`open` prints a fresh one each time', async () => {
    const one = (await program.cli(['open'])).stdout.trim()
    const two = await program.json<{ url: string }>(['open'])
    expect(one).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?link=[\w-]{43}$/)
    expect(two.url).not.toBe(one)
    expect((await enter(visitor(two.url))).token).toHaveLength(43)
  })

  test('no link, cookie or token is in the log or readable in the data folder', async () => {
    const { url } = await program.rpc<{ url: string }>('app.openLink')
    const { cookie, token } = await enter(visitor(url))
    const secrets = [new URL(url).searchParams.get('link') ?? '', cookie.split('=')[1] ?? '', token]
    const file = join(program.dataDir, 'window-sessions.json')
    const kept = program.log() + program.stderr() + readFileSync(file, 'utf8')
    expect(secrets.filter((secret) => kept.includes(secret))).toEqual([])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('the socket', () => {
  test('members, typed errors and events go over it', async () => {
    const { client, socket } = await connected((await program.json<{ url: string }>(['open'])).url)
    expect((await client.app.snapshot({})).practice).toBe(true)
    await expect(client.accounts.rename({ id: 'nobody', label: 'x' })).rejects.toMatchObject({
      code: 'not_found',
      data: { code: 'not_found', sentence: 'There is no account nobody.' },
    })
    const events = await client.app.changed({})
    const first = await events.next()
    await client.app.pause({})
    const second = await events.next()
    await client.app.resume({})
    expect([first.done, second.done]).toEqual([false, false])
    await events.return?.()
    socket.close()
  })
})

describe('switches of `serve`', () => {
  test('--no-ui has no window, and `open` says so', async () => {
    const without = await startProgram()
    const { code, stderr } = await without.cli(['open', '--json'])
    expect([without.ready.ui, code, JSON.parse(stderr).code]).toEqual([null, 1, 'not_found'])
    await without.stop()
  })

  test('an explicit --ui-port that is taken ends the start with 73', async () => {
    const taken = String(portOf(program.ready.ui ?? ''))
    const { code, stderr } = await runCommand([
      'serve',
      '--json',
      '--practice',
      '--port',
      '0',
      '--ui-port',
      taken,
      '--data-dir',
      `${program.dataDir}-second`,
    ])
    expect([code, JSON.parse(stderr).code]).toEqual([73, 'port_in_use'])
  })

  test('an open window comes back after a restart on the same port', async () => {
    const dataDir = `${program.dataDir}-third`
    const first = await startProgram({ dataDir, window: true })
    const port = String(portOf(first.ready.ui ?? ''))
    const { cookie, token, socket } = await connected(first.ready.ui ?? '')
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    await first.stop()
    expect(await closed).toBe(1001)
    const second = await startProgram({ dataDir, window: true, args: ['--ui-port', port] })
    const headers = { origin: `http://127.0.0.1:${port}`, cookie }
    const again = new WebSocket(`ws://127.0.0.1:${port}/socket`, ['pointsman', token], { headers })
    await new Promise((resolve, reject) => again.once('open', resolve).once('error', reject))
    again.close()
    await second.stop()
  })
})
