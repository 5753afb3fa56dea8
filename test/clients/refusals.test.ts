/** How our own refusals reach the person through each client: one request, our sentence (access.md, table). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bash, claudeCode, print } from './claude.ts'
import { codexWithProvider, exec, shell } from './codex.ts'
import { posts } from './evidence.ts'
import { type Program, startProgram } from './program.ts'

/** A tool that runs until the test has changed something, half a minute at most. */
const waitForGo = 'for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done; echo gone on'
const go = ({ folder }: Program): void => writeFileSync(join(folder, 'work', 'go'), '')

/** Statuses of the model calls, and what the person read that is ours. */
const statuses = ({ taps }: Program): readonly (string | undefined)[] =>
  posts(taps.client).map(({ answer }) => answer?.first.split(' ')[1])

const claude = (program: Program, base: string, ...args: readonly string[]) =>
  claudeCode(program.folder, `${program.address}/${base}`, program.key).run(print('Do it', ...args))
const codex = (program: Program, base: string, ...args: readonly string[]) =>
  codexWithProvider(program.folder, `${program.address}/${base}`, program.key).run([...exec('Do it'), ...args])

describe('an unknown model', () => {
  // Of a 404 the client asks once more without a stream, then says it in its own words; no header changes that.
  it('is shown by Claude Code in its own words, after its one try without a stream', async () => {
    const program = await startProgram(['anthropic-host'])
    const run = await claude(program, 'anthropic-host', '--model', 'nonsense-9')
    expect(statuses(program)).toEqual(['404', '404'])
    expect(run.stdout).toContain("There's an issue with the selected model (nonsense-9).")
  })

  it('is shown by Codex after one request, in our words', async () => {
    const program = await startProgram(['openai-host'])
    const run = await codex(program, 'openai-host', '-m', 'nonsense-9')
    expect(statuses(program)).toEqual(['200'])
    expect(run.stderr).toContain('ERROR: No source serves the model nonsense-9 here. Add it to a source, or ask for: ')
  })
})

describe('a key that may not use the model', () => {
  const said = (model: string): string =>
    `The access key default may not use the model ${model}. Widen the key under Profiles, Access keys, or use another key.`
  const narrowed = async (source: string): Promise<Program> => {
    const program = await startProgram([source])
    await program.rpc('keys.setPolicy', { id: 'default', models: ['another-model'] })
    return program
  }

  it('is shown by Claude Code after one request', async () => {
    const program = await narrowed('claude-work')
    const run = await claude(program, 'claude')
    expect([statuses(program), run.stdout]).toEqual([['403'], expect.stringContaining(said('claude-opus-5-5'))])
  })

  it('is shown by Codex after one request', async () => {
    const program = await narrowed('codex-team')
    const run = await codex(program, 'codex')
    expect([statuses(program), run.stderr]).toEqual([['200'], expect.stringContaining(`ERROR: ${said('gpt-6.2-sol')}`)])
  })
})

describe('every account used up', () => {
  const said =
    /Every account for [\w.-]+ is used up: .*: 5-hour window spent; .*: 5-hour window spent\. Wait until .* UTC, or add an account\./

  it('is shown by Claude Code after one request: first in the vendor’s words, then, known to us, in ours', async () => {
    const program = await startProgram(['claude-work', 'claude-personal'])
    for (const id of ['claude-work', 'claude-personal']) program.practice.fault(id, 'exhaust', { minutes: 60 })
    const first = await claude(program, 'claude')
    expect([statuses(program), first.stdout]).toEqual([
      ['429'],
      expect.stringContaining('exceed your account’s rate limit'),
    ])
    program.taps.client.forget()
    const second = await claude(program, 'claude')
    expect([statuses(program), second.stdout]).toEqual([['429'], expect.stringMatching(said)])
  })

  it('is shown by Codex after one request: first in the vendor’s words, then, known to us, in ours', async () => {
    const program = await startProgram(['codex-team', 'codex-personal'])
    for (const id of ['codex-team', 'codex-personal']) program.practice.fault(id, 'exhaust', { minutes: 60 })
    const first = await codex(program, 'codex')
    expect([statuses(program), first.stderr]).toEqual([['429'], expect.stringContaining('hit your usage limit')])
    program.taps.client.forget()
    const second = await codex(program, 'codex')
    expect([statuses(program), second.stderr]).toEqual([['200'], expect.stringMatching(said)])
  })
})

describe('a key that is disabled in mid-session', () => {
  async function disableMeanwhile(program: Program): Promise<void> {
    await program.practice.waitFor(({ operation, ended }) => operation === 'generate' && ended === 'whole', 30_000)
    await program.rpc('keys.setState', { id: 'default', state: 'disabled' })
    go(program)
  }

  it('is shown by Claude Code after one more request', async () => {
    const program = await startProgram(['claude-work'])
    program.practice.script('claude-work', { reply: { kind: 'vendor', content: { tool: bash(waitForGo) } } })
    const [run] = await Promise.all([claude(program, 'claude'), disableMeanwhile(program)])
    expect(statuses(program)).toEqual(['200', '401'])
    expect(run.stdout).toContain('No valid access key was sent.')
  })

  // Before a key is known nothing may be said in a stream, so the CLI's own five retries stand (access.md, table).
  it('is shown by Codex after its five retries of a 401', async () => {
    const program = await startProgram(['codex-team'])
    program.practice.script('codex-team', { reply: { kind: 'vendor', content: { tool: shell(waitForGo) } } })
    const [run] = await Promise.all([codex(program, 'codex'), disableMeanwhile(program)])
    expect(statuses(program)).toEqual(['200', ...Array(6).fill('401')])
    expect(run.stderr).toContain('401 Unauthorized: No valid access key was sent.')
  })
})
