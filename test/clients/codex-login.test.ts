/**
 * The unmodified Codex CLI's own login (codex §1.8): made by `codex login` at the simulated issuer, kept by the CLI in
 * a file or in a real keychain, read by Pointsman, served with, handed over and given back. The CLI takes another
 * issuer for its device code only, so its browser sign-in can't be driven here.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { homeOf, missingKeyring, type Session, session } from '../adapters/vault/session-bus.ts'
import { codexWithProvider, exec, model } from './codex.ts'
import { attempts } from './evidence.ts'
import { ownBackend } from './own-backend.ts'
import { startProgram } from './program.ts'
import { type CliRun, runCli } from './run-cli.ts'

const missing = missingKeyring()
if (missing !== null) console.log(`the Codex CLI’s keychain login is skipped: ${missing}`)

/** Of a personal plan: for a workspace the CLI wants managed policies first. */
const who = 'codex-personal'
type Store = 'file' | 'keyring'

interface Account {
  readonly id: string
  readonly holder: string
  readonly state: string
  readonly because: string
  readonly path: string | null
  readonly warning?: string | null
}

/** A Codex CLI with a home of its own, signed in by itself. */
async function signedIn(store: Store) {
  const bus = store === 'keyring' ? await keyringSession() : null
  const started = await startProgram([], bus?.environment)
  const { practice, folder } = started
  const home = join(folder, 'own')
  const codexHome = join(home, '.codex')
  mkdirSync(codexHome, { recursive: true })
  const lines = [
    `cli_auth_credentials_store = "${store}"`,
    `model = "${model}"`,
    `openai_base_url = "${await ownBackend(practice.origins.codex)}"`,
    `chatgpt_base_url = "${practice.origins.ollamaHost}/backend-api"`,
    '[analytics]',
    'enabled = false',
  ]
  writeFileSync(join(codexHome, 'config.toml'), `${lines.join('\n')}\n`)
  const environment = {
    ...(bus?.environment ?? { HOME: home }),
    CODEX_HOME: codexHome,
    CODEX_REFRESH_TOKEN_URL_OVERRIDE: `${practice.hosts.codexAuth}/oauth/token`,
    CODEX_REVOKE_TOKEN_URL_OVERRIDE: `${practice.hosts.codexAuth}/oauth/revoke`,
  }
  const codex = (args: readonly string[]): Promise<CliRun> => runCli('codex', args, { folder: home, environment })
  practice.expectSignIn('codex', who)
  const login = codex(['login', '--device-auth', '--experimental_issuer', practice.hosts.codexAuth])
  // Its first look for an approval: by then the code is out.
  await practice.waitFor(({ path }) => path.endsWith('/deviceauth/token'), 30_000)
  practice.approveDevices()
  expect(await login).toMatchObject({ code: 0 })
  expect(readdirSync(codexHome).includes('auth.json')).toBe(store === 'file')
  const text = (): string =>
    store === 'file'
      ? readFileSync(join(codexHome, 'auth.json'), 'utf8')
      : (bus?.run('secret-tool', ['lookup', 'service', 'Codex Auth']) ?? '')
  const where = store === 'file' ? { path: join(codexHome, 'auth.json') } : { keyringOf: codexHome }
  const take = () => started.rpc<Account>('accounts.import', { provider: 'codex', label: 'Mine', ...where })
  return { ...started, codex, text, take }
}

/** A keyring has a bus and a home of its own; the program is given them as the person's session would. */
async function keyringSession(): Promise<Session> {
  const root = mkdtempSync(join(tmpdir(), 'pointsman-keyring-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  return session(homeOf(root), 'unlocked')
}

type Mine = Awaited<ReturnType<typeof signedIn>>

const refreshIn = (text: string): string => JSON.parse(text).tokens.refresh_token
const accessIn = (text: string): string => JSON.parse(text).tokens.access_token

async function only({ rpc }: Mine): Promise<Account | undefined> {
  const all = await rpc<readonly Account[]>('accounts.list')
  expect(all).toHaveLength(1)
  return all[0]
}

let turns = 0
/** One turn of another Codex CLI, through Pointsman. */
async function serve({ address, key, folder, practice }: Mine): Promise<CliRun> {
  turns += 1
  practice.script(who, { reply: { kind: 'vendor', content: { text: `Turn ${turns}.` } } })
  return codexWithProvider(folder, `${address}/codex`, key).run(exec('Go'))
}

describe.each(['file', 'keyring'] as const)('kept in a %s', (store) => {
  const runs = store === 'file' || missing === null

  it.runIf(runs)('is read and served with; the CLI stays the holder, and nothing of it changes', async () => {
    const mine = await signedIn(store)
    const before = mine.text()
    expect(await mine.take()).toMatchObject({ id: 'mine', holder: 'cli', warning: null })
    expect(await serve(mine)).toMatchObject({ code: 0, stdout: `Turn ${turns}.\n` })
    expect((await mine.calls(1)).map(attempts)).toEqual([['mine 200 done done']])
    expect(mine.text()).toBe(before)
    expect(mine.practice.tokens(who)).toMatchObject({ refreshes: 0, reuses: 0, revocations: 0 })
    expect(await mine.codex(['login', 'status'])).toMatchObject({ code: 0 })
  })

  it.runIf(runs)(
    'a login that the vendor refuses is left to the CLI, which renews it; then it is used again',
    async () => {
      const mine = await signedIn(store)
      await mine.take()
      const before = mine.text()
      mine.practice.expireTokens(who)
      await serve(mine)
      mine.practice.unscript(who)
      expect(await only(mine)).toMatchObject({ state: 'signed-out', holder: 'cli' })
      // Never behind the CLI's back.
      expect(mine.practice.tokens(who)).toMatchObject({ refreshes: 0 })
      expect(mine.text()).toBe(before)

      const own = await mine.codex(exec('Go'))
      expect(own.code).toBe(0)
      expect(mine.practice.tokens(who)).toMatchObject({ refreshes: 1, reuses: 0 })
      expect(accessIn(mine.text())).not.toBe(accessIn(before))
      await mine.take()
      expect(await serve(mine)).toMatchObject({ code: 0, stdout: `Turn ${turns}.\n` })
      expect(mine.practice.tokens(who)).toMatchObject({ refreshes: 1, reuses: 0 })
    },
  )

  it.runIf(runs)('handed over Pointsman alone renews it; handed back the CLI goes on with it', async () => {
    const mine = await signedIn(store)
    await mine.take()
    const before = mine.text()
    const over = await mine.rpc<Account>('accounts.handOver', { id: 'mine' })
    expect(over).toMatchObject({ holder: 'both', warning: expect.stringContaining('`codex login`') })
    expect(mine.text()).toBe(before)
    mine.practice.expireTokens(who)
    expect(await serve(mine)).toMatchObject({ code: 0 })
    expect(await only(mine)).toMatchObject({ holder: 'pointsman', state: 'ready' })
    expect(mine.practice.tokens(who)).toMatchObject({ refreshes: 1, reuses: 0 })

    await mine.rpc('accounts.handBack', { id: 'mine' })
    expect(await only(mine)).toMatchObject({ holder: 'cli' })
    const back = mine.text()
    expect(refreshIn(back)).not.toBe(refreshIn(before))
    expect({ ...JSON.parse(back), tokens: null, last_refresh: null }).toEqual({
      ...JSON.parse(before),
      tokens: null,
      last_refresh: null,
    })
    // The CLI renews with what it was given: its grant is alive, and nobody has spent it twice.
    mine.practice.expireTokens(who)
    expect(await mine.codex(exec('Go'))).toMatchObject({ code: 0 })
    expect(mine.practice.tokens(who)).toMatchObject({ refreshes: 2, reuses: 0 })
    expect(refreshIn(mine.text())).not.toBe(refreshIn(back))
  })

  it.runIf(runs)('removed here it is not revoked: the CLI is still signed in', async () => {
    const mine = await signedIn(store)
    await mine.take()
    await mine.rpc('accounts.remove', { id: 'mine' })
    expect(mine.practice.tokens(who)).toMatchObject({ revocations: 0 })
    expect(await mine.codex(exec('Go'))).toMatchObject({ code: 0 })
  })
})
