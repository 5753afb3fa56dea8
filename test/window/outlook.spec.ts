/** The outlook and the conversations: figures as the program says them, a rehearsal, a conversation moved and released. */
import { expectNoViolations } from './axe.ts'
import { say } from './models-kit.ts'
import { choose, expect, tabTo, test } from './window.ts'

test.use({ tab: 'Models' })

type Page = Parameters<typeof choose>[0]
const openOutlook = async (win: Page, part?: string): Promise<ReturnType<Page['getByRole']>> => {
  await win.getByRole('button', { name: 'Outlook' }).click()
  const dialog = win.getByRole('dialog', { name: 'Outlook' })
  if (part !== undefined) await dialog.getByRole('tab', { name: part }).click()
  return dialog
}

test('forecast and calendar have a row for each window of each account, as the program says them', async ({
  win,
  program,
}) => {
  const forecasts = await program.rpc<{ label: string; windows: unknown[] }[]>('quota.forecast')
  const calendar = await program.rpc<{ label: string }[]>('quota.calendar')
  const dialog = await openOutlook(win)
  const table = dialog.getByRole('table', { name: 'Forecast' })
  await expect(table.locator('tbody tr')).toHaveCount(forecasts.flatMap(({ windows }) => windows).length)
  await dialog.getByRole('tab', { name: 'Calendar' }).click()
  await expect(dialog.locator('.time-row')).toHaveCount(calendar.length + 1)
  await expect(dialog.locator('.time-row').nth(1)).toContainText(/%.*renews/)
  await dialog.getByRole('button', { name: 'As a table' }).click()
  await expect(dialog.getByRole('table', { name: 'Calendar' }).locator('tbody tr')).toHaveCount(calendar.length)
})

test('by keyboard alone: a rehearsal of the last days under another strategy and order', async ({ win, program }) => {
  for (const name of ['one', 'two', 'three']) expect(await say(program, name)).toBe('Codex, team')
  await tabTo(win, 'Outlook')
  await win.keyboard.press('Enter')
  await tabTo(win, 'Forecast')
  await win.keyboard.press('End')
  await tabTo(win, /every model/i)
  await win.keyboard.press('Enter')
  await win.keyboard.type('gpt-5.5')
  await win.keyboard.press('Enter')
  const dialog = win.getByRole('dialog', { name: 'Outlook' })
  await dialog.locator('.draft-row').first().waitFor()
  await dialog.locator('.draft-row', { hasText: 'Codex, personal' }).focus()
  await win.keyboard.press('Alt+ArrowUp')
  await expect(dialog.locator('.draft-name').first()).toContainText('Codex, personal')
  await tabTo(win, 'Rehearse')
  await win.keyboard.press('Enter')
  await expect(dialog.locator('.rehearsal-result')).toContainText(
    '3 calls, 3 of them free to go elsewhere; 3 would have.',
  )
  await expect(dialog.getByRole('row', { name: /Calls served 3 3/ })).toBeVisible()
  await expect(dialog.getByText('What the log can’t tell')).toBeVisible()
  // Still with the button: nothing that runs takes the focus away.
  await win.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(win.getByRole('button', { name: 'Outlook' })).toBeFocused()
  expect(await say(program, 'afterwards')).toBe('Codex, team')
})

test('a conversation is moved, then released', async ({ win, program }) => {
  expect(await say(program, 'mine')).toBe('Codex, team')
  await win.getByRole('button', { name: 'Conversations' }).click()
  const dialog = win.getByRole('dialog', { name: 'Conversations' })
  const row = dialog.locator('tbody tr')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(/gpt-5\.5.*Codex, team.*just now.*warm/)
  const actions = dialog.getByRole('button', { name: /More actions for conversation/ })
  await actions.click()
  await win.getByRole('menuitem', { name: 'Move to Codex, personal' }).click()
  await expect(row).toContainText(/Codex, personal.*chosen by you/)
  expect(await say(program, 'mine')).toBe('Codex, personal')
  await actions.click()
  await win.getByRole('menuitem', { name: 'Release' }).click()
  await expect(dialog.getByText('No conversation is bound to an account.')).toBeVisible()
  expect(await say(program, 'mine')).toBe('Codex, team')
})

test('what a plan costs is kept with its account; unused quota then has a worth', async ({ win, program }) => {
  const dialog = await openOutlook(win, 'Unused quota')
  await expect(dialog.getByText(/Name what a plan costs/)).toBeVisible()
  await win.keyboard.press('Escape')
  await win.getByRole('tab', { name: 'Profiles' }).click()
  await win.getByRole('button', { name: 'More actions for Codex, team' }).click()
  await win.getByRole('menuitem', { name: /Options/ }).click()
  await win.getByLabel('Price of the plan, USD a month').fill('99.50')
  await win.getByRole('button', { name: 'Save' }).click()
  await expect(win.getByRole('dialog')).toHaveCount(0)
  const accounts = await program.rpc<{ id: string; monthlyPrice: number | null }[]>('accounts.list')
  expect(accounts.find(({ id }) => id === 'codex-team')?.monthlyPrice).toBe(99_500_000_000)
})

test('shadow mode is said above the models', async ({ win, program }) => {
  await program.rpc('settings.set', { shadow: true })
  await expect(win.getByText(/Shadow mode is on: listed order serves/)).toBeVisible()
})

for (const scheme of ['light', 'dark', 'forced colours'] as const) {
  test(`axe finds nothing in ${scheme}: every part of the outlook, the conversations`, async ({ win, program }) => {
    await say(program, 'one')
    await win.emulateMedia({ forcedColors: scheme === 'forced colours' ? 'active' : 'none' })
    await choose(win, { theme: scheme === 'dark' ? 'dark' : 'light' })
    const dialog = await openOutlook(win)
    for (const part of ['Forecast', 'Calendar', 'Unused quota', 'Rehearsal']) {
      await dialog.getByRole('tab', { name: part }).click()
      await dialog.getByRole('tabpanel', { name: part }).waitFor()
      if (part === 'Rehearsal') {
        await dialog.getByRole('button', { name: 'Rehearse' }).click()
        await dialog.locator('.rehearsal-result').waitFor()
      }
      await expectNoViolations(win)
    }
    // Axe opens a page of its own, and the keyboard may not be back here yet.
    await dialog.getByRole('button', { name: 'Close' }).click()
    await win.getByRole('button', { name: 'Conversations' }).click()
    await win.getByRole('table').waitFor()
    await expectNoViolations(win)
  })
}

for (const language of ['en', 'zh']) {
  test(`the outlook doesn’t scroll sideways at 200 % zoom, in ${language}`, async ({ win }) => {
    await choose(win, { language })
    await win.setViewportSize({ width: 540, height: 640 })
    await win.locator('.models-tools .button').first().click()
    const dialog = win.getByRole('dialog')
    for (let part = 0; part < 4; part += 1) {
      await dialog.getByRole('tab').nth(part).click()
      expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
    }
  })
}
