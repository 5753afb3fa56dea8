/** The unmodified Codex CLI with its own ChatGPT sign-in and `openai_base_url` (codex §7.1, option A; §2.4, §2.5). */
import { zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { codexWithSignIn, exec, ownAccountId, ownBearer, shell } from './codex.ts'
import { attempts, bodies, digest, everythingSent, lines, posts } from './evidence.ts'
import { header } from './http-bytes.ts'
import { startProgram } from './program.ts'

const models = 'GET /k/KEY/codex/v1/models 200'
const noise = /Reconnecting|failed to refresh available models|Model metadata/

it('lists models, falls back from WebSocket at once and sends zstd bodies that arrive as they were', async () => {
  const program = await startProgram(['codex-team', 'codex-personal'])
  program.practice.script(
    'codex-team',
    { reply: { kind: 'vendor', content: { tool: shell('echo a tool has run') } } },
    { reply: { kind: 'vendor', content: { text: 'All is done.' } } },
  )
  const base = `${program.address}/k/${program.key}/codex`
  const home = codexWithSignIn(program.folder, base, program.practice.origins.ollamaHost)
  const run = await home.run(exec('Do it'))

  expect([run.code, run.stdout]).toEqual([0, 'All is done.\n'])
  expect(run.stderr).toContain('a tool has run')
  expect(run.stderr).not.toMatch(noise)
  const seen = lines(program.taps.client)
  expect(seen[0]).toBe(models)
  expect(seen.filter((line) => line !== models)).toEqual([
    'GET /k/KEY/codex/v1/responses 426',
    'POST /k/KEY/codex/v1/responses 200',
    'POST /k/KEY/codex/v1/responses 200',
  ])
  expect(posts(program.taps.codex).map(({ request }) => header(request, 'content-encoding'))).toEqual(['zstd', 'zstd'])
  expect(bodies('request', program.taps.codex)).toEqual(bodies('request', program.taps.client))
  expect(bodies('answer', program.taps.client)).toEqual(bodies('answer', program.taps.codex))
})

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

it('sends a compressed body plain to a host that isn’t the vendor’s, and no turn metadata', async () => {
  const program = await startProgram(['codex-team', 'openai-host'])
  program.practice.script('codex-team', { reply: { kind: 'error', error: 'spent' } })
  const base = `${program.address}/k/${program.key}/codex`
  const home = codexWithSignIn(program.folder, base, program.practice.origins.ollamaHost)
  const run = await home.run(exec('Do it'))

  expect(run.code).toBe(0)
  const [asSent] = posts(program.taps.client)
  const [plain] = posts(program.taps.openaiApi)
  expect(header(asSent?.request ?? { rawHeaders: [] }, 'content-encoding')).toBe('zstd')
  expect(header(plain?.request ?? { rawHeaders: [] }, 'content-encoding')).toBeNull()
  expect(header(plain?.request ?? { rawHeaders: [] }, 'x-codex-turn-metadata')).toBeNull()
  expect(digest(plain?.request.body ?? Buffer.alloc(0))).toBe(digest(zstdDecompressSync(asSent?.request.body ?? '')))
  expect((await program.calls(1)).map(attempts)).toEqual([
    ['codex-team 429 failed exhausted', 'openai-host 200 done done'],
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
