/** Others on this machine and beside it: another user, another network; nothing is given for being near (T2.1, T8.1, T8.3). */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from './run-program.ts'

const otherUser = ['--reuid=65534', '--regid=65534', '--clear-groups']
const noOther = spawnSync('setpriv', [...otherUser, 'bash', '-c', 'true']).status !== 0
if (noOther) console.log('skipped T2.1: no second user can be played here')
const noProc = process.platform !== 'linux'
if (noProc) console.log('skipped the listening sockets of T8.1: only Linux tells them by a file')

const home = mkdtempSync(join(tmpdir(), 'pointsman-neighbours-'))
let program: Program
beforeAll(async () => {
  // Reachable by its path: what keeps the other user out is the program's own folder, not its parent.
  program = await startProgram({ dataDir: join(home, 'data'), window: true })
  spawnSync('chmod', ['755', home])
})
afterAll(async () => {
  await program.stop()
  rmSync(home, { recursive: true, force: true })
})

describe.skipIf(noOther)('T2.1 another user of this machine', () => {
  const asOther = (script: string): string =>
    spawnSync('setpriv', [...otherUser, 'bash', '-c', script], { encoding: 'utf8' }).stdout

  /** The status of the answer that the other user gets. */
  function asked(address: string, request: string): string {
    const { hostname, port, host } = new URL(address)
    const lines = `${request}\\r\\nHost: ${host}\\r\\nConnection: close\\r\\n\\r\\n`
    return asOther(`exec 3<>/dev/tcp/${hostname}/${port}; printf '${lines}' >&3; head -1 <&3`).split(' ')[1] ?? ''
  }

  test('T2.1 is refused on every route of both listeners, as anybody without a key or a link', () => {
    const data = [
      '/',
      '/v1/models',
      '/v1/messages',
      '/v1/responses',
      '/claude/v1/messages',
      '/codex/v1/models',
      '/nothing',
    ]
    for (const path of data) expect([path, asked(program.address, `GET ${path} HTTP/1.1`)]).toEqual([path, '401'])
    const window = new URL(program.ready.ui ?? '').origin
    for (const path of ['/', '/open', '/open?link=wrong', '/socket', '/assets/x.js']) {
      expect([path, ['401', '403', '404'].includes(asked(window, `GET ${path} HTTP/1.1`))]).toEqual([path, true])
    }
    // The same request with the key is served: what is missing is the key, nothing else.
    const key = program.key()
    expect(asked(program.address, `GET /v1/models HTTP/1.1\\r\\nAuthorization: Bearer ${key}`)).toBe('200')
  })

  test('T2.1 can open neither the control socket nor any file of the data folder', () => {
    const names = readdirSync(program.dataDir)
    expect(names).toContain('default-key')
    const read = names.map((name) => asOther(`cat '${join(program.dataDir, name)}' 2>/dev/null | head -c 1`))
    expect(read.join('')).toBe('')
    expect(asOther(`test -w '${program.ready.control}' && echo open`)).toBe('')
  })
})

/** Local addresses of the sockets on which a process listens, as the kernel writes them. */
function listening(pid: number): readonly string[] {
  const inodes = new Set<string>()
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1]
      if (inode !== undefined) inodes.add(inode)
    } catch {
      // Closed meanwhile.
    }
  }
  const listen = '0A'
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((cells) => cells[3] === listen && inodes.has(cells[9] ?? ''))
      .map((cells) => cells[1]?.split(':')[0] ?? ''),
  )
}

test.skipIf(noProc)(
  'T8.1 T8.3 every socket that the program listens on is on loopback, that of a sign-in too',
  async () => {
    const before = listening(program.pid)
    const signIn = await program.rpc<{ id: string; step: { port?: number | null } }>('accounts.startSignIn', {
      provider: 'codex',
      method: 'browser',
      acceptTerms: true,
    })
    const all = listening(program.pid)
    if (signIn.step.port === null) console.log('T8.1: both ports of a sign-in are taken; its listener was not seen')
    else expect(all.length).toBeGreaterThan(before.length)
    await program.rpc('accounts.cancelSignIn', { id: signIn.id })
    // 127.0.0.1 and ::1, in the kernel's byte order.
    expect(new Set(all)).toEqual(new Set(['0100007F', '00000000000000000000000001000000']))
    expect(all.length).toBeGreaterThanOrEqual(3)
  },
)
