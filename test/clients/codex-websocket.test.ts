/** The unmodified Codex CLI over WebSocket, as its ChatGPT sign-in makes it: whole tasks, and accounts that fail between two turns. */
import { expect, it } from 'vitest'
import type { Behaviour } from '../../src/main/practice/practice.ts'
import { type CodexHome, codexWithSignIn, exec, shell } from './codex.ts'
import { attempts, lines } from './evidence.ts'
import { type Program, startProgram } from './program.ts'

const home = ({ folder, address, key, practice }: Program): CodexHome =>
  codexWithSignIn(folder, `${address}/k/${key}/codex`, practice.origins.ollamaHost)

const tool = (n: number): Behaviour => ({
  reply: { kind: 'vendor', content: { tool: shell(`echo tool ${n} has run`) } },
})
const done: Behaviour = { reply: { kind: 'vendor', content: { text: 'All is done.' } } }
const spent: Behaviour = { reply: { kind: 'error', error: 'spent' } }
/** The first frame of a session only warms up. */
const warm: Behaviour = { reply: { kind: 'vendor' } }

const upgraded = ({ taps }: Program) => lines(taps.client).filter((line) => line.includes('/responses'))
const accepted = (count: number) => Array(count).fill('GET /k/KEY/codex/v1/responses 101')
const ran = (...numbers: readonly number[]) => numbers.map((n) => `tool ${n} has run`)

/** The person saw a task that came to its end, and nothing of what went on behind. */
function expectSmooth(run: Awaited<ReturnType<CodexHome['run']>>, tools: readonly string[]): void {
  expect([run.code, run.stdout]).toEqual([0, 'All is done.\n'])
  expect(run.stderr).not.toMatch(/^ERROR|Reconnecting/m)
  expect(run.stderr.match(/^tool \d has run$/gm)).toEqual(tools)
}

it('carries a task with tools over one WebSocket each way, every frame as it was', async () => {
  const program = await startProgram(['codex-team', 'codex-personal'])
  program.practice.script('codex-team', warm, tool(1), tool(2), done)
  const run = await home(program).run(exec('Do it'))

  expectSmooth(run, ran(1, 2))
  expect(upgraded(program)).toEqual(accepted(1))
  const [near, ...others] = program.taps.client.sockets()
  expect([others, near?.up.length]).toEqual([[], 4])
  expect(program.taps.codex.sockets()).toEqual([near])
  expect((await program.calls(4)).map(attempts)).toEqual(Array(4).fill(['codex-team 200 done done']))
})

it('goes on with another account when one is spent between two turns: the CLI reopens with its whole history', async () => {
  const program = await startProgram(['codex-team', 'codex-personal'])
  program.practice.script('codex-team', warm, tool(1), spent)
  program.practice.script('codex-personal', tool(2), tool(3), done)
  const run = await home(program).run(exec('Do it'))

  expectSmooth(run, ran(1, 2, 3))
  expect(upgraded(program)).toEqual(accepted(2))
  expect((await program.calls(6)).map(attempts)).toEqual([
    ['codex-team 200 done done'],
    ['codex-team 200 done done'],
    ['codex-team 429 failed exhausted'],
    ['codex-personal 200 done done'],
    ['codex-personal 200 done done'],
    ['codex-personal 200 done done'],
  ])
  const [, reopened] = program.taps.codex.sockets()
  const [first, second] = (reopened?.up ?? []).map((frame) => JSON.parse(frame))
  expect(first.previous_response_id).toBeUndefined()
  expect(JSON.stringify(first.input)).toContain('tool 1 has run')
  expect([typeof second.previous_response_id, second.input.length]).toEqual(['string', 1])
})

it.each([
  ['the connection is reset', { wire: { end: { how: 'reset', afterEvents: 5 } } }],
  ['the vendor closes with 1012', { wire: { end: { how: 'fin', closeCode: 1012, afterEvents: 5 } } }],
  ['the account is overloaded', { reply: { kind: 'error', error: 'overloaded' } }],
  ['the connection has reached its time limit', { reply: { kind: 'error', error: 'connection-limit' } }],
] as const)('comes to the end of its task although %s in the middle', async (_name, broken) => {
  const program = await startProgram(['codex-team'])
  program.practice.script('codex-team', warm, tool(1), broken as Behaviour, tool(2), done)
  const run = await home(program).run(exec('Do it'))
  expect([run.code, run.stdout]).toEqual([0, 'All is done.\n'])
  expect(run.stderr.match(/^tool \d has run$/gm)).toEqual(ran(1, 2))
})

it('keeps a strict key on its account: a spent one is said in the vendor’s words, and no other is asked', async () => {
  const program = await startProgram(['codex-team', 'codex-personal'])
  await program.rpc('keys.setPolicy', { id: 'default', policy: { mode: 'strict', sources: ['codex-team'] } })
  program.practice.script('codex-team', warm, tool(1))
  program.practice.usually('codex-team', spent)
  const run = await home(program).run(exec('Do it'))
  expect(run.code).not.toBe(0)
  expect(run.stderr).toMatch(/usage limit|can not serve/)
  expect(program.practice.seen().filter(({ sourceId }) => sourceId === 'codex-personal')).toEqual([])
})

it('shows a refusal of ours once, in our words', async () => {
  const program = await startProgram(['codex-team'])
  await program.rpc('keys.setPolicy', { id: 'default', models: ['another-model'] })
  const run = await home(program).run(exec('Do it'))
  expect(run.stderr).toContain('ERROR: The access key default may not use the model gpt-6.2-sol.')
  expect(upgraded(program).every((line) => line.endsWith(' 101'))).toBe(true)
})

it('hears over HTTP, after one more request, that its key has no policy', async () => {
  const program = await startProgram(['codex-team'])
  await program.rpc('keys.setPolicy', { id: 'default', policy: null })
  const run = await home(program).run(exec('Do it'))
  expect(run.stderr).toContain('ERROR: The access key default has no route policy')
  expect(upgraded(program)).toEqual(['GET /k/KEY/codex/v1/responses 426', 'POST /k/KEY/codex/v1/responses 200'])
})
