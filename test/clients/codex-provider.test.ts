/** The unmodified Codex CLI with Pointsman as a provider of its own (codex §7.1, option B). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codexWithProvider, exec, shell } from './codex.ts'
import { bodies, lines, pairs, posts } from './evidence.ts'
import { startProgram } from './program.ts'

/** Replaced on the way: who we are, where it goes, how the answer may be coded. */
const replaced = ['authorization', 'chatgpt-account-id', 'host', 'content-length', 'accept-encoding', 'connection']

it('runs a tool and answers, byte for byte what the account sent', async () => {
  const program = await startProgram(['codex-team', 'codex-personal'])
  program.practice.script(
    'codex-team',
    { reply: { kind: 'vendor', content: { tool: shell('echo ran > proof.txt; echo a tool has run') } } },
    { reply: { kind: 'vendor', content: { text: 'All is done.' } } },
  )
  const run = await codexWithProvider(program.folder, `${program.address}/codex`, program.key).run(exec('Do it'))

  expect([run.code, run.stdout]).toEqual([0, 'All is done.\n'])
  expect(run.stderr).toContain('a tool has run')
  expect(readFileSync(join(program.folder, 'work', 'proof.txt'), 'utf8')).toBe('ran\n')
  expect(lines(program.taps.client)).toEqual(['POST /codex/v1/responses 200', 'POST /codex/v1/responses 200'])
  expect(bodies('answer', program.taps.client)).toEqual(bodies('answer', program.taps.codex))
  expect(bodies('request', program.taps.codex)).toEqual(bodies('request', program.taps.client))

  const [ours, theirs] = [posts(program.taps.client), posts(program.taps.codex)]
  for (const [index, { request }] of ours.entries()) {
    expect(pairs(theirs[index]?.request.rawHeaders ?? [], replaced)).toEqual(pairs(request.rawHeaders, replaced))
  }
  const calls = await program.calls(2)
  expect(calls.map(({ call, decision }) => [call.outcome, call.sourceId, decision?.reason])).toEqual([
    ['done', 'codex-team', 'rank'],
    ['done', 'codex-team', 'affinity'],
  ])
})
