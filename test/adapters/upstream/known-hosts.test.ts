/** Nothing is sent to a host that is neither a vendor's nor one that a person has entered (T3.6). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proxyChooser } from '../../../src/main/adapters/upstream/proxy.ts'
import { openUpstream } from '../../../src/main/adapters/upstream/undici-upstream.ts'
import { knownHosts } from '../../../src/main/composition/known-hosts.ts'
import type { UpstreamFailure } from '../../../src/main/ports.ts'
import type { SourcesPicture } from '../../../src/main/state/sources.ts'
import { sourceId } from '../../../src/shared/ids.ts'

const none = { claude: null, claudeAuth: null, codex: null, codexAuth: null }
const pictureWith = (...origins: readonly string[]): SourcesPicture =>
  ({ origins: new Map(origins.map((origin, n) => [sourceId(`source-${n}`), origin])) }) as unknown as SourcesPicture

let requests = 0
const server = createServer((_, answer) => {
  requests += 1
  answer.end('here')
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

/** The status, or why nothing was sent. */
function ask(has: (origin: string) => boolean): Promise<number | UpstreamFailure> {
  const proxyFor = proxyChooser(() => ({ http: null, https: null, none: null }), has)
  const upstream = openUpstream({ proxyFor, ownPort: () => 0 })
  const request = { origin, path: '/', method: 'GET', headers: [], body: null, proxy: null }
  return new Promise<number | UpstreamFailure>((resolve) => {
    let status = 0
    upstream.send(
      { ...request, headTimeoutMs: 5_000, idleTimeoutMs: 5_000 },
      {
        head: (answered) => {
          status = answered
        },
        data: () => {},
        end: () => resolve(status),
        failed: resolve,
      },
    )
  }).finally(() => upstream.close())
}

test('T3.6 a host that nobody has entered is not asked', async () => {
  const why = 'it is no host of an account or a profile'
  expect(await ask(knownHosts(none, () => pictureWith('http://127.0.0.1:1')).has)).toEqual({ kind: 'unreachable', why })
  expect(requests).toBe(0)
})

test('T3.6 the host of a stored source is asked, from the moment that it is stored', async () => {
  let picture = pictureWith()
  const known = knownHosts(none, () => picture)
  expect(known.has(origin)).toBe(false)
  picture = pictureWith(`${origin.replace('http', 'HTTP')}/`)
  expect(await ask(known.has)).toBe(200)
  picture = pictureWith()
  expect(known.has(origin)).toBe(false)
})

test('T3.6 a host that was entered to see its models is asked', async () => {
  const known = knownHosts(none, () => pictureWith())
  known.enter(`${origin}/v1`)
  expect(await ask(known.has)).toBe(200)
})

test('T3.6 the vendors’ hosts are known, and nothing that looks like them', () => {
  const known = knownHosts(none, () => pictureWith())
  const hosts = ['api.anthropic.com', 'platform.claude.com', 'chatgpt.com', 'auth.openai.com']
  expect(hosts.filter((host) => !known.has(`https://${host}`))).toEqual([])
  const others = hosts.flatMap((host) => [`http://${host}`, `https://${host}:8443`, `https://${host}.evil.test`])
  expect([...others, 'https://evil.test', ''].filter((each) => known.has(each))).toEqual([])
})

test('T3.6 overrides of practice and tests stand in place of the vendors’ hosts', () => {
  const here = 'http://127.0.0.1:4'
  const known = knownHosts({ claude: here, claudeAuth: here, codex: here, codexAuth: here }, () => pictureWith())
  expect([known.has(here), known.has('https://api.anthropic.com'), known.has('https://chatgpt.com')]).toEqual([
    true,
    false,
    false,
  ])
})
