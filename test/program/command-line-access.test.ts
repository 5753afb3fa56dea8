/** The commands for keys, folders, budgets and prices, run as processes against a running practice program. */
import { describe, expect, test } from 'vitest'
import { callOnce, practiceProgram } from './members-kit.ts'

const program = practiceProgram()
type Shown = Record<string, unknown> & { readonly id: string }
type Line = { readonly kind: string; readonly amount: number; readonly note: string | null; executionId: string | null }

const refused = async (args: readonly string[]): Promise<unknown> => {
  const done = await program().cli([...args, '--json'])
  expect(done.code).not.toBe(0)
  return JSON.parse(done.stderr).code
}

describe('budgets', () => {
  test('are made, changed, corrected, refunded once and read back', async () => {
    const made = await program().json<Shown>(['budgets', 'create', '--label', 'play', '--amount', '1.5', '--tight'])
    expect(made).toMatchObject({ label: 'play', amount: 1_500_000_000, cycle: 'month', concurrency: 1 })
    const change = ['--amount', '2', '--cycle', 'week', '--concurrency', 'none', '--disable']
    const changed = await program().json<Shown>(['budgets', 'update', 'play', ...change])
    expect(changed).toMatchObject({ amount: 2_000_000_000, cycle: 'week', concurrency: null, enabled: false })
    expect(await program().json(['budgets', 'update', 'play', '--enable'])).toMatchObject({ enabled: true })
    await program().json(['keys', 'set', 'default', '--budget', 'play'])
    await callOnce(program())
    const ledger = () => program().json<readonly Line[]>(['budgets', 'ledger', 'play', '--limit', '10'])
    await expect.poll(async () => (await ledger()).length, { timeout: 20_000 }).toBe(1)
    const [settled] = await ledger()
    await program().json(['budgets', 'adjust', 'play', '--amount=-0.25', '--reason', 'by hand'])
    const refund = ['budgets', 'refund', 'play', '--execution', settled?.executionId ?? '', '--reason', 'was wrong']
    expect(await program().json(refund)).toMatchObject({ left: 1_750_000_000 })
    expect(await refused(refund)).toBe('already_exists')
    expect((await ledger()).map(({ kind, amount, note }) => [kind, amount, note])).toEqual([
      ['refund', -(settled?.amount ?? 0), 'was wrong'],
      ['adjust', -250_000_000, 'by hand'],
      ['settle', settled?.amount, null],
    ])
    expect(await program().json(['keys', 'set', 'default', '--budget', 'none'])).toMatchObject({ budgetId: null })
  })

  test.each([
    ['no amount', ['budgets', 'create', '--label', 'x', '--amount', 'much'], 'usage'],
    ['no reason', ['budgets', 'adjust', 'play', '--amount', '1'], 'usage'],
    ['both ways', ['budgets', 'update', 'play', '--enable', '--disable'], 'usage'],
    ['a call that it does not know', ['budgets', 'refund', 'play', '--execution', '1#1', '--reason', 'x'], 'usage'],
    ['a budget that is not there', ['budgets', 'ledger', 'nobody'], 'not_found'],
  ])('with %s are refused', async (_, args, code) => {
    expect(await refused(args)).toBe(code)
  })
})

describe('keys', () => {
  const limits = [
    ...['--model', 'gpt-5.5', '--model', 'gpt-6.2-sol', '--address', 'codex', '--operation', 'generate', 'count'],
    ...['--tier', 'flex', '--concurrency', '3', '--expires', '2031-02-28 18:00'],
    ...['--policy', '{"mode":"strict","sources":["codex-team"]}'],
  ]

  test('take every limit, and a word takes each away', async () => {
    const made = await program().json<Shown>(['keys', 'create', '--label', 'laptop', ...limits])
    expect(made).toMatchObject({
      ...{ models: ['gpt-5.5', 'gpt-6.2-sol'], providers: ['codex'], operations: ['generate', 'count'] },
      ...{ serviceTiers: ['flex'], concurrency: 3, expiresAtMs: new Date(2031, 1, 28, 18).getTime() },
      policy: { mode: 'strict', sources: ['codex-team'] },
    })
    const freed = await program().json(
      ['keys', 'set', 'laptop', '--label', 'desk', '--model', 'all', '--address', 'all', '--operation', 'all'].concat([
        '--tier',
        'all',
        '--concurrency',
        'none',
        '--expires',
        'never',
        '--policy',
        'null',
      ]),
    )
    expect(freed).toMatchObject({
      ...{ label: 'desk', models: null, providers: null, operations: null, serviceTiers: null },
      ...{ concurrency: null, expiresAtMs: null, policy: null },
    })
    const told = await program().cli(['keys', 'list'])
    expect(told.stdout).toContain('none: refuses every call')
  })

  test('tell what a change would mean, without making it', async () => {
    await callOnce(program())
    const seen = await program().json<{ calls: number }>(['keys', 'preview', 'default', '--model', 'another'])
    expect(seen.calls).toBeGreaterThan(0)
    const [key] = await program().json<readonly Shown[]>(['keys', 'list'])
    expect(key?.models).toBeNull()
  })

  test('have folders with policies of their own', async () => {
    const policy = { mode: 'strict', sources: ['codex-personal'] }
    const set = ['keys', 'folders', 'set', 'default', '/home/me/play/', '--policy', JSON.stringify(policy)]
    expect(await program().json(set)).toEqual([{ folder: '/home/me/play', policy }])
    expect(await program().json(set)).toHaveLength(1)
    expect((await program().cli(['keys', 'folders', 'list', 'default'])).stdout).toContain('strict codex-personal')
    expect(await program().json(['keys', 'folders', 'remove', 'default', '/home/me/play'])).toEqual([])
    expect(await refused(['keys', 'folders', 'remove', 'default', '/home/me/play'])).toBe('usage')
  })

  test.each([
    ['a day that is none', ['--expires', '2031-02-30'], 'usage'],
    ['an operation that is none', ['--operation', 'dream'], 'usage'],
    ['a policy that is no JSON', ['--policy', 'strict'], 'usage'],
    ['a policy of another shape', ['--policy', '{"mode":"mine"}'], 'invalid_input'],
    ['another name for the default key', ['--label', 'mine'], 'invalid_input'],
    ['an account that is not there', ['--policy', '{"mode":"strict","sources":["nobody"]}'], 'not_found'],
  ])('with %s are refused', async (_, options, code) => {
    expect(await refused(['keys', 'set', 'default', ...options])).toBe(code)
  })
})

test('prices of one’s own are set, count at once, and go again', async () => {
  const counts = async () => {
    const all = await program().json<readonly { model: string; counts: string }[]>(['prices', 'list'])
    return all.find(({ model }) => model === 'gpt-5.5')?.counts
  }
  expect(await counts()).toBe('list')
  await program().json(['prices', 'set', 'gpt-5.5', '--input', '2', '--output', '8', '--from', '2026-01-01'])
  const own = await program().json(['prices', 'set', 'gpt-5.5', '--input', '3', '--output', '9', '--cache-read', '0.3'])
  expect(own).toMatchObject([
    { model: 'gpt-5.5', fromMs: new Date(2026, 0, 1).getTime(), input: 2_000, cacheRead: 2_000, output: 8_000 },
    { model: 'gpt-5.5', fromMs: 0, input: 3_000, cacheRead: 300, cacheWrite: 3_000, cacheWriteLong: 3_000 },
  ])
  expect(await counts()).toBe('own')
  expect((await program().cli(['prices', 'own'])).stdout).toContain('always')
  expect(await program().json(['prices', 'remove', 'gpt-5.5', '--from', '2026-01-01'])).toHaveLength(1)
  const plain = ['prices', 'set', 'gpt-5.5', '--input', '3', '--output', '9']
  const long = ['--long-above', '200000', '--long-input', '6', '--long-output', '12', '--long-cache-read', '0.6']
  expect(await program().json([...plain, ...long, '--tier', 'flex=0.5', '--tier', 'priority=2'])).toMatchObject([
    {
      long: { aboveTokens: 200_000, input: 6_000, cacheRead: 600, cacheWriteLong: 6_000, output: 12_000 },
      tiers: { flex: 0.5, priority: 2 },
    },
  ])
  expect(await refused([...plain, '--long-input', '6'])).toBe('usage')
  expect(await refused([...plain, '--tier', 'flex'])).toBe('usage')
  expect(await program().json(['prices', 'remove', 'gpt-5.5'])).toEqual([])
  expect([await counts(), await refused(['prices', 'remove', 'gpt-5.5'])]).toEqual(['list', 'usage'])
})

test('a profile’s own cap is set and taken away', async () => {
  const { id } = await program().json<Shown>(['budgets', 'create', '--label', 'paid', '--amount', '5'])
  expect(await program().json(['profiles', 'edit', 'openai-key', '--budget', 'paid'])).toMatchObject({ budgetId: id })
  expect(await program().json(['profiles', 'edit', 'openai-key', '--budget', 'none'])).toMatchObject({ budgetId: null })
})
