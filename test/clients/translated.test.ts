/** The real clients on upstreams of other vendors' dialects: a task of four tool calls that edits a file, with a 429 in the middle. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Dialect } from '../../src/main/domain/source.ts'
import type { Behaviour, ToolCall } from '../../src/main/practice/practice.ts'
import { bash, claudeCode, model as claudeModel, print } from './claude.ts'
import { model as codexModel, codexWithProvider, exec, shell } from './codex.ts'
import { attempts, everythingSent, posts } from './evidence.ts'
import { type Program, startProgram } from './program.ts'

const origins = { messages: 'anthropicApi', responses: 'openaiApi', chat: 'openaiApi' } as const

/** Two keys on one host that speaks just this dialect, joined to the client's own address. */
async function startOn(dialect: Dialect, model: string, joins: string): Promise<Program> {
  const program = await startProgram([])
  const origin = origins[dialect]
  for (const label of ['first-key', 'second-key']) {
    const apiKey = `key-of-${label}`
    program.practice.addKey(origin, label, apiKey)
    const models = [{ id: model, upstreamModel: 'other-vendors-model' }]
    const baseUrl = program.taps[origin].url
    await program.rpc('profiles.create', {
      kind: 'api',
      label,
      dialects: [dialect],
      baseUrl,
      joins: [joins],
      models,
      apiKey,
    })
  }
  return program
}

const limited: Behaviour = {
  reply: { kind: 'status', status: 429, headers: ['retry-after', '3600'], body: '{"error":{"message":"limited"}}' },
}

/** Three calls by the first key, which is then refused; the fourth and the end by the second. */
function script({ practice }: Program, tool: (n: number) => ToolCall): void {
  const call = (n: number): Behaviour => ({ reply: { kind: 'vendor', content: { text: `Step ${n}.`, tool: tool(n) } } })
  practice.script('first-key', call(1), call(2), call(3), limited)
  practice.script('second-key', call(4), { reply: { kind: 'vendor', content: { text: 'All is done.' } } })
}

const command = (n: number): string => `echo line ${n} >> edited.txt`
const edited = 'line 1\nline 2\nline 3\nline 4\n'

async function expectWhole(program: Program, dialect: Dialect): Promise<void> {
  expect(readFileSync(join(program.folder, 'work', 'edited.txt'), 'utf8')).toBe(edited)
  const calls = await program.calls(5)
  expect(calls.map(attempts).map((rows) => rows.length)).toEqual([1, 1, 1, 2, 1])
  const paths = { messages: '/v1/messages', responses: '/v1/responses', chat: '/v1/chat/completions' }
  const asked = new Set(posts(program.taps[origins[dialect]]).map(({ request }) => request.first.split(' ')[1]))
  expect([...asked]).toEqual([paths[dialect]])
}

for (const dialect of ['messages', 'chat'] as const) {
  it(`carries a Codex session on a ${dialect} upstream over a failover`, async () => {
    const program = await startOn(dialect, codexModel, 'codex')
    script(program, (n) => shell(command(n)))
    const run = await codexWithProvider(program.folder, `${program.address}/codex`, program.key).run(exec('Do it'))
    expect([run.code, run.stdout]).toEqual([0, 'All is done.\n'])
    expect(run.stderr).not.toMatch(/^ERROR|Reconnecting/m)
    await expectWhole(program, dialect)
  })
}

for (const dialect of ['responses', 'chat'] as const) {
  it(`carries a Claude Code session on a ${dialect} upstream over a failover`, async () => {
    const program = await startOn(dialect, claudeModel, 'claude')
    script(program, (n) => bash(command(n)))
    const run = await claudeCode(program.folder, `${program.address}/claude`, program.key).run(print('Do it'))
    expect(run).toEqual({ code: 0, stdout: 'All is done.\n', stderr: '' })
    await expectWhole(program, dialect)
  })
}

it('shows Claude Code where a Responses upstream searched, and sends that to nobody later', async () => {
  const program = await startOn('responses', claudeModel, 'claude')
  const action = { type: 'search', query: 'rain', sources: [{ type: 'url', url: 'https://rain.example/1' }] }
  const item = { type: 'web_search_call', id: 'ws_1', status: 'completed', action }
  const searched = [{ type: 'response.output_item.done', output_index: 40, item }]
  program.practice.script(
    'first-key',
    { reply: { kind: 'vendor', content: { text: 'I looked.', tool: bash(command(1)), extraEvents: searched } } },
    { reply: { kind: 'vendor', content: { text: 'It rains.' } } },
  )
  const run = await claudeCode(program.folder, `${program.address}/claude`, program.key).run(print('Look it up'))
  expect(run).toEqual({ code: 0, stdout: 'It rains.\n', stderr: '' })
  const sent = everythingSent(program)
  expect([sent.includes('Look it up'), sent.includes('srvtoolu'), sent.includes('rain.example')]).toEqual([
    true,
    false,
    false,
  ])
  // The client brought the pair back: it was known for what it is, and is no loss.
  const [first, second] = (await program.calls(2)).map(({ decision }) => decision?.warnings.join(' ') ?? '')
  expect([first, second].join(' ')).not.toContain('server tool')
})

/** One that the CLI knows: only then does it offer its free-form patch tool. */
const knownModel = 'gpt-5.5'

it('gives Codex its free-form patch back as one, on a Messages upstream', async () => {
  const program = await startOn('messages', knownModel, 'codex')
  const patch = '*** Begin Patch\n*** Add File: edited.txt\n+line 1\n+line 2\n+line 3\n+line 4\n*** End Patch'
  program.practice.script(
    'first-key',
    { reply: { kind: 'vendor', content: { tool: { kind: 'custom', name: 'apply_patch', input: patch } } } },
    { reply: { kind: 'vendor', content: { text: 'Patched.' } } },
  )
  const run = await codexWithProvider(program.folder, `${program.address}/codex`, program.key).run(
    exec('Patch it').toSpliced(1, 0, '-m', knownModel),
  )
  expect([run.code, run.stdout]).toEqual([0, 'Patched.\n'])
  expect(readFileSync(join(program.folder, 'work', 'edited.txt'), 'utf8')).toBe(edited)
})
