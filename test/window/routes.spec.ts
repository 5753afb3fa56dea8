/** Route rules in the window: written with a preview, dragged, obeyed by real calls, switched, removed and undone. */
import { expectNoViolations } from './axe.ts'
import { dragTo, say, showPool } from './models-kit.ts'
import { choose, expect, tabTo, test } from './window.ts'

test.use({ tab: 'Models' })

const team = 'Codex, team · gpt-5.5'
const openAiKey = 'OpenAI key · gpt-5.5'
type Page = Parameters<typeof showPool>[0]

const dialogOf = (win: Page) => win.getByRole('dialog', { name: /route rule/i })

async function addBackend(win: Page, name: string): Promise<void> {
  await dialogOf(win)
    .getByRole('button', { name: /Add a backend/ })
    .click()
  await win.getByRole('option', { name, exact: true }).click()
}

async function fillRule(win: Page): Promise<void> {
  await win.getByRole('button', { name: 'New route rule' }).click()
  await dialogOf(win).getByLabel('Model', { exact: true }).fill('gpt-5.5')
  await dialogOf(win)
    .getByRole('button', { name: /Address/ })
    .click()
  await win.getByRole('option', { name: '/codex' }).click()
  await addBackend(win, team)
  await addBackend(win, openAiKey)
}

test('a rule is written with a preview, dragged into order, and decides the next call', async ({ win, program }) => {
  expect(await say(program, 'before')).toBe('Codex, team')
  await fillRule(win)
  const dialog = dialogOf(win)
  await expect(dialog.locator('.preview-side').nth(0).locator('li').first()).toContainText('Codex, team')
  await expect(dialog.locator('.preview-side').nth(1).locator('ol > li')).toHaveCount(2)
  const row = (name: string) => dialog.locator('.draft-row').filter({ hasText: name })
  await dragTo(win, row(openAiKey), row(team), 'above')
  await expect(dialog.locator('.draft-name')).toHaveText([openAiKey, team])
  await expect(dialog.locator('.preview-side').nth(1).locator('ol > li').first()).toContainText('OpenAI key')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(win.locator('.rule')).toContainText('OpenAI key, then Codex, team')
  const pool = await showPool(win)
  await expect(pool).toContainText('A route rule decides for gpt-5.5 at /codex')
  expect(await say(program, 'after')).toBe('OpenAI key')

  await win.locator('.rule .switch-track').click()
  await expect(win.locator('.rule')).toHaveClass(/is-off/)
  expect(await say(program, 'switched-off')).toBe('Codex, team')
  await win.getByRole('button', { name: 'More actions for Rule for gpt-5.5 at /codex' }).click()
  await win.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(win.locator('.rule')).toHaveCount(0)
  await win.getByRole('button', { name: 'Undo' }).click()
  await expect(win.locator('.rule')).toHaveClass(/is-off/)
})

test('by keyboard alone: opened, filled in, moved and saved', async ({ win, program }) => {
  await tabTo(win, 'New route rule')
  await win.keyboard.press('Enter')
  await win.keyboard.type('gpt-5.5')
  await tabTo(win, /^Add a backend/)
  for (const name of ['Codex, personal', 'OpenAI key']) {
    await win.keyboard.press('Enter')
    await win.getByRole('listbox').waitFor()
    await win.keyboard.type(name)
    await win.keyboard.press('Enter')
    await expect(dialogOf(win).locator('.draft-row', { hasText: name })).toBeVisible()
  }
  await tabTo(win, /OpenAI key/, 'Shift+Tab')
  await win.keyboard.press('Alt+ArrowUp')
  await expect(dialogOf(win).locator('.draft-name').first()).toContainText('OpenAI key')
  await tabTo(win, 'Save')
  await win.keyboard.press('Enter')
  await expect(win.locator('.rule')).toContainText('OpenAI key, then Codex, personal')
  expect(await say(program, 'by-keyboard')).toBe('OpenAI key')
})

test('a second rule for the same place is refused on its form, and what was typed stays', async ({ win, program }) => {
  const tiers = [['codex-personal:gpt-5.5']]
  await program.rpc('models.setRoute', { providerId: 'codex', matchModel: 'gpt-5.5', tiers })
  await fillRule(win)
  await dialogOf(win).getByRole('button', { name: 'Save' }).click()
  await expect(dialogOf(win).getByRole('alert')).toContainText('same address, model and client style')
  await expect(dialogOf(win).locator('.draft-name')).toHaveText([team, openAiKey])
})

for (const scheme of ['light', 'dark', 'forced colours'] as const) {
  test(`axe finds nothing in ${scheme}: the list, the notice, the dialog with its preview`, async ({
    win,
    program,
  }) => {
    const tiers = [['codex-personal:gpt-5.5'], ['openai-key:gpt-5.5']]
    await program.rpc('models.setRoute', { providerId: 'codex', matchModel: 'gpt-5.5', tiers })
    await win.emulateMedia({ forcedColors: scheme === 'forced colours' ? 'active' : 'none' })
    await choose(win, { theme: scheme === 'dark' ? 'dark' : 'light' })
    await win.locator('.rule').waitFor()
    await expectNoViolations(win)
    await (await showPool(win)).getByRole('button', { name: 'Edit rule' }).click()
    await dialogOf(win).locator('.preview-side').first().waitFor()
    await expectNoViolations(win)
  })
}

for (const language of ['en', 'zh']) {
  test(`nothing scrolls sideways at 200 % zoom, in ${language}`, async ({ win, program }) => {
    const tiers = [['codex-personal:gpt-5.5'], ['openai-key:gpt-5.5']]
    await program.rpc('models.setRoute', { providerId: 'codex', matchModel: 'gpt-5.5', tiers })
    await choose(win, { language })
    await win.setViewportSize({ width: 540, height: 640 })
    await (await showPool(win)).locator('.notice button').click()
    await win.locator('.preview-side').first().waitFor()
    expect(await win.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    const dialog = win.locator('.dialog')
    expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
  })
}
