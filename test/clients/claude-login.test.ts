/**
 * The unmodified Claude Code signs in inside Pointsman's private folder, in a real terminal, to its last step. It takes
 * no other issuer than its vendor's: here a proxy with an authority of the test's own stands in the vendor's place, so
 * the program's side is proven, and that the vendor answers as the facts say is not.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { claudeCode, print } from './claude.ts'
import { attempts } from './evidence.ts'
import { startProgram } from './program.ts'
import { type VendorHosts, vendorHosts } from './vendor-hosts.ts'

const bin = fileURLToPath(new URL('node_modules/.bin', import.meta.url))
const who = 'claude-work'

interface View {
  readonly id: string
  readonly step: {
    readonly kind: string
    readonly url?: string | null
    readonly wantsCode?: boolean
    readonly sentence?: string
    readonly version?: string
  }
}

type Method = 'program' | 'program-login'

/** A sign-in on the built program that stands where Claude Code asks for its code; `isOffline`: nobody answers it. */
async function signingIn(method: Method, isOffline = false) {
  const stood: { hosts: VendorHosts | null } = { hosts: null }
  const program = await startProgram([], async ({ practice, folder }) => {
    const path = { PATH: `${bin}:${process.env.PATH}` }
    if (isOffline) return path
    const { claude } = practice.origins
    const { claudeAuth } = practice.hosts
    const hosts = await vendorHosts(folder, { 'platform.claude.com': claudeAuth, 'api.anthropic.com': claude })
    stood.hosts = hosts
    return { ...path, HTTPS_PROXY: hosts.proxy, NODE_EXTRA_CA_CERTS: hosts.authority }
  })
  const { rpc, practice } = program
  const terms = { acceptTerms: true, label: 'Mine' }
  const { id } = await rpc<View>('accounts.startSignIn', { provider: 'claude', method, ...terms })
  const until = async (fits: (step: View['step']) => boolean): Promise<View['step']> => {
    for (let round = 0; round < 300; round += 1) {
      const { step } = await rpc<View>('accounts.signIn', { id })
      if (fits(step)) return step
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error('the sign-in does not come there')
  }
  const asking = await until(({ kind, wantsCode }) => kind === 'failed' || wantsCode === true)
  /** As the vendor's page shows it, once the person has signed in there (claude §1.2). */
  const code = async (): Promise<string> => {
    practice.expectSignIn('claude', who)
    const page = `${practice.hosts.claudeAuth}/oauth/authorize${new URL(asking.url ?? '').search}`
    const { searchParams } = new URL((await fetch(page, { redirect: 'manual' })).headers.get('location') ?? '')
    return `${searchParams.get('code')}#${searchParams.get('state')}`
  }
  const finish = async (typed: string): Promise<View['step']> => {
    await rpc('accounts.finishSignIn', { id, code: typed })
    return until(({ kind }) => kind === 'failed' || kind === 'done')
  }
  return { ...program, asking, code, finish, asked: () => stood.hosts?.asked ?? [] }
}

const left = (dataDir: string): readonly string[] =>
  existsSync(join(dataDir, 'sign-in')) ? readdirSync(join(dataDir, 'sign-in')) : []

describe.each([
  ['program', { custody: 'setup-token', holder: 'none' }, 'user:inference'],
  ['program-login', { custody: 'pointsman', holder: 'pointsman' }, 'user:profile'],
] as const)('by %s', (method, expected, scope) => {
  it('is asked for the code of its vendor’s page, and makes an account that serves Claude Code', async () => {
    const mine = await signingIn(method)
    expect(mine.asking).toMatchObject({ kind: 'program', version: '2.1.328 (Claude Code)' })
    const url = new URL(mine.asking.url ?? '')
    expect([url.hostname, url.searchParams.get('code_challenge_method')]).toEqual(['claude.com', 'S256'])
    expect(url.searchParams.get('scope')?.split(' ')).toContain(scope)

    expect(await mine.finish(await mine.code())).toMatchObject({ kind: 'done', accountId: 'mine', isNew: true })
    expect(mine.asked()).toContain('POST platform.claude.com/v1/oauth/token 200')
    expect(await mine.rpc('accounts.list')).toMatchObject([{ id: 'mine', state: 'ready', ...expected }])
    expect(left(mine.dataDir)).toEqual([])

    mine.practice.script(who, { reply: { kind: 'vendor', content: { text: 'All is done.' } } })
    const client = claudeCode(mine.folder, `${mine.address}/claude`, mine.key)
    expect(await client.run(print('Do it'))).toMatchObject({ code: 0, stdout: 'All is done.\n' })
    expect((await mine.calls(1)).map(attempts)).toEqual([['mine 200 done done']])
  })

  it('a code that the vendor refuses ends it in the program’s own words, with nothing left behind', async () => {
    const mine = await signingIn(method)
    const [, state] = (await mine.code()).split('#')
    const ended = await mine.finish(`wrong-code#${state}`)
    expect(ended).toMatchObject({ kind: 'failed', sentence: expect.stringContaining('`claude` says: ') })
    expect([await mine.rpc('accounts.list'), left(mine.dataDir)]).toEqual([[], []])
  })

  it('without a network it comes as far as its code, and then says so', async () => {
    const mine = await signingIn(method, true)
    expect(mine.asking).toMatchObject({ kind: 'program', wantsCode: true })
    const ended = await mine.finish('some-code#some-state')
    expect(ended).toMatchObject({ kind: 'failed', sentence: expect.stringContaining('EAI_AGAIN') })
    expect(left(mine.dataDir)).toEqual([])
  })
})
