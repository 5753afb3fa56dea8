/** This machine's clock against the vendors', from the answers that come anyway. */
import { expect, it } from 'vitest'
import { skewOf, watchVendorClock } from '../../src/main/accounts/vendor-clock.ts'
import type { WebAnswer, WebRequest } from '../../src/main/ports.ts'
import { HandClock, HandWeb, minuteMs, noHosts, startMs } from './kit.ts'

const answer = (date: string | null): WebAnswer => ({
  status: 503,
  headers: date === null ? [] : ['content-type', 'text/plain', 'Date', date],
  text: '',
})
const ask = (url: string): WebRequest => ({ url, method: 'GET', headers: [], body: null, proxy: null, timeoutMs: 1 })
const vendor = 'https://platform.claude.com/v1/oauth/token'
const early = new Date(startMs - 10 * minuteMs).toUTCString()
const ahead = { aheadMs: 10 * minuteMs - 500, seenAtMs: startMs }

function watch(hosts = noHosts) {
  const inner = new HandWeb()
  const told: [vendorMs: number, isNews: boolean][] = []
  const watched = watchVendorClock(inner, new HandClock(), hosts, (...one) => told.push(one))
  return { inner, told, ...watched }
}

it('F60 any answer of a vendor tells its time, also a refusal; a later one without a date changes nothing', async () => {
  const { inner, told, web, clockSkew } = watch()
  inner.next(answer(early), answer(null), { kind: 'lost' }, answer(early))
  expect(clockSkew()).toBeNull()
  await web.fetch(ask(vendor))
  expect(clockSkew()).toEqual(ahead)
  await web.fetch(ask(vendor))
  await web.fetch(ask(vendor))
  expect(clockSkew()).toEqual(ahead)
  await web.fetch(ask(vendor))
  // The same difference again is no news.
  const vendorMs = ahead.seenAtMs - ahead.aheadMs
  expect(told).toEqual([
    [vendorMs, true],
    [vendorMs, false],
  ])
})

it('hosts that are no vendor’s tell nothing, one that stands in for a vendor does', async () => {
  const { inner, web, clockSkew } = watch({ ...noHosts, codexAuth: 'http://127.0.0.1:4000' })
  inner.next(answer(early), answer(early), answer(early))
  await web.fetch(ask('http://127.0.0.1:11434/api/tags'))
  await web.fetch(ask('https://platform.claude.com.evil.test/v1/oauth/token'))
  expect(clockSkew()).toBeNull()
  await web.fetch(ask('http://127.0.0.1:4000/oauth/token'))
  expect(clockSkew()).toEqual(ahead)
})

it('counts from the middle of the second that a date tells', () => {
  expect(skewOf(answer(early), startMs)).toEqual(ahead)
  expect([skewOf(answer(null), startMs), skewOf(answer('soon'), startMs)]).toEqual([null, null])
})
