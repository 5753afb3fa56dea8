/** One session of each client over a chain of upstream failures: the client never sees one of them (routing §6). */
import { expect, it } from 'vitest'
import type { Behaviour, ToolCall } from '../../src/main/practice/practice.ts'
import { bash, claudeCode, print } from './claude.ts'
import { codexWithProvider, exec, shell } from './codex.ts'
import { attempts, bodies, lines, posts } from './evidence.ts'
import { header } from './http-bytes.ts'
import { type Program, startProgram } from './program.ts'
import type { Tap } from './tap.ts'

const unavailable: Behaviour = { reply: { kind: 'status', status: 503, body: '{"error":{"message":"unavailable"}}' } }
const reset: Behaviour = { reply: { kind: 'no-head', end: 'reset' } }
const spent: Behaviour = { reply: { kind: 'error', error: 'spent' } }
const overloadedInside: Behaviour = {
  reply: { kind: 'vendor', content: { fail: { afterEvents: 0, error: 'overloaded' } } },
}

/**
 * Five requests of one session: A serves; A is spent, B serves; B answers 503, the key on another host serves; that
 * host resets, B serves; B reports an overload inside a 200, the other host serves.
 */
function script(
  { practice }: Program,
  [a, b, other]: readonly [string, string, string],
  tool: (n: number) => ToolCall,
): void {
  const call = (n: number): Behaviour => ({ reply: { kind: 'vendor', content: { tool: tool(n) } } })
  practice.script(a, call(1), spent)
  practice.script(b, call(2), unavailable, call(4), overloadedInside)
  practice.script(other, call(3), reset, { reply: { kind: 'vendor', content: { text: 'All is done.' } } })
}

const chain = ([a, b, other]: readonly [string, string, string]): readonly (readonly string[])[] => [
  [`${a} 200 done done`],
  [`${a} 429 failed exhausted`, `${b} 200 done done`],
  [`${b} 503 failed overloaded`, `${other} 200 done done`],
  [`${other} none unknown-outcome lost`, `${b} 200 done done`],
  [`${b} 200 failed overloaded`, `${other} 200 done done`],
]

const home = ({ folder, address, key }: Program) => codexWithProvider(folder, `${address}/codex`, key)

it('carries a Codex session over four kinds of failure', async () => {
  const sources = ['codex-team', 'codex-personal', 'openai-host'] as const
  const program = await startProgram(sources)
  script(program, sources, (n) => shell(`echo tool ${n} has run`))
  const run = await home(program).run(exec('Do it'))

  expect([run.code, run.stdout]).toEqual([0, 'All is done.\n'])
  expect(run.stderr).not.toMatch(/^ERROR|Reconnecting/m)
  expect(run.stderr.match(/^tool \d has run$/gm)).toEqual([1, 2, 3, 4].map((n) => `tool ${n} has run`))
  expect(posts(program.taps.client).map(({ answer }) => answer?.first)).toEqual(Array(5).fill('HTTP/1.1 200 OK'))
  expect((await program.calls(5)).map(attempts)).toEqual(chain(sources))
  const served = new Set(bodies('answer', program.taps.codex, program.taps.openaiApi))
  expect(bodies('answer', program.taps.client).filter((body) => !served.has(body))).toEqual([])
})

it('shows neither the turn state of one account to another nor the turn’s metadata to another vendor', async () => {
  const sources = ['codex-team', 'codex-personal', 'openai-host'] as const
  const program = await startProgram(sources)
  script(program, sources, (n) => shell(`echo tool ${n} has run`))
  await home(program).run(exec('Do it'))

  const own = 'practice-turn-codex-team'
  const turnStates = (tap: Tap) => posts(tap).map(({ request }) => header(request, 'x-codex-turn-state'))
  expect(turnStates(program.taps.client)).toEqual([null, own, own, own, own])
  expect(turnStates(program.taps.codex)).toEqual([null, own, null, null, null, null])
  const elsewhere = posts(program.taps.openaiApi).map(({ request }) =>
    request.rawHeaders.filter((name) => name.startsWith('x-codex-')),
  )
  expect(elsewhere).toEqual([[], [], []])
})

it('carries a Claude Code session over four kinds of failure', async () => {
  const sources = ['claude-work', 'claude-personal', 'anthropic-host'] as const
  const program = await startProgram(sources)
  script(program, sources, (n) => bash(`echo tool ${n} has run >> proof.txt`))
  const run = await claudeCode(program.folder, `${program.address}/claude`, program.key).run(print('Do it'))

  expect(run).toEqual({ code: 0, stdout: 'All is done.\n', stderr: '' })
  expect(lines(program.taps.client)).toEqual([
    'HEAD /claude/api/hello 200',
    ...Array(5).fill('POST /claude/v1/messages 200'),
  ])
  expect((await program.calls(5)).map(attempts)).toEqual(chain(sources))
  const served = new Set(bodies('answer', program.taps.claude, program.taps.anthropicApi))
  expect(bodies('answer', program.taps.client).filter((body) => !served.has(body))).toEqual([])
  const oauthAtKey = posts(program.taps.anthropicApi).filter(({ request }) =>
    header(request, 'anthropic-beta')?.includes('oauth-'),
  )
  expect(oauthAtKey).toEqual([])
})

it('says in the log whom the conversation left, and why', async () => {
  const sources = ['claude-work', 'claude-personal'] as const
  const program = await startProgram(sources)
  program.practice.script('claude-work', { reply: { kind: 'vendor', content: { tool: bash('echo hi') } } }, spent)
  await claudeCode(program.folder, `${program.address}/claude`, program.key).run(print('Do it'))
  const [, second] = await program.calls(2)
  expect(second?.decision?.sentence).toMatch(
    /^claude-personal served this call as the next in the order after claude-work \(The 5-hour limit is used up until .* UTC\)\.$/,
  )
})
