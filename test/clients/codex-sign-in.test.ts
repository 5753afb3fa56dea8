/** The unmodified Codex CLI with its own ChatGPT sign-in and `openai_base_url` (codex §7.1, option A; §2.4, §2.5). */
import { zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { codexWithSignIn, exec, ownAccountId, ownBearer, shell } from './codex.ts'
import { attempts, everythingSent, lines, posts } from './evidence.ts'
import { header } from './http-bytes.ts'
import { startProgram } from './program.ts'

it('keeps the client’s own bearer, its account id and the key in the path away from every upstream', async () => {
  const program = await startProgram(['codex-team', 'openai-host'])
  program.practice.script('codex-team', { reply: { kind: 'error', error: 'spent' } })
  const base = `${program.address}/k/${program.key}/codex`
  const home = codexWithSignIn(program.folder, base, program.practice.origins.ollamaHost)
  await home.run(exec('Do it'))

  const reached = program.practice.seen({ operation: 'generate' }).map(({ sourceId }) => sourceId)
  expect(reached).toEqual(['codex-team', 'openai-host'])
  const routed = [...program.taps.codex.passed(), ...program.taps.openaiApi.passed()]
  const sent = routed.map(({ request }) => `${request.first}\n${request.rawHeaders.join('\n')}`).join('\n')
  for (const secret of [ownBearer, ownAccountId, program.key]) {
    expect(sent).not.toContain(secret)
    expect(
      program.taps.client.passed().some(({ request }) => `${request.first} ${request.rawHeaders}`.includes(secret)),
    ).toBe(true)
  }
  expect(everythingSent(program)).not.toContain(program.key)
})

it('goes on over HTTP where the host has no WebSocket: a compressed body goes out plain, without turn metadata', async () => {
  const program = await startProgram(['openai-host'])
  program.practice.script('openai-host', { reply: { kind: 'vendor', content: { tool: shell('echo a tool has run') } } })
  const base = `${program.address}/k/${program.key}/codex`
  const home = codexWithSignIn(program.folder, base, program.practice.origins.ollamaHost)
  const run = await home.run(exec('Do it'))

  expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('Reconnecting')])
  const upgraded = lines(program.taps.client).filter((line) => line.endsWith(' 101') || line.endsWith(' 426'))
  expect(upgraded).toEqual([101, 426].map((status) => `GET /k/KEY/codex/v1/responses ${status}`))
  const [asSent] = posts(program.taps.client)
  const [inFrames, plain] = posts(program.taps.openaiApi)
  expect(header(inFrames?.request ?? { rawHeaders: [] }, 'x-codex-turn-metadata')).toBeNull()
  expect(header(asSent?.request ?? { rawHeaders: [] }, 'content-encoding')).toBe('zstd')
  expect(header(plain?.request ?? { rawHeaders: [] }, 'content-encoding')).toBeNull()
  expect(header(plain?.request ?? { rawHeaders: [] }, 'x-codex-turn-metadata')).toBeNull()
  // Byte for byte but for the turn's metadata, which is private to the vendor (codex §3).
  const { client_metadata, ...rest } = JSON.parse(String(zstdDecompressSync(asSent?.request.body ?? '')))
  expect(Object.keys(client_metadata)).toContain('x-codex-turn-metadata')
  const { client_metadata: kept, ...others } = JSON.parse(String(plain?.request.body))
  expect([others, Object.keys(kept).filter((name) => name.startsWith('x-'))]).toEqual([rest, []])
  // The warm-up is answered here, and an answer that came over HTTP can't be built on.
  expect((await program.calls(4)).map(attempts)).toEqual([
    [],
    ['openai-host 200 done done'],
    [],
    ['openai-host 200 done done'],
  ])
})

it('takes an empty model list, where no account can be asked, for leave to use its own', async () => {
  const program = await startProgram(['openai-host'])
  const base = `${program.address}/k/${program.key}/codex`
  const home = codexWithSignIn(program.folder, base, program.practice.origins.ollamaHost)
  const run = await home.run(exec('Do it'))

  expect(run.code).toBe(0)
  expect(run.stderr).not.toMatch(/Reconnecting|failed to refresh available models/)
  const lists = program.taps.client
    .passed()
    .filter(({ request }) => request.first.startsWith('GET ') && request.first.includes('/models?'))
  expect(lists.map(({ answer }) => answer?.body.toString())).toEqual(lists.map(() => '{"models":[]}'))
  expect(lists.length).toBeGreaterThan(0)
  expect(program.practice.seen({ operation: 'list' })).toEqual([])
})
