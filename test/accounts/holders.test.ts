/** Two Pointsmans with one login: the second sends nothing, and says who renewed it. */
import { expect, it } from 'vitest'
import { Refresher } from '../../src/main/accounts/refresh.ts'
import type { Claimed, Holders } from '../../src/main/sign-in-ports.ts'
import { credentialRef } from '../../src/shared/ids.ts'
import { bench, chance, digest, expired, fresh, hourMs, json, minuteMs, noHosts, oauth, startMs, work } from './kit.ts'

/** The shared notes, kept in memory. */
function notes() {
  const sent = new Map<string, Claimed>()
  const of = (by: string): Holders => ({
    async claim(hash) {
      const found = sent.get(hash)
      if (found !== undefined) return found.by === by ? null : found
      sent.set(hash, { by, atMs: startMs })
      return null
    },
    async release(hash) {
      if (sent.get(hash)?.by === by) sent.delete(hash)
    },
  })
  return { sent, of }
}

function two(credential = expired) {
  const shared = notes()
  const side = (by: string) => {
    const made = bench(credential)
    const { web, clock, log, sources, vault, files } = made
    const deps = { holders: shared.of(by), web, clock, chance, digest, log, hosts: noHosts, sources, vault, files }
    return { ...made, refresher: new Refresher(deps) }
  }
  return { first: side('/data/one'), second: side('/data/two'), sent: shared.sent }
}

it('the second sends nothing and says who renewed it', async () => {
  const { first, second } = two()
  first.web.next(fresh)
  expect(await first.refresher.tokenFor(first.source)).toMatchObject({ accessToken: 'sk-ant-oat01-new' })
  expect(await second.refresher.tokenFor(second.source)).toMatchObject({
    code: 'needs_sign_in',
    sentence:
      'Work is signed out: another Pointsman renewed this login already: the one with the data folder /data/one.',
  })
  expect(second.web.requests).toEqual([])
  // Its record is as it was: nothing was spent by it.
  expect(second.vault.records.get(credentialRef(work))).toEqual(expired)
})

it('while its access token still works it goes on with it', async () => {
  const { first, second } = two(oauth({ expiresAtMs: startMs + minuteMs }))
  first.web.next(fresh)
  await first.refresher.renewDue()
  expect(await second.refresher.tokenFor(second.source)).toMatchObject({ accessToken: 'sk-ant-oat01-old' })
  await second.refresher.close()
  expect([second.web.requests, second.now().signedOut]).toEqual([[], null])
})

it('a token that was not spent may be sent by the other', async () => {
  const { first, second, sent } = two()
  first.web.next(json(503, {}))
  await first.refresher.tokenFor(first.source)
  expect(sent.size).toBe(0)
  second.web.next(fresh)
  expect(await second.refresher.tokenFor(second.source)).toMatchObject({ accessToken: 'sk-ant-oat01-new' })
})

it('a doubtful one stays with who sent it, who may try it once more', async () => {
  const { first, second } = two()
  first.web.next({ kind: 'lost' }, fresh)
  await first.refresher.tokenFor(first.source)
  await second.refresher.tokenFor(second.source)
  expect(second.web.requests).toEqual([])
  first.clock.advance(hourMs)
  expect(await first.refresher.tokenFor(first.now())).toMatchObject({ accessToken: 'sk-ant-oat01-new' })
})

it('notes that can not be made stop no renewal', async () => {
  const { first } = two()
  const { web, clock, log, sources, vault, files } = first
  const broken: Holders = {
    claim: async () => Promise.reject(new Error('EROFS')),
    release: async () => Promise.reject(new Error('EROFS')),
  }
  const deps = { holders: broken, web, clock, chance, digest, log, hosts: noHosts, sources, vault, files }
  web.next(fresh)
  expect(await new Refresher(deps).tokenFor(first.source)).toMatchObject({ accessToken: 'sk-ant-oat01-new' })
  expect(log.events).toContain('holder-not-noted')
})
