/** Money in the Profiles tab: corrected and refunded with a reason, a profile's own cap, own prices; told and undone. */
import { expectNoViolations } from './axe.ts'
import { call, choose, expect, test } from './window.ts'

type Page = Parameters<typeof choose>[0]
type Line = { readonly kind: string; readonly amount: number; readonly note: string | null }

async function menu(win: Page, name: string, item: string): Promise<void> {
  await win.getByRole('button', { name: `More actions for ${name}`, exact: true }).click()
  await win.getByRole('menuitem', { name: item }).click()
}

test('a budget is corrected with a reason and a call’s cost given back once; the ledger tells both', async ({
  win,
  program,
}) => {
  await program.rpc('budgets.create', { label: 'Play', amount: 500_000_000, cycle: 'week' })
  await program.rpc('keys.setPolicy', { id: 'default', budgetId: 'Play' })
  expect(await call(program)).toContain('response.completed')
  const lines = () => program.rpc<readonly Line[]>('budgets.ledger', { id: 'Play' })
  await expect.poll(async () => (await lines()).length).toBe(1)
  await menu(win, 'Play', 'Correct…')
  const dialog = win.getByRole('dialog')
  await dialog.getByText('Take an amount').click()
  await dialog.getByRole('textbox', { name: 'Amount in USD' }).fill('0,25')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('a test by hand')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  expect((await lines())[0]).toMatchObject({ kind: 'adjust', amount: -250_000_000, note: 'a test by hand' })
  await win.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await lines())[0])
    .toMatchObject({ amount: 250_000_000, note: 'Taken back: a test by hand' })

  await menu(win, 'Play', 'Ledger…')
  await expect(dialog.getByRole('row')).toHaveCount(4)
  await expect(dialog).toContainText('a test by hand')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: /^Give back the cost of/ }).click()
  const refund = win.getByRole('dialog', { name: 'Give back to Play' })
  await refund.getByRole('textbox', { name: 'Reason' }).fill('the vendor’s fault')
  await refund.getByRole('button', { name: 'Give back' }).click()
  await expect(dialog.getByRole('row')).toHaveCount(5)
  await expect(dialog.getByRole('button', { name: /^Give back the cost of/ })).toHaveCount(0)
  const [refunded, , , settled] = await lines()
  expect(refunded).toMatchObject({ kind: 'refund', amount: -(settled?.amount ?? 0), note: 'the vendor’s fault' })
})

test('a change of a budget tells which keys it would refuse, and is undone', async ({ win, program }) => {
  await program.rpc('budgets.create', { label: 'Play', amount: 500_000_000, cycle: 'week' })
  await program.rpc('keys.setPolicy', { id: 'default', budgetId: 'Play' })
  const stored = async () => (await program.rpc<readonly { amount: number; enabled: boolean }[]>('budgets.list'))[0]
  await menu(win, 'Play', 'Change…')
  const dialog = win.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Amount in USD' }).fill('0')
  await expect(dialog).toContainText('refused from the next call on are default')
  await dialog.getByRole('textbox', { name: 'Amount in USD' }).fill('2')
  await expect(dialog).not.toContainText('refused from the next call on')
  await dialog.getByText('In use').click()
  await expect(dialog).toContainText('refused from the next call on are default')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await stored()).toMatchObject({ amount: 2_000_000_000, enabled: false })
  await win.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(stored).toMatchObject({ amount: 500_000_000, enabled: true })
})

test('a line of the ledger leads to its call', async ({ win, program }) => {
  await program.rpc('budgets.create', { label: 'Play', amount: 500_000_000, cycle: 'week' })
  await program.rpc('keys.setPolicy', { id: 'default', budgetId: 'Play' })
  expect(await call(program)).toContain('response.completed')
  await expect(win.getByRole('article', { name: 'Play' })).toContainText('0.50')
  await menu(win, 'Play', 'Ledger…')
  await win.getByRole('dialog').getByRole('link').click()
  await expect(win.getByRole('tab', { name: 'Call log' })).toHaveAttribute('aria-selected', 'true')
  await expect(win.locator('.explanation-sentence')).toBeVisible()
})

test('an API profile has a cap of its own, which its card shows', async ({ win, program }) => {
  const { id } = await program.rpc<{ id: string }>('budgets.create', {
    label: 'Paid',
    amount: 2_000_000_000,
    cycle: 'month',
  })
  await menu(win, 'OpenAI key', 'Edit…')
  const dialog = win.getByRole('dialog')
  await dialog.getByRole('button', { name: /Budget/ }).click()
  await win.getByRole('option', { name: 'Paid' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  const profiles = await program.rpc<readonly { id: string; budgetId: string | null }[]>('profiles.list')
  expect(profiles.find((one) => one.id === 'openai-key')?.budgetId).toBe(id)
  await expect(win.getByRole('article', { name: 'OpenAI key' }).getByRole('meter')).toHaveAttribute(
    'aria-valuetext',
    /2\.00 left of/,
  )
  await expect(win.getByRole('article', { name: 'Paid' })).toContainText('Used by OpenAI key')
})

test('own prices: begun from the list’s, counted from their day, changed, removed and undone', async ({
  win,
  program,
}) => {
  const prices = async () =>
    (await program.rpc<{ prices: readonly { model: string; input: number; tiers: object }[] }>('settings.get')).prices
  const counting = async () => {
    const all = await program.rpc<readonly { model: string; counts: string }[]>('budgets.prices')
    return all.find(({ model }) => model === 'gpt-5.5')?.counts
  }
  expect(await counting()).toBe('list')
  await win.getByRole('button', { name: 'Prices…' }).click()
  const dialog = win.getByRole('dialog')
  await expect(dialog).toContainText('None yet: the built-in list counts.')
  await expectNoViolations(win)
  await menu(win, 'gpt-5.5', 'Set your own price…')
  await expect(dialog.getByRole('textbox', { name: 'Output' })).toHaveValue('30')
  await dialog.getByRole('textbox', { name: 'Input' }).fill('7,5')
  await dialog.getByRole('textbox', { name: 'Counts from' }).fill('')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('table', { name: 'Your own prices' })).toContainText('7.50')
  expect([await prices(), await counting()]).toMatchObject([
    [{ model: 'gpt-5.5', fromMs: 0, input: 7_500, output: 30_000, tiers: { priority: 2.5 } }],
    'own',
  ])

  // What the list says of service tiers came along, is in sight and can be changed.
  await menu(win, 'the price of gpt-5.5 from always', 'Change…')
  const factors = dialog.getByRole('textbox', { name: 'Factors of service tiers' })
  await expect(factors).toHaveValue(/priority = 2\.5/)
  await factors.fill('priority = 3')
  const hasLong = dialog.getByText('Long prompts have rates of their own')
  await hasLong.click()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Long from' }).fill('300000')
  await dialog.getByRole('textbox', { name: 'Input, long prompt' }).fill('15')
  await dialog.getByRole('textbox', { name: 'Output, long prompt' }).fill('50')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('table', { name: 'Your own prices' })).toBeVisible()
  expect(await prices()).toMatchObject([{ long: { aboveTokens: 300_000, output: 50_000 }, tiers: { priority: 3 } }])
  await menu(win, 'the price of gpt-5.5 from always', 'Change…')
  await hasLong.click()
  await expect(dialog.getByRole('textbox', { name: 'Long from' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await prices())[0]).toMatchObject({ long: null, tiers: { priority: 3 } })

  await menu(win, 'the price of gpt-5.5 from always', 'Delete')
  await expect(dialog).toContainText('None yet')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await win.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(counting).toBe('own')
})

test('on a narrow screen, in Chinese and dark, nothing scrolls sideways but tables', async ({ win, program }) => {
  await program.rpc('budgets.create', { label: 'Play', amount: 500_000_000, cycle: 'week' })
  await program.rpc('keys.setPolicy', { id: 'default', budgetId: 'Play' })
  await program.rpc('budgets.adjust', { id: 'Play', amount: 1, note: 'a long reason that needs more than one line' })
  expect(await call(program)).toContain('response.completed')
  await choose(win, { language: 'zh', theme: 'dark' })
  await win.setViewportSize({ width: 400, height: 720 })
  for (const open of ['价格…', '账本…', '更正…']) {
    if (open === '价格…') await win.getByRole('button', { name: open }).click()
    else {
      await win.getByRole('article', { name: 'Play' }).locator('.button-icon').click()
      await win.getByRole('menuitem', { name: open }).click()
    }
    await win.getByRole('dialog').waitFor()
    const dialog = win.locator('.dialog')
    expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
    await expectNoViolations(win)
    await win.locator('.dialog-head .button-icon').click()
    await expect(win.getByRole('dialog')).toHaveCount(0)
  }
})
