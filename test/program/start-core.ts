/** Starts the composed core in the test process over simulated upstreams: for scenarios that need no child process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Core, compose } from '../../src/main/compose.ts'
import type { AccessKey } from '../../src/main/domain/access-key.ts'
import type { Settings } from '../../src/main/domain/settings.ts'
import type { Account, Profile, Source } from '../../src/main/domain/source.ts'
import type { CallDetail, CallRow, VaultKind } from '../../src/main/ports.ts'
import { type Practice, startPractice } from '../../src/main/practice/practice.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { type ClientAnswer, type ClientRequest, send } from './client.ts'

export interface Rig {
  readonly core: Core
  readonly practice: Practice
  readonly dataDir: string
  readonly key: string
  /** With the default access key, unless the request brings its own credential. */
  call(path: string, body?: unknown, request?: Partial<ClientRequest>): Promise<ClientAnswer>
  /** Adds a seeded practice source, changed as given. */
  add(id: string, change?: Partial<Account> & Partial<Profile>): Promise<Source>
  set(change: Partial<Settings>): void
  newKey(label: string, change?: Partial<AccessKey>): string
  /** Finished rows, newest first; waits until there are at least `atLeast`. */
  rows(atLeast?: number): Promise<readonly CallRow[]>
  /** The newest call with its attempts and decision, once `atLeast` rows are finished. */
  latest(atLeast?: number): Promise<CallDetail>
  close(): Promise<void>
}

export interface RigOptions {
  /** Seeded practice sources to begin with, in the order of their rank. */
  readonly sources?: readonly string[]
  readonly settings?: Partial<Settings>
  readonly vault?: VaultKind
  readonly dataDir?: string
  /** Lets Pointsman read the accounts' usage by itself. */
  readonly polling?: boolean
  /** Another rig's upstreams, for a restart over the same folder. */
  readonly practice?: Practice
}

const readerUrl = new URL('../../src/main/adapters/sqlite/calls-reader.ts', import.meta.url)

export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const practice = options.practice ?? (await startPractice({ clock: wallClock }))
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'pointsman-rig-'))
  const core = await compose(
    {
      version: '0.0.0-test',
      dataDir,
      port: 0,
      vault: options.vault ?? 'memory',
      practice: false,
      traffic: false,
      hosts: practice.hosts,
      withoutRows: false,
    },
    {
      environment: {},
      callsReaderUrl: readerUrl,
      startKeychainHelper: () => {
        throw new Error('no keychain in this test')
      },
      askPassphrase: async () => null,
      keyFile: `${dataDir}.vault-key`,
    },
  )
  const { api, firstKey } = core
  // What an upstream sees is then what the clients asked for, and a spent mark stays until evidence of the test's own.
  if (options.polling !== true) api.poller.close()
  const key = firstKey ?? ''
  const rig: Rig = {
    core,
    practice,
    dataDir,
    key,
    call(path, body, request = {}) {
      const credential = path.startsWith('/k/') ? {} : { authorization: `Bearer ${key}` }
      return send({
        port: core.port,
        path,
        ...request,
        headers: { ...credential, ...request.headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(request.body === undefined ? {} : { body: request.body }),
      })
    },
    async add(id, change = {}) {
      const seed = practice.seeds.sources.find((source) => source.id === id)
      if (seed === undefined) throw new Error(`no seeded source ${id}`)
      const credential = seed.credentialRef === null ? undefined : practice.seeds.credentials.get(seed.credentialRef)
      if (seed.credentialRef !== null && credential !== undefined) await api.vault.write(seed.credentialRef, credential)
      const source = { ...seed, createdAtMs: 1_000 + api.sources.all().length, ...change } as Source
      api.sources.save(source)
      return source
    },
    set: (change) => api.changeSettings({ ...api.settings(), ...change }),
    newKey: (label, change = {}) => api.keys.create(label, change).secret,
    rows: (atLeast = 1) =>
      until(async () => {
        const { rows } = await api.reader.page(20_000, 0, {})
        const finished = rows.filter((row) => row.outcome !== null)
        return finished.length >= atLeast ? finished : null
      }, `${atLeast} finished rows`),
    async latest(atLeast = 1) {
      const [row] = await rig.rows(atLeast)
      const detail = row === undefined ? null : await api.reader.get(row.id)
      if (detail === null) throw new Error('the newest call has no detail')
      return detail
    },
    async close() {
      await core.stop()
      await practice.close()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
  for (const id of options.sources ?? []) await rig.add(id)
  if (options.settings !== undefined) rig.set(options.settings)
  return rig
}

export const wallClock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs: number, act: () => void) {
    const timer = setTimeout(act, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Asks again until there is an answer; fails after `boundMs` naming what was waited for. */
export async function until<T>(ask: () => T | null | Promise<T | null>, what: string, boundMs = 10_000): Promise<T> {
  const lastAt = performance.now() + boundMs
  for (;;) {
    const found = await ask()
    if (found !== null && found !== false) return found
    if (performance.now() > lastAt) throw new Error(`not within ${boundMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export const id = sourceId
