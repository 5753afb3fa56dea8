/** The members for keys and budgets, and their commands, on a running program. */
import { describe, expect, test } from 'vitest'
import { callOnce, practiceProgram } from './members-kit.ts'

const program = practiceProgram()
interface Shown {
  readonly id: string
  readonly label: string
  readonly left: number
  readonly keys: readonly string[]
}

describe('budgets', () => {
  test('are made, bound, counted, corrected and read back, by id or label', async () => {
    const running = program()
    const made = await running.rpc<Shown>('budgets.create', { label: 'play', amount: 1_000_000_000, cycle: 'month' })
    await running.rpc('keys.setPolicy', { id: 'default', budgetId: 'play' })
    await callOnce(running)
    const [shown] = await running.rpc<readonly Shown[]>('budgets.list')
    expect([shown?.id, shown?.keys]).toEqual([made.id, ['default']])
    expect(shown?.left).toBeLessThan(1_000_000_000)
    const after = await running.rpc<Shown>('budgets.adjust', { id: 'play', amount: 7, note: 'by hand' })
    expect(after.left).toBe((shown?.left ?? 0) + 7)
    const lines = await running.rpc<readonly { kind: string; balance: number }[]>('budgets.ledger', { id: made.id })
    expect(lines.map(({ kind, balance }) => [kind, balance])).toEqual([
      ['adjust', after.left],
      ['settle', shown?.left],
    ])
    await expect(running.rpc('budgets.adjust', { id: 'play', amount: 7, kind: 'refund' })).rejects.toThrow()
    const wrong = { label: 'x', amount: 1, cycle: 'day', timeZone: 'Nowhere/Land' }
    await expect(running.rpc('budgets.create', wrong)).rejects.toThrow()
    await running.rpc('keys.setPolicy', { id: 'default', budgetId: null })
  })
})

describe('keys', () => {
  test('a change is previewed: the calls that would have gone elsewhere, and the keys that name an account', async () => {
    const running = program()
    await callOnce(running)
    type Preview = { readonly calls: number; readonly keys: readonly { label: string; because: string }[] }
    const same = { kind: 'key', id: 'default', policy: { mode: 'default' } }
    const other = { kind: 'key', id: 'default', policy: { mode: 'strict', sources: ['codex-personal'] } }
    expect((await running.rpc<Preview>('keys.preview', same)).calls).toBe(0)
    expect((await running.rpc<Preview>('keys.preview', other)).calls).toBeGreaterThan(0)
    await running.rpc('keys.create', { label: 'tied', policy: { mode: 'strict', sources: ['codex-team'] } })
    const account = await running.rpc<Preview>('keys.preview', { kind: 'account', sourceId: 'codex-team' })
    expect(account.keys.map(({ label, because }) => [label, because])).toEqual([['tied', 'has-no-other']])
    expect(account.calls).toBeGreaterThan(0)
    const pool = await running.rpc<Preview>('keys.preview', { kind: 'pool', poolId: 'gpt-5.5' })
    expect(pool.calls).toBeGreaterThan(0)
    expect(pool.keys.map(({ label }) => label)).toEqual(['default', 'tied'])
    const elsewhere = await running.rpc<Preview>('keys.preview', { kind: 'pool', poolId: 'claude-opus-5-5' })
    expect(elsewhere.keys.map(({ label }) => label)).toEqual(['default'])
  })

  test('several are changed together, or none when one of them may not be', async () => {
    const running = program()
    for (const label of ['one', 'two', 'gone']) await running.rpc('keys.create', { label })
    await running.rpc('keys.setState', { id: 'gone', state: 'revoked' })
    const states = async () => {
      const keys = await running.rpc<readonly { label: string; state: string }[]>('keys.list')
      return keys.filter(({ label }) => ['one', 'two'].includes(label)).map(({ state }) => state)
    }
    await expect(running.rpc('keys.bulk', { ids: ['one', 'gone'], state: 'disabled' })).rejects.toThrow()
    expect(await states()).toEqual(['active', 'active'])
    await running.rpc('keys.bulk', { ids: ['one', 'two'], state: 'disabled' })
    expect(await states()).toEqual(['disabled', 'disabled'])
  })

  test('a folder rule is kept with its key, and a relative folder is refused', async () => {
    const running = program()
    const rule = { folder: '/home/me/play/', policy: { mode: 'default' } }
    await running.rpc('keys.create', { label: 'by-folder', folders: [rule] })
    const keys = await running.rpc<readonly { label: string; folders: unknown }[]>('keys.list')
    expect(keys.find(({ label }) => label === 'by-folder')?.folders).toEqual([{ ...rule, folder: '/home/me/play' }])
    const wrong = { label: 'wrong', folders: [{ ...rule, folder: 'play' }] }
    await expect(running.rpc('keys.create', wrong)).rejects.toThrow()
  })
})
