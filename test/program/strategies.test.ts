/** Strategies on the built program: real calls go where they say, options hold over a restart, the log is rehearsed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategies } from '../../src/main/strategies/registry.ts'
import { model, problemOf } from './members-kit.ts'
import { type Program, startProgram } from './run-program.ts'

interface Pool {
  readonly id: string
  readonly strategy: string
  readonly strategyServed: boolean
  readonly strategyOptions: Readonly<Record<string, number>>
  readonly tiers: readonly (readonly { readonly backendId: string; readonly sourceId: string }[])[]
}

const dataDir = mkdtempSync(join(tmpdir(), 'pointsman-strategies-'))
let program: Program

beforeAll(async () => {
  program = await startProgram({ dataDir })
})
afterAll(async () => {
  await program.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const pool = async (): Promise<Pool> => {
  const found = (await program.rpc<readonly Pool[]>('models.pools')).find(({ id }) => id === model)
  if (found === undefined) throw new Error(`no pool ${model}`)
  return found
}
/** The accounts of the first tier, in their listed order. */
const accounts = async (): Promise<readonly string[]> => (await pool()).tiers[0]!.map(({ sourceId }) => sourceId)

/** One call of a conversation of its own, or of `session`; gives the source that served. */
async function call(session?: string): Promise<string | null> {
  const answer = await fetch(`${program.address}/codex/v1/responses`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${program.key()}`,
      'content-type': 'application/json',
      ...(session === undefined ? {} : { 'session-id': session, 'thread-id': session }),
    },
    body: JSON.stringify({ model, input: [{ role: 'user', content: 'hello' }], stream: true }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
  const page = await program.rpc<{ rows: readonly { sourceId: string | null }[] }>('calls.page', { limit: 1 })
  return page.rows[0]?.sourceId ?? null
}

async function calls(count: number): Promise<(string | null)[]> {
  const served: (string | null)[] = []
  for (let n = 0; n < count; n += 1) served.push(await call())
  return served
}

describe('real calls', () => {
  test('rotate starts each request one further, and an explanation takes no turn', async () => {
    await program.rpc('models.setStrategy', { poolId: model, strategy: 'rotate' })
    const [a, b] = await accounts()
    const served = await calls(2)
    for (let n = 0; n < 3; n += 1)
      await program.rpc('models.explain', { providerId: 'codex', model, dialect: 'responses' })
    served.push(...(await calls(2)))
    expect(served).toEqual([a, b, a, b])
  })

  test('weighted is exact over each cycle, with a bound conversation counted to where it stays', async () => {
    await program.rpc('models.setStrategy', { poolId: model, strategy: 'weighted' })
    const [a, b] = await accounts()
    await program.rpc('models.setBackend', { backendId: `${a}:${model}`, weight: 3 })
    const stays = await call('conversation')
    const served = [
      stays,
      await call('conversation'),
      ...(await calls(2)),
      await call('conversation'),
      ...(await calls(3)),
    ]
    const count = (id: string | undefined): number => served.filter((one) => one === id).length
    expect([served[1], served[4]]).toEqual([stays, stays])
    expect([count(a), count(b)]).toEqual([6, 2])
    await program.rpc('models.setBackend', { backendId: `${a}:${model}`, weight: 1 })
  })

  test('every strategy serves, and its decision keeps the seats’ numbers', async () => {
    for (const { id } of strategies) {
      await program.rpc('models.setStrategy', { poolId: model, strategy: id })
      await call()
      const { rows } = await program.rpc<{ rows: readonly { id: string }[] }>('calls.page', { limit: 1 })
      const { decision } = await program.rpc<{ decision: Record<string, unknown> }>('calls.get', { id: rows[0]!.id })
      expect(decision).toMatchObject({ strategy: id, warnings: [] })
      const seats = decision.seats as readonly { readonly numbers: { readonly weight: number } }[]
      expect(seats.length).toBeGreaterThan(1)
      expect(seats.every(({ numbers }) => numbers.weight === 1)).toBe(true)
    }
  })
})

describe('options', () => {
  test('models.strategies tells each strategy’s options with their ranges and defaults', async () => {
    const told = await program.rpc<typeof strategies>('models.strategies')
    expect(told).toEqual(strategies.map(({ id, sentence, exact, options }) => ({ id, sentence, exact, options })))
  })

  test('are checked against the strategy, shown with the pool, and hold over a restart', async () => {
    const set = (options: Record<string, unknown>) =>
      program.rpc('models.setStrategy', { poolId: model, strategy: 'balanced', options })
    expect((await problemOf(set({ lowShare: 80 }))).sentence).toContain('no option lowShare; it has fiveHourSoftLimit')
    expect((await problemOf(set({ fiveHourSoftLimit: 101 }))).sentence).toContain('from 0 to 100')
    expect((await problemOf(set({ fiveHourSoftLimit: 'much' }))).code).toBe('invalid_input')
    await set({ fiveHourSoftLimit: 70 })
    const shown = { strategy: 'balanced', strategyServed: true, strategyOptions: { fiveHourSoftLimit: 70 } }
    expect(await pool()).toMatchObject(shown)
    await program.stop()
    program = await startProgram({ dataDir })
    expect(await pool()).toMatchObject(shown)
  })

  test('are set from the command line', async () => {
    const args = ['models', 'strategy', model, 'balanced', '--option', 'fiveHourSoftLimit=70', '--json']
    const { code, stdout } = await program.cli(args)
    expect([code, JSON.parse(stdout).strategyOptions]).toEqual([0, { fiveHourSoftLimit: 70 }])
    expect((await program.cli(['models', 'strategy', model, 'balanced', '--option', 'speed=1'])).code).toBe(1)
  })

  test('stay when only the order changes', async () => {
    const { tiers } = await pool()
    const ids = tiers.map((tier) => tier.map(({ backendId }) => backendId))
    const { revision } = (await pool()) as unknown as { readonly revision: number }
    await program.rpc('models.setOrder', { poolId: model, tiers: ids, basedOn: revision })
    expect((await pool()).strategyOptions).toEqual({ fiveHourSoftLimit: 70 })
  })
})

test('a stored strategy that isn’t registered means listed order, and pool and decision say so', async () => {
  await program.stop()
  const database = new Database(join(dataDir, 'pointsman.db'))
  database.prepare(`UPDATE pool SET strategy = 'vanished' WHERE id = ?`).run(model)
  database.close()
  program = await startProgram({ dataDir })
  expect(await pool()).toMatchObject({ strategy: 'vanished', strategyServed: false })
  const [first] = await accounts()
  expect(await call()).toBe(first)
  const { rows } = await program.rpc<{ rows: readonly { id: string }[] }>('calls.page', { limit: 1 })
  expect(await program.rpc('calls.get', { id: rows[0]!.id })).toMatchObject({
    decision: { strategy: 'ordered', warnings: ['There is no strategy vanished; your order stood.'] },
  })
  await program.rpc('models.setStrategy', { poolId: model, strategy: null })
})

describe('rehearsal', () => {
  interface Result {
    readonly calls: number
    readonly actual: { readonly served: number; readonly refused: number }
    readonly would: { readonly served: number; readonly refused: number }
    readonly sources: readonly { readonly sourceId: string; readonly wouldCalls: number }[]
    readonly unknowns: readonly string[]
  }

  test('the log’s calls are replayed under another strategy and another order', async () => {
    const [a, b] = await accounts()
    const result = await program.rpc<Result>('rehearsal.run', { since: '1h', strategy: 'ordered' })
    expect(result.calls).toBeGreaterThan(20)
    expect([result.actual.served, result.would.served]).toEqual([result.calls, result.calls])
    const turned = await program.rpc<Result>('rehearsal.run', {
      strategy: 'ordered',
      poolId: model,
      tiers: [[`${b}:${model}`], [`${a}:${model}`]],
    })
    const share = ({ sources }: Result, id: string | undefined): number =>
      sources.find(({ sourceId }) => sourceId === id)?.wouldCalls ?? 0
    expect(share(turned, b)).toBeGreaterThan(share(result, b))
    expect(await program.rpc('rehearsal.run')).toMatchObject({ calls: result.calls, strategy: null, poolId: null })
  })

  test.each([
    [{ strategy: 'nope' }, 'there is no strategy nope'],
    [{ since: 'yesterday' }, 'since'],
    [{ strategy: 'smart', options: { speed: 1 } }, 'no option speed'],
    [{ tiers: [['a']] }, 'tiers needs poolId'],
    [{ poolId: 'nope' }, 'pool nope'],
  ])('%j is refused in words', async (input, words) => {
    expect((await problemOf(program.rpc('rehearsal.run', input))).sentence).toContain(words)
  })

  test('pointsman rehearse prints a table, and with --json exactly the member’s output', async () => {
    const shown = await program.cli(['rehearse', '--strategy', 'smart', '--since', '7d'])
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(/WAS +SMART/)
    expect(shown.stdout).toMatch(/calls refused +0 +0/)
    expect(shown.stdout).toContain('What the log can not tell:')
    const json = JSON.parse((await program.cli(['rehearse', '--strategy', 'smart', '--since', '7d', '--json'])).stdout)
    const told = await program.rpc<Result>('rehearsal.run', { strategy: 'smart' })
    expect({ ...json, fromMs: 0, days: [] }).toEqual({ ...told, fromMs: 0, days: [] })
  })

  test('pointsman rehearse --help lists every strategy with its sentence', async () => {
    const { code, stdout } = await program.cli(['rehearse', '--help'])
    expect(code).toBe(0)
    for (const { id, sentence } of strategies) expect(stdout).toMatch(new RegExp(`${id} +${sentence.slice(0, 20)}`))
  })

  test.each([[['--since', 'long']], [['--option', 'x=1000']], [['--min-remaining', 'few']]])(
    '%j is a usage error',
    async (args) => {
      expect((await program.cli(['rehearse', ...args])).code).toBe(2)
    },
  )
})
