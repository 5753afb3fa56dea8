/** The Refresher with real parts: HTTP, a vault on disk, and sign-in servers that rotate once and notice reuse (F61–F68). */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refresher } from '../../src/main/accounts/refresh.ts'
import { systemChance } from '../../src/main/adapters/system.ts'
import { ownWeb } from '../../src/main/adapters/upstream/own-web.ts'
import { type ClosableUpstream, openUpstream } from '../../src/main/adapters/upstream/undici-upstream.ts'
import { openVault } from '../../src/main/adapters/vault/open-vault.ts'
import type { OpenedVault } from '../../src/main/adapters/vault/opened-vault.ts'
import type { OAuthCredential } from '../../src/main/domain/credential.ts'
import type { Account } from '../../src/main/domain/source.ts'
import { type Practice, startPractice } from '../../src/main/practice/practice.ts'
import { headerOf } from '../../src/main/practice/received.ts'
import { credentialRef } from '../../src/shared/ids.ts'
import { alone } from './alone.ts'
import { digest, HandClock, HandFiles, HandLog, HandSources, hourMs, minuteMs } from './kit.ts'

const lifeMs = 8 * hourMs
const clock = new HandClock()
let folder: string
let practice: Practice
let upstream: ClosableUpstream
let vault: OpenedVault
let log: HandLog
let sources: HandSources
let refresher: Refresher
let claude: Account
let codex: Account

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pointsman-accounts-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  practice = await startPractice({ clock, accessTokenLifeMs: { claude: lifeMs, codex: lifeMs } })
  upstream = openUpstream({ proxyFor: () => ({ kind: 'direct' }), ownPort: () => 0 })
  vault = await openVault({ kind: 'file', keyFile: join(folder, 'key'), folder: data, clock, log: new HandLog() })
  log = new HandLog()
  sources = new HandSources(clock)
  for (const source of practice.seeds.sources) {
    const credential = source.credentialRef === null ? undefined : practice.seeds.credentials.get(source.credentialRef)
    if (source.credentialRef === null || credential === undefined) continue
    await vault.write(source.credentialRef, credential)
    sources.save(source)
  }
  const web = ownWeb(upstream, '0.1.0')
  refresher = new Refresher({
    holders: alone,
    web,
    clock,
    chance: systemChance,
    digest,
    log,
    hosts: practice.hosts,
    sources,
    vault,
    files: new HandFiles(),
  })
  const accounts = sources.all().filter((source): source is Account => source.type === 'subscription')
  claude = accounts.find(({ provider }) => provider === 'claude') as Account
  codex = accounts.find(({ provider }) => provider === 'codex') as Account
})

afterAll(async () => {
  // Ends what still hangs, so that nothing is waited for.
  await upstream.close()
  await refresher.close()
  await practice.close()
  await vault.close()
  rmSync(folder, { recursive: true, force: true })
})

const accessOf = (given: unknown): string => (given as OAuthCredential).accessToken
const codes = (given: unknown): unknown => (given as { code?: unknown }).code
const now = (account: Account): Account => sources.get(account.id) as Account

/** Signs an account in afresh, as its owner would. */
async function signInAgain(account: Account): Promise<void> {
  practice.unscript()
  practice.fault(account.id, 'none')
  practice.signIn(account.id)
  await vault.write(credentialRef(account.id), practice.credential(account.id))
  sources.save({ ...now(account), signedOut: null })
}

describe('single flight', () => {
  it.each(['claude', 'codex'] as const)(
    'F61 %s: 100 rounds of 200 callers at expiry, one token request each, no reuse',
    async (provider) => {
      const account = provider === 'claude' ? claude : codex
      const before = practice.tokens(account.id)
      const seen = new Set<string>()
      for (let round = 0; round < 100; round += 1) {
        clock.advance(lifeMs)
        // Half of them come at once, half while the request is on its way or back.
        const early = Array.from({ length: 100 }, () => refresher.tokenFor(account))
        await practice.waitFor(({ operation }) => operation === 'token')
        const late = Array.from({ length: 100 }, () => refresher.tokenFor(account))
        const tokens = new Set((await Promise.all([...early, ...late])).map(accessOf))
        expect(tokens.size).toBe(1)
        for (const token of tokens) seen.add(token)
        practice.forgetSeen()
      }
      const after = practice.tokens(account.id)
      expect({
        requests: after.tokenRequests - before.tokenRequests,
        refreshes: after.refreshes - before.refreshes,
        reuses: after.reuses,
        tokens: seen.size,
      }).toEqual({ requests: 100, refreshes: 100, reuses: 0, tokens: 100 })
    },
  )

  it('F61 a burst of 401s before the time is one request', async () => {
    await signInAgain(claude)
    const { accessToken } = vault.read(credentialRef(claude.id)) as OAuthCredential
    practice.expireTokens(claude.id)
    const before = practice.tokens(claude.id).tokenRequests
    const given = await Promise.all(
      Array.from({ length: 200 }, () => refresher.tokenFor(claude, { force: accessToken })),
    )
    expect(new Set(given.map(accessOf)).size).toBe(1)
    expect(practice.tokens(claude.id).tokenRequests - before).toBe(1)
  })

  it('says who is asking: Pointsman, never a vendor’s client', async () => {
    practice.forgetSeen()
    clock.advance(lifeMs)
    await Promise.all([refresher.tokenFor(claude), refresher.tokenFor(codex)])
    const agents = practice.seen().map(({ rawHeaders }) => headerOf(rawHeaders, 'user-agent'))
    expect(agents).toEqual(['pointsman/0.1.0', 'pointsman/0.1.0'])
  })
})

describe.each(['claude', 'codex'] as const)('failures at the %s token endpoint', (provider) => {
  const origin = provider === 'claude' ? 'claudeAuth' : 'codexAuth'
  const subject = (): Account => (provider === 'claude' ? claude : codex)

  it('F65 a revoked grant signs the account out after one request', async () => {
    await signInAgain(subject())
    practice.fault(subject().id, 'revoke')
    const before = practice.tokens(subject().id).tokenRequests
    clock.advance(lifeMs)
    for (let minute = 0; minute < 30; minute += 1) {
      await refresher.renewDue()
      expect(codes(await refresher.tokenFor(now(subject())))).toBe('needs_sign_in')
      clock.advance(minuteMs)
    }
    expect(practice.tokens(subject().id).tokenRequests - before).toBe(1)
  })

  it('F63 rotated and the reply dropped: the token in hand is used to its end, then one try, then a sign-in', async () => {
    await signInAgain(subject())
    const held = vault.read(credentialRef(subject().id)) as OAuthCredential
    const before = practice.tokens(subject().id)
    practice.script(origin, { reply: { kind: 'vendor' }, wire: { end: { how: 'reset', afterBytes: 0 } } })
    clock.advance(lifeMs - 5 * minuteMs)
    for (let minute = 0; minute < 5; minute += 1) {
      await refresher.renewDue()
      expect(accessOf(await refresher.tokenFor(subject()))).toBe(held.accessToken)
      clock.advance(minuteMs)
    }
    const meanwhile = practice.tokens(subject().id)
    expect([meanwhile.refreshes - before.refreshes, meanwhile.reuses - before.reuses]).toEqual([1, 0])
    expect(codes(await refresher.tokenFor(subject()))).toBe('needs_sign_in')
    expect(now(subject()).signedOut?.because).toBe('an earlier renewal was cut off before its answer could be stored')
    expect(practice.tokens(subject().id).reuses - before.reuses).toBe(1)
  })

  it.each([
    ['reset before the answer', { reply: { kind: 'no-head', end: 'reset' } }],
    ['closed before the answer', { reply: { kind: 'no-head', end: 'fin' } }],
  ] as const)('F63 %s, and nothing rotated: the one try at the end succeeds', async (_, behaviour) => {
    await signInAgain(subject())
    practice.script(origin, behaviour)
    clock.advance(lifeMs - 5 * minuteMs)
    await refresher.renewDue()
    await refresher.renewDue()
    clock.advance(5 * minuteMs)
    expect(codes(await refresher.tokenFor(subject()))).toBe(undefined)
    expect(now(subject()).signedOut).toBe(null)
  })

  it('5xx, 429 and 408 keep the login and are tried again later', async () => {
    await signInAgain(subject())
    clock.advance(lifeMs)
    for (const status of [500, 502, 503, 504, 529, 429, 408]) {
      practice.script(origin, { reply: { kind: 'status', status, body: '<html>' } })
      expect(codes(await refresher.tokenFor(subject()))).toBe('token_unavailable')
      expect(now(subject()).signedOut).toBe(null)
      clock.advance(10 * minuteMs)
    }
    expect(codes(await refresher.tokenFor(subject()))).toBe(undefined)
  })

  it('F66 a copy that its other holder renewed first is signed out, and says why', async () => {
    await signInAgain(subject())
    const { refreshToken } = vault.read(credentialRef(subject().id)) as OAuthCredential
    const path = provider === 'claude' ? '/v1/oauth/token' : '/oauth/token'
    const client = provider === 'claude' ? '9d1c250a-e61b-44d9-88ed-5944d1962f5e' : 'app_EMoamEEZ73f0CkXaXp7hrann'
    const theirs = await fetch(practice.origins[origin] + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: client }),
    })
    expect(theirs.status).toBe(200)
    clock.advance(lifeMs)
    expect(codes(await refresher.tokenFor(subject()))).toBe('needs_sign_in')
    expect(now(subject()).signedOut?.because).toBe(
      provider === 'claude'
        ? 'its vendor no longer accepts its refresh token'
        : 'its refresh token was already used, probably by another program that holds a copy of this login',
    )
  })

  it('F68 deleted while its renewal is on the way: nothing comes back', async () => {
    await signInAgain(subject())
    clock.advance(lifeMs)
    practice.forgetSeen()
    practice.script(origin, { delayMs: 50, reply: { kind: 'vendor' } })
    const account = now(subject())
    const given = refresher.tokenFor(account)
    await practice.waitFor(({ operation }) => operation === 'token')
    await vault.remove(credentialRef(account.id))
    sources.remove(account.id)
    clock.advance(50)
    expect(codes(await given)).toBe('not_found')
    expect(vault.read(credentialRef(account.id))).toBe(null)
    sources.save(account)
  })
})

it('F64 killed between the vendor’s rotation and our disk: that account alone needs a sign-in, and says why', async () => {
  await signInAgain(claude)
  await signInAgain(codex)
  clock.advance(lifeMs)
  practice.forgetSeen()
  practice.script('claudeAuth', { reply: { kind: 'vendor' }, wire: { end: { how: 'stall', afterBytes: 0 } } })
  void refresher.tokenFor(now(claude))
  await practice.waitFor(({ operation }) => operation === 'token')
  // What a killed process leaves: the disk as it is now.
  const left = join(folder, 'left')
  cpSync(join(folder, 'data'), left, { recursive: true })
  const again = await openVault({ kind: 'file', keyFile: join(folder, 'key'), folder: left, clock, log: new HandLog() })
  const parts = { clock, chance: systemChance, digest, log, hosts: practice.hosts, sources, files: new HandFiles() }
  const next = new Refresher({ ...parts, holders: alone, web: ownWeb(upstream, '0.1.0'), vault: again })
  expect(codes(await next.tokenFor(now(claude)))).toBe('needs_sign_in')
  expect(now(claude).signedOut?.because).toBe('an earlier renewal was cut off before its answer could be stored')
  expect(codes(await next.tokenFor(now(codex)))).toBe(undefined)
  await next.close()
  await again.close()
})

it('no token is in the log or in the vault file', () => {
  const text = JSON.stringify(log.lines) + readFileSync(join(folder, 'data', 'vault'), 'latin1')
  expect(log.lines.length).toBeGreaterThan(100)
  for (const trace of ['sk-ant-o', 'rt_practice', 'practice-claude', 'eyJhbGci']) expect(text).not.toContain(trace)
})
