/** Who holds a login: shown as it is, handed over and back, and revoked only when it was made here. */
import { describe, expect, it } from 'vitest'
import { custodyFacts } from '../../src/main/accounts/custody.ts'
import type { Account } from '../../src/main/domain/source.ts'
import { credentialRef, sourceId } from '../../src/shared/ids.ts'
import { codexFile, desk } from './desk-kit.ts'
import { account, hourMs, json, minuteMs, oauth, settle, startMs } from './kit.ts'

const path = '/home/me/.codex/auth.json'
const id = sourceId('work')
const bench = (answers = {}) => {
  const made = desk(answers)
  const now = (): Account => made.sources.get(id) as Account
  return { ...made, now }
}

describe('who holds it', () => {
  const later = oauth({ renewedAtMs: startMs + 1 })
  const renewsAtMs = startMs + 8 * hourMs - 5 * minuteMs
  it.each([
    ['read from the CLI’s file', { custody: 'read-only', path }, null, { holder: 'cli', renewsAtMs: null }],
    ['signed out of the CLI’s file', { custody: 'read-only', path: null }, null, { holder: 'none', renewsAtMs: null }],
    ['a setup-token', { custody: 'setup-token' }, oauth({ refreshToken: null }), { holder: 'none', renewsAtMs: null }],
    ['signed in here', { origin: 'sign-in', takenAtMs: startMs }, oauth(), { holder: 'pointsman', renewsAtMs }],
    ['a copy, not renewed yet', { origin: 'import', takenAtMs: startMs }, oauth(), { holder: 'both', renewsAtMs }],
    ['a copy, renewed here', { origin: 'import', takenAtMs: startMs }, later, { holder: 'pointsman', renewsAtMs }],
    ['no record', {}, null, { holder: 'none', renewsAtMs: null }],
  ] as const)('%s', (_, change, stored, expected) => {
    expect(custodyFacts(account(change), stored)).toMatchObject(expected)
  })
})

describe('handing over and back', () => {
  async function handedOver() {
    const made = bench()
    const file = JSON.stringify({ ...codexFile('user-1', 'space-1', 'rt-0'), unknown: { kept: true } })
    made.files.texts.set(path, file)
    await made.desk.import({ provider: 'codex', label: 'Work', path })
    const taken = await made.desk.handOver(id)
    return { ...made, file, taken }
  }

  it('takes a copy, leaves the file as it is, and warns', async () => {
    const { now, taken, files, file } = await handedOver()
    expect(now()).toMatchObject({ custody: 'pointsman', path: null, label: 'Work', handedFrom: { path } })
    expect('warning' in taken && taken.warning).toContain('sign in there again with `codex login`')
    expect(files.texts.get(path)).toBe(file)
  })

  it('gives the renewed tokens back into the same file, all else in it as it was', async () => {
    const { now, desk, vault, files, file } = await handedOver()
    const ref = credentialRef(id)
    const stored = vault.records.get(ref)
    if (stored?.kind !== 'oauth') throw new Error('nothing is stored')
    vault.records.set(ref, { ...stored, refreshToken: 'rt-1', renewedAtMs: startMs })
    await desk.handBack(id)
    const before = JSON.parse(file)
    expect(JSON.parse(String(files.texts.get(path)))).toEqual({
      ...before,
      tokens: { ...before.tokens, refresh_token: 'rt-1' },
      last_refresh: new Date(startMs).toISOString(),
    })
    expect(now()).toMatchObject({ custody: 'read-only', path, credentialRef: null, handedFrom: null })
    expect(vault.records.size).toBe(0)
  })

  it('never writes over a login that the CLI has made since', async () => {
    const { now, desk, files, written } = await handedOver()
    const own = JSON.stringify(codexFile('user-1', 'space-1', 'rt-of-the-cli'))
    files.texts.set(path, own)
    await desk.handBack(id)
    expect([written, files.texts.get(path), now().custody]).toEqual([[], own, 'read-only'])
  })

  it('refuses while a renewal is in flight, without the file, or when nothing was handed over', async () => {
    const { desk, files, now, refresher, web, vault, clock } = await handedOver()
    files.texts.delete(path)
    expect(await desk.handBack(id)).toMatchObject({ code: 'credential_unreadable' })
    let answer: (value: ReturnType<typeof json>) => void = () => {}
    web.next(() => new Promise((resolve) => (answer = resolve)))
    const stored = vault.records.get(credentialRef(id))
    if (stored?.kind !== 'oauth') throw new Error('nothing is stored')
    vault.records.set(credentialRef(id), { ...stored, expiresAtMs: clock.nowMs() - 1 })
    const renewal = refresher.tokenFor(now())
    await settle()
    expect(await desk.handBack(id)).toMatchObject({ code: 'conflict' })
    answer(json(503, {}))
    await renewal
    expect(now()).toMatchObject({ custody: 'pointsman', credentialRef: credentialRef(id) })
    const plain = bench()
    await plain.desk.import({ provider: 'codex', label: 'Work', credential: codexFile('user-1', 'space-1') })
    expect(await plain.desk.handBack(id)).toMatchObject({ code: 'invalid_input' })
    expect(await plain.desk.handOver(id)).toMatchObject({ code: 'invalid_input' })
  })
})

describe('revocation', () => {
  const revokes = (made: ReturnType<typeof bench>) =>
    made.web.requests.filter(({ url }) => url.endsWith('/oauth/revoke'))
  async function removed(change: Partial<Account>) {
    const made = bench({ '/oauth/revoke': json(200, {}) })
    await made.desk.import({ provider: 'codex', label: 'Work', credential: codexFile('user-1', 'space-1', 'rt-own') })
    made.sources.save({ ...made.now(), ...change })
    await made.desk.remove(id)
    await settle()
    return made
  }

  it('a login that was made here is ended at the vendor once its account is gone', async () => {
    const made = await removed({ origin: 'sign-in' })
    expect(revokes(made).map(({ body }) => JSON.parse(body ?? ''))).toEqual([
      { token: 'rt-own', token_type_hint: 'refresh_token', client_id: 'app_EMoamEEZ73f0CkXaXp7hrann' },
    ])
    expect(JSON.stringify(made.log.lines)).not.toContain('rt-own')
  })

  it('an imported one never is: it is the CLI’s too', async () => {
    expect(revokes(await removed({ origin: 'import' }))).toEqual([])
  })
})
