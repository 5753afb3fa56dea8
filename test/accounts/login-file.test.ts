/** Read-only accounts: the vendor's CLI holds the login, its file is read for every use (F66, field report 2). */
import { describe, expect, it } from 'vitest'
import type { Account } from '../../src/main/domain/source.ts'
import { bench, codexClaims, hourMs, jwt, minuteMs, settle, startMs, work } from './kit.ts'

const path = '/home/me/.claude/.credentials.json'
const file = (accessToken: string, expiresAt = startMs + 8 * hourMs): string =>
  JSON.stringify({
    claudeAiOauth: { accessToken, refreshToken: 'sk-ant-ort01-cli', expiresAt, subscriptionType: 'pro' },
  })
const codes = (given: unknown): unknown => (given as { code?: unknown }).code

function readOnly(text: string | Error | null, change: Partial<Account> = {}) {
  const made = bench(null, { custody: 'read-only', path, credentialRef: null, ...change })
  if (text !== null) made.files.texts.set(path, text)
  return made
}

describe('a read-only account', () => {
  it('gives what its file holds now, and sends nothing itself', async () => {
    const { refresher, source, files, web, vault, clock } = readOnly(file('one'))
    expect(await refresher.tokenFor(source)).toMatchObject({ accessToken: 'one' })
    files.texts.set(path, file('two'))
    expect(await refresher.tokenFor(source)).toMatchObject({ accessToken: 'two' })
    clock.advance(8 * hourMs - minuteMs)
    await refresher.renewDue()
    expect({ requests: web.requests, writes: vault.writes }).toEqual({ requests: [], writes: [] })
  })

  it('shares one read among callers that come together', async () => {
    const { refresher, source, files } = readOnly(file('one'))
    await Promise.all(Array.from({ length: 50 }, () => refresher.tokenFor(source)))
    expect(files.reads).toBe(1)
  })

  it('F66 reads the file again on a 401 and uses the newer token of the CLI', async () => {
    const { refresher, source, files, now } = readOnly(file('one'))
    await refresher.tokenFor(source)
    files.texts.set(path, file('two'))
    expect(await refresher.tokenFor(source, { force: 'one' })).toMatchObject({ accessToken: 'two' })
    expect(now().signedOut).toBe(null)
  })

  it.each([
    [
      'the vendor refuses what it holds',
      file('one'),
      'one',
      'its vendor refuses the login; start `claude` once, or sign in there again',
    ],
    [
      'its token has expired',
      file('one', startMs),
      undefined,
      'its login has expired; start `claude` once, which renews it',
    ],
    ['the file is gone', null, undefined, 'the login file of `claude` is gone; sign in with `claude` again'],
  ])('is signed out when %s, and back within a minute of the CLI’s next renewal', async (_, text, force, because) => {
    const { refresher, source, files, web, clock, now } = readOnly(text)
    expect(codes(await refresher.tokenFor(source, { force }))).toBe('needs_sign_in')
    expect(now().signedOut).toEqual({ because, sinceMs: startMs })
    refresher.start()
    clock.advance(minuteMs)
    await settle()
    expect(now().signedOut?.because).toBe(because)
    files.texts.set(path, file('two'))
    clock.advance(minuteMs)
    await settle()
    expect(now()).toEqual({ ...source, plan: 'pro', signedOut: null, updatedAtMs: clock.wallMs })
    expect(await refresher.tokenFor(now())).toMatchObject({ accessToken: 'two' })
    expect(web.requests).toEqual([])
    await refresher.close()
  })

  it.each([
    ['half-written', '{"claudeAiOauth":{', 'credential_unreadable'],
    ['not readable', new Error('EACCES'), 'token_unavailable'],
  ])('is only passed over while its file is %s', async (_, text, code) => {
    const { refresher, source, now } = readOnly(text)
    expect(codes(await refresher.tokenFor(source))).toBe(code)
    expect(now().signedOut).toBe(null)
  })

  it('is not served with another person’s login', async () => {
    const login = (userId: string): string =>
      JSON.stringify({
        tokens: { access_token: jwt(codexClaims(userId, 'acc')), account_id: 'acc', refresh_token: 'r' },
      })
    const change = { provider: 'codex', identity: { userId: 'u1', workspaceId: 'acc' } } as const
    const { refresher, source, files, now } = readOnly(login('u1'), change)
    expect(await refresher.tokenFor(source)).toMatchObject({ accountId: 'acc' })
    files.texts.set(path, login('u2'))
    expect(codes(await refresher.tokenFor(source))).toBe('needs_sign_in')
    expect(now().signedOut?.because).toBe('`codex` is now signed in to another account')
  })

  it('stays signed out when its owner signed it out', async () => {
    const { refresher, sources, now } = readOnly(file('one'))
    sources.save({ ...now(), path: null })
    sources.signedOut(work, 'you signed it out')
    await refresher.renewDue()
    expect(now().signedOut?.because).toBe('you signed it out')
  })
})
