/** What `pointsman doctor` says of clock and proxy. */
import { expect, it } from 'vitest'
import { clockCheck, proxyCheck } from '../../../../src/main/shell/headless/cli/machine-checks.ts'

it.each([
  [Date.UTC(2026, 10, 30, 8, 5), true, 'It is 2026-11-30 08:05 UTC by this machine.'],
  [0, false, 'It can not be 1970-01-01 00:00 UTC.'],
  [Date.UTC(2199, 0, 1), false, 'It can not be 2199-01-01 00:00 UTC.'],
])('clock %s', (nowMs, ok, sentence) => {
  expect(clockCheck(nowMs)).toMatchObject({ ok, sentence })
})

it.each([
  [{}, true, 'None is set in this shell.'],
  [{ HTTPS_PROXY: '' }, true, 'None is set in this shell.'],
  [
    { HTTPS_PROXY: 'http://me:canary@proxy.test:3128' },
    true,
    'HTTPS_PROXY is http://proxy.test:3128; this machine is always direct.',
  ],
  [{ https_proxy: 'proxy.test' }, false, 'https_proxy is no http or https address.'],
  [{ ALL_PROXY: 'socks5://x:1' }, false, 'ALL_PROXY is no http or https address.'],
])('proxy %j', (variables, ok, sentence) => {
  expect(proxyCheck(variables)).toMatchObject({ ok, sentence, next: ok ? null : expect.stringContaining('Correct') })
})
