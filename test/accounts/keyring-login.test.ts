/** A Codex login that lies in the keychain: copied once by the person's action, never read behind their back, never renewed. */
import { expect, it } from 'vitest'
import { keyringPlace } from '../../src/main/accounts/login-place.ts'
import type { Account } from '../../src/main/domain/source.ts'
import { PointsmanError } from '../../src/shared/errors.ts'
import { credentialRef, sourceId } from '../../src/shared/ids.ts'
import { codexFile, desk } from './desk-kit.ts'
import { codexClaims, jwt } from './kit.ts'

const place = keyringPlace('/home/me/.codex')
const id = sourceId('work')
const ref = credentialRef(id)

const login = (refresh: string, exp = 4_000_000_000) => {
  const file = codexFile('user-1', 'space-1', refresh)
  const token = jwt({ ...codexClaims('user-1', 'space-1'), jti: refresh, exp })
  return JSON.stringify({ ...file, tokens: { ...file.tokens, access_token: token } })
}
const accessIn = (text: string): string => JSON.parse(text).tokens.access_token

async function imported(text = login('rt-cli')) {
  const made = desk()
  made.files.texts.set(place, text)
  const outcome = await made.desk.import({ provider: 'codex', label: 'Work', path: place })
  return { ...made, text, outcome, now: () => made.sources.get(id) as Account }
}

it('keeps the access token and leaves the refresh token to the CLI', async () => {
  const { vault, now, text, outcome, refresher, files } = await imported()
  expect(outcome).toMatchObject({ warning: null, isNew: true })
  expect(now()).toMatchObject({ custody: 'read-only', path: place, credentialRef: ref, origin: 'import' })
  expect(vault.records.get(ref)).toMatchObject({ accessToken: accessIn(text), refreshToken: null })
  expect(JSON.stringify(vault.writes)).not.toContain('rt-cli')
  files.texts.clear()
  expect(await refresher.tokenFor(now())).toMatchObject({ accessToken: accessIn(text) })
})

it.each([
  ['expired', 1, 'the copy of its login has expired; start `codex` once, then read it from the keychain again'],
  ['refused', 4e9, 'its vendor refuses the copy of its login; read it from the keychain again'],
])('%s: it asks for the person, and neither reads the keychain nor renews', async (how, exp, because) => {
  const { now, text, refresher, files, web } = await imported(login('rt-cli', exp))
  const asked = web.requests.length
  let reads = 0
  files.readText = async () => {
    reads += 1
    return text
  }
  const token = await refresher.tokenFor(now(), how === 'refused' ? { force: accessIn(text) } : {})
  expect(token).toMatchObject({ code: 'needs_sign_in' })
  expect(now().signedOut).toMatchObject({ because })
  await refresher.renewDue()
  expect([reads, web.requests.length, now().signedOut?.because]).toEqual([0, asked, because])
})

it('read again, it is signed in again, as the same account', async () => {
  const { desk: door, files, now, sources, refresher } = await imported(login('rt-cli', 1))
  await refresher.tokenFor(now())
  files.texts.set(place, login('rt-cli-2'))
  expect(await door.import({ provider: 'codex', label: 'Work', path: place, replaces: id })).toMatchObject({
    isNew: false,
  })
  expect([now().signedOut, sources.all().length]).toEqual([null, 1])
})

it('handed over it is renewed here; handed back the item has the tokens, and the copy no refresh token', async () => {
  const { desk: door, vault, files, now, written } = await imported()
  expect(await door.handOver(id)).toMatchObject({ account: { custody: 'pointsman', handedFrom: { path: place } } })
  const stored = vault.records.get(ref)
  if (stored?.kind !== 'oauth') throw new Error('nothing is stored')
  expect(stored.refreshToken).toBe('rt-cli')
  vault.records.set(ref, { ...stored, refreshToken: 'rt-renewed' })
  await door.handBack(id)
  expect(JSON.parse(String(files.texts.get(place))).tokens.refresh_token).toBe('rt-renewed')
  expect(written).toHaveLength(1)
  expect(now()).toMatchObject({ custody: 'read-only', path: place, credentialRef: ref, handedFrom: null })
  expect(vault.records.get(ref)).toMatchObject({ refreshToken: null })
})

it('says what stops it: nothing there, or a keychain that is locked', async () => {
  const made = desk()
  const ask = () => made.desk.import({ provider: 'codex', label: 'Work', path: place })
  expect(await ask()).toMatchObject({
    sentence: expect.stringContaining('the keychain holds no login of the Codex CLI for that folder'),
  })
  made.files.readText = () => Promise.reject(new PointsmanError('credential_unreadable', { why: 'it is locked' }))
  expect(await ask()).toMatchObject({ sentence: 'The credential could not be read: it is locked.' })
  expect(await made.desk.import({ provider: 'codex', label: 'Work', path: keyringPlace('here') })).toMatchObject({
    code: 'invalid_input',
  })
  expect(made.sources.all()).toEqual([])
})
