/** What the pinned clients send to name a session, held against the fixtures: a client that changed fails here. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { captured } from './capture.ts'
import { agent, claudeCode, print } from './claude.ts'
import { type CodexHome, codexWithProvider, codexWithSignIn, exec, shell } from './codex.ts'
import { header } from './http-bytes.ts'
import { type Program, startProgram } from './program.ts'

/** Model calls and upgrades; lists and probes say nothing of a session. */
const turns = ({ taps }: Program) =>
  taps.client.passed().filter(({ request }) => request.first.startsWith('POST ') || header(request, 'upgrade') !== null)

async function hold(name: string, program: Program, client: string): Promise<void> {
  await expect(captured(client, turns(program), program.folder)).toMatchFileSnapshot(`fixtures/${name}.json`)
}

async function codexProgram(): Promise<Program> {
  const program = await startProgram(['codex-team'])
  program.practice.script('codex-team', { reply: { kind: 'vendor', content: { tool: shell('echo hi') } } })
  return program
}

it('Codex with a provider of its own', async () => {
  const program = await codexProgram()
  await codexWithProvider(program.folder, `${program.address}/codex`, program.key).run(exec('Do it'))
  await hold('codex-provider', program, 'Codex CLI 0.169.0, provider of its own, a turn with a tool')
})

// Where the vendor has no WebSocket just now, both of its ways of asking are seen.
it('Codex with its ChatGPT sign-in', async () => {
  const program = await codexProgram()
  program.practice.script('codex-team', { on: ['upgrade'], reply: { kind: 'status', status: 426 } })
  const base = `${program.address}/k/${program.key}/codex`
  await codexWithSignIn(program.folder, base, program.practice.origins.ollamaHost).run(exec('Do it'))
  await hold('codex-sign-in', program, 'Codex CLI 0.169.0, ChatGPT sign-in, a turn with a tool')
})

it('a Codex subagent', async () => {
  const program = await startProgram(['codex-team'])
  const home: CodexHome = codexWithProvider(program.folder, `${program.address}/codex`, program.key)
  makeRepository(join(program.folder, 'work'))
  await home.run(['exec', 'review', '--dangerously-bypass-approvals-and-sandbox', 'Look at everything'])
  await hold('codex-subagent', program, 'Codex CLI 0.169.0, the subagent of a review')
})

it('Claude Code with a subagent', async () => {
  const program = await startProgram(['claude-work'])
  program.practice.script('claude-work', { reply: { kind: 'vendor', content: { tool: agent('Look around') } } })
  await claudeCode(program.folder, `${program.address}/claude`, program.key).run(print('Do it'))
  await hold('claude-code', program, 'Claude Code 2.1.328, main agent and a subagent')
})

function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const who = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@client.invalid']
  for (const args of [
    ['init', '-q'],
    [...who, 'commit', '-q', '--allow-empty', '-m', 'Begin'],
  ]) {
    execFileSync('git', args, { cwd: folder })
  }
}
