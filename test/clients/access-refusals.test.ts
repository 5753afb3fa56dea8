/** Each refusal of access and money as the real clients show it: after one request, in our sentence (access.md, table). */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { claudeCode, print } from './claude.ts'
import { codexWithProvider, exec } from './codex.ts'
import { posts } from './evidence.ts'
import { type Program, startProgram } from './program.ts'

const host = { claude: 'anthropic-host', codex: 'openai-host' } as const
const accounts = {
  claude: ['claude-work', 'claude-personal'],
  codex: ['codex-team', 'codex-personal'],
} as const
type Client = keyof typeof accounts

interface Case {
  readonly name: string
  /** Of our refusal: what Claude Code gets. A Codex turn is answered 200, with a stream that fails. */
  readonly status: number
  readonly said: string
  /** Where the account's own address won't do. */
  readonly model?: string
  prepare(program: Program, client: Client): Promise<unknown>
  /** While the client's request runs. */
  meanwhile?(program: Program): Promise<unknown>
}

const limit = (program: Program, change: object) => program.rpc('keys.setPolicy', { id: 'default', ...change })
const budget = async (program: Program, change: object) => {
  await program.rpc('budgets.create', { label: 'Play', amount: 1_000_000_000, cycle: 'none', ...change })
  await limit(program, { budgetId: 'Play' })
}

const bindThem = 'Give the key a policy, or an enabled budget, under Profiles, Access keys.'
const widenIt = 'Widen the key under Profiles, Access keys, or use another key.'

const cases: readonly Case[] = [
  {
    name: 'a key without a policy',
    status: 403,
    said: `The access key default has no route policy. ${bindThem}`,
    prepare: (program) => limit(program, { policy: null }),
  },
  {
    name: 'a budget that is switched off',
    status: 403,
    said: `The access key default has a budget that is switched off or gone. ${bindThem}`,
    prepare: (program) => budget(program, { enabled: false }),
  },
  {
    name: 'an operation that the key may not use',
    status: 403,
    said: `The access key default may not use the operation generate. ${widenIt}`,
    prepare: (program) => limit(program, { operations: ['count'] }),
  },
  {
    name: 'an address that the key may not call',
    status: 403,
    said: widenIt,
    prepare: (program) => limit(program, { providers: ['any'] }),
  },
  {
    name: 'a budget that is used up',
    status: 429,
    said: 'The budget Play is used up. Raise it, or wait for its next cycle.',
    prepare: (program) => budget(program, { amount: 0 }),
  },
  {
    name: 'a model without a price',
    status: 503,
    said: 'No candidate for house-model has a trusted price. Add a price for the model.',
    model: 'house-model',
    async prepare(program, client) {
      await program.rpc('profiles.update', { id: host[client], models: [{ id: 'house-model' }] })
      await budget(program, {})
    },
  },
  {
    name: 'a strict key whose account is switched off',
    status: 503,
    said: 'Fix that account, or change the key’s policy.',
    async prepare(program, client) {
      const [bound] = accounts[client]
      await limit(program, { policy: { mode: 'strict', sources: [bound] } })
      await program.rpc('accounts.setActive', { id: bound, active: false })
    },
  },
  {
    name: 'routing that is paused',
    status: 503,
    said: 'Routing is paused. Resume it from the tray or with `pointsman rpc app.resume`.',
    prepare: (program) => program.rpc('settings.set', { paused: true }),
  },
  {
    name: 'a key that is disabled between two tries of a call',
    status: 403,
    said: 'The access key default is disabled. Enable it under Profiles, Access keys, or use another key.',
    async prepare(program, client) {
      const reply = { kind: 'error', error: 'server-error' } as const
      program.practice.script(accounts[client][0], { delayMs: 1_500, reply })
    },
    async meanwhile(program) {
      await program.practice.waitFor(({ operation }) => operation === 'generate', 30_000)
      await program.rpc('keys.setState', { id: 'default', state: 'disabled' })
    },
  },
]

async function shown(client: Client, { model, prepare, meanwhile }: Omit<Case, 'name' | 'status' | 'said'>) {
  const program = await startProgram(model === undefined ? accounts[client] : [host[client]])
  await prepare(program, client)
  const base = `${program.address}/${model === undefined ? client : host[client]}`
  const named = model === undefined ? [] : [client === 'claude' ? '--model' : '-m', model]
  const running =
    client === 'claude'
      ? claudeCode(program.folder, base, program.key).run(print('Do it', ...named))
      : codexWithProvider(program.folder, base, program.key).run([...exec('Do it'), ...named])
  const [run] = await Promise.all([running, meanwhile?.(program)])
  const statuses = posts(program.taps.client).map(({ answer }) => Number(answer?.first.split(' ')[1]))
  return { statuses, text: client === 'claude' ? run.stdout : run.stderr }
}

describe('Claude Code', () => {
  // It puts "Failed to authenticate." before a 403, and behind a 5xx that the fault usually passes; ours stands whole.
  it.each(cases)('$name: one request', async ({ status, said, ...one }) => {
    const { statuses, text } = await shown('claude', one)
    expect([statuses, text]).toEqual([[status], expect.stringContaining(said)])
  })
})

describe('Codex', () => {
  it.each(cases)('$name: one request', async ({ status: _, said, ...one }) => {
    const { statuses, text } = await shown('codex', one)
    expect([statuses, text]).toEqual([[200], expect.stringContaining(said)])
    expect(text).toContain('ERROR: ')
  })

  // Like Claude Code, which says nothing meanwhile; this client shows that it is reconnecting.
  it('a key at its cap, once it has waited ten seconds: tried again, and served once a call has ended', async () => {
    const busy = new AbortController()
    const { statuses, text } = await shown('codex', {
      async prepare(program) {
        await limit(program, { concurrency: 1 })
        program.practice.usually('codex-team', { delayMs: 60_000, reply: { kind: 'vendor' } })
        const headers = { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' }
        const body = JSON.stringify({ model: 'gpt-6.2-sol', input: [{ role: 'user', content: 'hello' }], stream: true })
        const address = `${program.address}/codex/v1/responses`
        fetch(address, { method: 'POST', headers, body, signal: busy.signal }).catch(() => null)
        await program.practice.waitFor(({ operation }) => operation === 'generate', 20_000)
        program.taps.client.forget()
      },
      async meanwhile({ taps, practice }) {
        while (posts(taps.client).every(({ answer }) => answer === null)) await pause(50)
        practice.usually('codex-team', null)
        busy.abort()
      },
    })
    expect([statuses, text]).toEqual([[200, 200], expect.stringContaining('Reconnecting... 1/5')])
    expect(text).not.toContain('already has 1 calls running')
  })
})
