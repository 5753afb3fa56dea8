/** The unmodified Claude Code with Pointsman as its base address (claude §7). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { agent, bash, claudeCode, model, print } from './claude.ts'
import { bodies, lines, pairs, posts } from './evidence.ts'
import { header } from './http-bytes.ts'
import { startProgram } from './program.ts'

/** Replaced on the way; the betas are looked at by themselves. */
const replaced = ['authorization', 'host', 'content-length', 'accept-encoding', 'connection', 'anthropic-beta']

it('is served by a subscription: runs a tool and answers, byte for byte what the account sent', async () => {
  const program = await startProgram(['claude-work', 'claude-personal'])
  program.practice.script(
    'claude-work',
    { reply: { kind: 'vendor', content: { tool: bash('echo ran > proof.txt') } } },
    { reply: { kind: 'vendor', content: { text: 'All is done.' } } },
  )
  const run = await claudeCode(program.folder, `${program.address}/claude`, program.key).run(print('Do it'))

  expect(run).toEqual({ code: 0, stdout: 'All is done.\n', stderr: '' })
  expect(readFileSync(join(program.folder, 'work', 'proof.txt'), 'utf8')).toBe('ran\n')
  expect(lines(program.taps.client)).toEqual([
    'HEAD /claude/api/hello 200',
    'POST /claude/v1/messages 200',
    'POST /claude/v1/messages 200',
  ])
  expect(bodies('answer', program.taps.client)).toEqual(bodies('answer', program.taps.claude))
  expect(bodies('request', program.taps.claude)).toEqual(bodies('request', program.taps.client))

  const [ours, theirs] = [posts(program.taps.client), posts(program.taps.claude)]
  for (const [index, { request }] of ours.entries()) {
    const sent = theirs[index]?.request ?? { rawHeaders: [] }
    expect(pairs(sent.rawHeaders, replaced)).toEqual(pairs(request.rawHeaders, replaced))
    expect(header(sent, 'anthropic-beta')).toBe(`${header(request, 'anthropic-beta')},oauth-2025-04-20`)
  }
  const calls = await program.calls(2)
  expect(calls.map(({ call, decision }) => [call.outcome, call.sourceId, decision?.reason])).toEqual([
    ['done', 'claude-work', 'rank'],
    ['done', 'claude-work', 'affinity'],
  ])
})

it('is told from other clients: the same request without its marks reaches no subscription', async () => {
  const program = await startProgram(['claude-work'])
  const answer = await fetch(`${program.address}/claude/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': program.key, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
  })
  const [call] = await program.calls(1)
  expect(answer.ok).toBe(false)
  expect(call?.decision?.excluded.map(({ because }) => because)).toEqual(['genuine-client-only'])
  expect(program.practice.seen({ operation: 'generate' })).toEqual([])
})

it('keeps a subagent on the account of the conversation that started it', async () => {
  const program = await startProgram(['claude-work', 'claude-personal'])
  program.practice.script('claude-work', { reply: { kind: 'vendor', content: { tool: agent('Look around') } } })
  const run = await claudeCode(program.folder, `${program.address}/claude`, program.key).run(print('Do it'))

  expect([run.code, run.stderr]).toEqual([0, ''])
  const requests = posts(program.taps.client).map(({ request }) => request)
  const sessions = new Set(requests.map((request) => header(request, 'x-claude-code-session-id')))
  const agents = requests.map((request) => header(request, 'x-claude-code-agent-id')).filter((id) => id !== null)
  expect([sessions.size, new Set(agents).size]).toEqual([1, 1])
  const calls = await program.calls(requests.length)
  expect(calls.map(({ call }) => [call.outcome, call.sourceId])).toEqual(requests.map(() => ['done', 'claude-work']))
  expect(calls.filter(({ decision }) => decision?.reason === 'inherit')).toHaveLength(1)
})
