/** Budgets and what a key may use, in the Profiles tab: made, seen to be spent, bound, previewed, changed together. */
import { expectNoViolations } from './axe.ts'
import { showPool } from './models-kit.ts'
import { call, choose, expect, test } from './window.ts'

test('a budget is made, bound to a key, counts its calls and tells them in its ledger', async ({ win, program }) => {
  await win.getByRole('button', { name: 'Create budget' }).click()
  await win.getByRole('textbox', { name: 'Name' }).fill('Play')
  await win.getByRole('textbox', { name: 'Amount in USD' }).fill('0.5')
  await expectNoViolations(win)
  await win.getByRole('button', { name: 'Add', exact: true }).click()
  const card = win.getByRole('article', { name: 'Play' })
  await expect(card.getByRole('meter')).toHaveAttribute('aria-valuetext', '$0.50 left of $0.50')
  await expect(card).toContainText('Not used by any key')

  await win.getByRole('button', { name: 'More actions for default' }).click()
  await win.getByRole('menuitem', { name: 'What it may use…' }).click()
  const dialog = win.getByRole('dialog', { name: 'What default may use' })
  await dialog.getByRole('button', { name: /Budget/ }).click()
  await win.getByRole('option', { name: 'Play' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(win.getByRole('dialog')).toHaveCount(0)
  await expect(card).toContainText('Used by default')

  expect(await call(program)).toContain('response.completed')
  await card.getByRole('button', { name: 'More actions for Play' }).click()
  await win.getByRole('menuitem', { name: 'Ledger…' }).click()
  const ledger = win.getByRole('dialog', { name: 'Ledger of Play' })
  await expect(ledger.getByRole('row')).toHaveCount(2)
  await expect(ledger).toContainText('Call')
  await expectNoViolations(win)
})

test('a strict policy is previewed before it is saved, and then holds', async ({ win, program }) => {
  expect(await call(program)).toContain('response.completed')
  await win.getByRole('button', { name: 'More actions for default' }).click()
  await win.getByRole('menuitem', { name: 'What it may use…' }).click()
  const dialog = win.getByRole('dialog', { name: 'What default may use' })
  await dialog.getByText('Only the named ones').click()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByRole('button', { name: /Add to “Which ones, in order”/ }).click()
  await win.getByRole('option', { name: /^Codex, personal/ }).click()
  await expect(dialog).toContainText('1 call of the last 7 days would have gone elsewhere')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(win.getByRole('dialog')).toHaveCount(0)
  const policy = async () => (await program.rpc<readonly { policy: unknown }[]>('keys.list'))[0]?.policy
  expect(await policy()).toEqual({ mode: 'strict', sources: ['codex-personal'] })
  await win.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(policy).toEqual({ mode: 'default' })
})

test('several keys are disabled together', async ({ win, program }) => {
  for (const label of ['one', 'two']) await program.rpc('keys.create', { label })
  await win.getByRole('button', { name: 'Several keys' }).click()
  const dialog = win.getByRole('dialog', { name: 'Change several keys' })
  for (const name of ['one', 'two']) await dialog.getByText(name, { exact: true }).click()
  await expect(dialog).toContainText('No call of the last 7 days')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(win.getByRole('dialog')).toHaveCount(0)
  const states = async () => {
    const keys = await program.rpc<readonly { label: string; state: string }[]>('keys.list')
    return keys.map(({ label, state }) => `${label} ${state}`)
  }
  expect(await states()).toEqual(['default active', 'one disabled', 'two disabled'])
  await win.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(states).toEqual(['default active', 'one active', 'two active'])
})

test('in Chinese, and dark, it is whole and without violations', async ({ win, program }) => {
  await program.rpc('budgets.create', { label: 'Play', amount: 500_000_000, cycle: 'week' })
  await choose(win, { language: 'zh', theme: 'dark' })
  await expect(win.getByRole('heading', { name: '预算 1' })).toBeVisible()
  await expectNoViolations(win)
})

test('before an account is switched off, the keys and calls that rely on it are told', async ({ win, program }) => {
  expect(await call(program)).toContain('Codex, team')
  await program.rpc('keys.create', { label: 'tied', policy: { mode: 'strict', sources: ['codex-team'] } })
  const isActive = async () => {
    const accounts = await program.rpc<readonly { id: string; active: boolean }[]>('accounts.list')
    return accounts.find(({ id }) => id === 'codex-team')?.active
  }
  const begin = async () => {
    await win.getByRole('button', { name: 'More actions for Codex, team' }).click()
    await win.getByRole('menuitem', { name: 'Deactivate' }).click()
  }
  await begin()
  const dialog = win.getByRole('dialog', { name: 'Deactivate: Codex, team' })
  await expect(dialog).toContainText('Refused from then on, since they may use nothing else: tied.')
  await expect(dialog).toContainText('It served 1 call of the last 7 days')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await isActive()).toBe(true)
  await begin()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect.poll(isActive).toBe(false)
})

test('who asks for a model is told beside its order', async ({ win, program }) => {
  expect(await call(program)).toContain('response.completed')
  await win.getByRole('tab', { name: 'Models' }).click()
  const pool = await showPool(win)
  await pool.getByRole('button', { name: 'Who uses gpt-5.5' }).click()
  const dialog = win.getByRole('dialog', { name: 'Who uses gpt-5.5' })
  await expect(dialog).toContainText('Keys that may ask for it: default. 1 call of the last 7 days asked for it')
  await expectNoViolations(win)
})

test('a key that is called with is disabled only after that was told', async ({ win, program }) => {
  expect(await call(program)).toContain('response.completed')
  const begin = async (item: string) => {
    await win.getByRole('button', { name: 'More actions for default' }).click()
    await win.getByRole('menuitem', { name: item }).click()
  }
  await begin('Revoke')
  await expect(win.getByRole('dialog', { name: 'Revoke default' })).toContainText('1 call of the last 7 days')
  await win.keyboard.press('Escape')
  await begin('Disable')
  const dialog = win.getByRole('dialog', { name: 'Disable default' })
  await expect(dialog).toContainText('1 call of the last 7 days')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await expect(win.getByRole('row', { name: /^default/ })).toContainText('Disabled')
})
