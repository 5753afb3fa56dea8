/** What `connect` writes is what the unmodified clients read: each way, then the undo to the same bytes. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { model as claudeModel, print } from './claude.ts'
import { exec, model, ownSignIn } from './codex.ts'
import { startProgram } from './program.ts'
import { runCli } from './run-cli.ts'

/** The program sees the clients' folders as the person's session would. */
const start = (source: string) =>
  startProgram([source], async ({ folder }) => ({
    CODEX_HOME: join(folder, 'codex'),
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
  }))

it.each([
  ['own', 'model_provider = "pointsman"'],
  ['base-url', 'openai_base_url = "http://127.0.0.1:'],
] as const)('Codex by %s', async (way, line) => {
  const { rpc, practice, folder, calls } = await start('codex-team')
  const codexHome = join(folder, 'codex')
  mkdirSync(codexHome)
  const elsewhere = `chatgpt_base_url = "${practice.origins.ollamaHost}/backend-api"`
  const before = `# mine\nmodel = "${model}"\n${elsewhere}\n\n[analytics]\nenabled = false\n`
  const config = join(codexHome, 'config.toml')
  writeFileSync(config, before)
  writeFileSync(join(codexHome, 'auth.json'), ownSignIn(), { mode: 0o600 })
  expect(await rpc('clients.connect', { client: 'codex', way })).toMatchObject({ state: 'connected', way })
  expect(readFileSync(config, 'utf8')).toContain(line)

  const run = await runCli('codex', exec('Do it'), { folder, environment: { CODEX_HOME: codexHome } })
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('practice answer from Codex, team') })
  expect((await calls(1)).at(-1)).toMatchObject({ call: { sourceId: 'codex-team', outcome: 'done' } })

  await rpc('clients.restore', { client: 'codex' })
  // The CLI adds what it trusts to its file by itself; every byte that was there is there again.
  expect(readFileSync(config, 'utf8').startsWith(before)).toBe(true)
  expect(readFileSync(config, 'utf8')).not.toContain('pk_')
})

it('Claude Code in one folder, by that folder’s local settings alone', async () => {
  const { rpc, folder, calls } = await start('claude-work')
  const work = join(folder, 'work')
  mkdirSync(work)
  const settings = join(work, '.claude', 'settings.local.json')
  const { keyLabel } = await rpc<{ keyLabel: string }>('clients.connect', { client: 'claude', folder: work })
  const environment = {
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    ANTHROPIC_MODEL: claudeModel,
    DISABLE_AUTOUPDATER: '1',
  }
  const run = await runCli('claude', print('Do it'), { folder, environment })
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('practice answer from Claude, work') })
  const keys = await rpc<readonly { id: string; label: string }[]>('keys.list')
  const [found] = await calls(1)
  expect(keys.find(({ id }) => id === found?.call.keyId)?.label).toBe(keyLabel)

  await rpc('clients.restore', { client: 'claude', folder: work })
  expect(existsSync(settings) ? readFileSync(settings, 'utf8') : null).toBeNull()
})

/** `codex exec` says which thread it is in. */
const threadOf = (stderr: string): string => /session id: ([0-9a-f-]{36})/.exec(stderr)?.[1] ?? 'none'

it.each(['own', 'base-url'] as const)(
  'farion1231/cc-switch#2904 by %s a thread of Codex goes on after an undo and a new connection, under the id it had',
  async (way) => {
    const { rpc, practice, folder } = await start('codex-team')
    const codexHome = join(folder, 'codex')
    mkdirSync(codexHome)
    const elsewhere = `chatgpt_base_url = "${practice.origins.ollamaHost}/backend-api"`
    writeFileSync(join(codexHome, 'config.toml'), `model = "${model}"\n${elsewhere}\n[analytics]\nenabled = false\n`)
    writeFileSync(join(codexHome, 'auth.json'), ownSignIn(), { mode: 0o600 })
    const run = (args: readonly string[]) => runCli('codex', args, { folder, environment: { CODEX_HOME: codexHome } })
    await rpc('clients.connect', { client: 'codex', way })
    const first = await run(exec('One'))
    await rpc('clients.restore', { client: 'codex' })
    await rpc('clients.connect', { client: 'codex', way })
    const [command, ...rest] = exec('Two')
    const again = await run([command ?? 'exec', ...rest.slice(0, -1), 'resume', '--last', 'Two'])
    expect([first.code, again.code, threadOf(again.stderr)]).toEqual([0, 0, threadOf(first.stderr)])
    expect(threadOf(first.stderr)).not.toBe('none')
    // The address in the second connection is another key's: the thread is not bound to it.
    const keys = await rpc<readonly { label: string; state: string }[]>('keys.list')
    expect(keys.filter(({ label }) => label.startsWith('Codex CLI')).map(({ state }) => state)).toEqual([
      'revoked',
      'active',
    ])
  },
)
