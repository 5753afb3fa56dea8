/** A key's editors: its accounts dragged into order, its limits, its folders; each obeyed by real calls. */
import { expectNoViolations } from './axe.ts'
import { dragTo } from './models-kit.ts'
import { call, choose, expect, tabTo, test } from './window.ts'

type Page = Parameters<typeof dragTo>[0]
interface Key {
  readonly label: string
  readonly policy: { readonly mode: string; readonly sources?: readonly string[] } | null
  readonly folders: readonly { readonly folder: string; readonly policy: unknown }[]
  readonly models: readonly string[] | null
  readonly operations: readonly string[] | null
  readonly serviceTiers: readonly string[] | null
  readonly concurrency: number | null
  readonly expiresAtMs: number | null
}

async function openEditor(win: Page, item: string, key = 'default') {
  await win.getByRole('button', { name: `More actions for ${key}` }).click()
  await win.getByRole('menuitem', { name: item }).click()
  return win.getByRole('dialog')
}

async function add(win: Page, name: string, list = 'Which ones, in order'): Promise<void> {
  await win.getByRole('button', { name: new RegExp(`Add to “${list}”`) }).click()
  await win.getByRole('option', { name: new RegExp(`^${name}`) }).click()
  await expect(win.locator('.draft-row', { hasText: name })).toBeVisible()
}

const save = async (win: Page): Promise<void> => {
  await win.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
}

test('a pool of its own is dragged into order, by mouse and by keyboard, and that order serves', async ({
  win,
  program,
}) => {
  const keys = () => program.rpc<readonly Key[]>('keys.list')
  const dialog = await openEditor(win, 'What it may use…')
  await dialog.getByText(/^A set of its own/).click()
  await add(win, 'Codex, team')
  await add(win, 'Codex, personal')
  await expect(dialog.locator('.draft-row').first()).toContainText(/Ready · .*left/)
  const row = (name: string) => dialog.locator('.draft-row', { hasText: name })
  await dragTo(win, row('Codex, personal'), row('Codex, team'), 'above')
  await expect(dialog.locator('.draft-name > bdi').first()).toHaveText('Codex, personal')
  await save(win)
  await expect(dialog).toHaveCount(0)
  expect((await keys())[0]?.policy).toEqual({
    mode: 'pool',
    sources: ['codex-personal', 'codex-team'],
    strategy: 'ordered',
  })
  expect(await call(program)).toContain('Codex, personal')

  await openEditor(win, 'What it may use…')
  await tabTo(win, /Codex, personal/)
  await win.keyboard.press('Alt+ArrowDown')
  await expect(dialog.locator('.draft-name > bdi').first()).toHaveText('Codex, team')
  await expect(row('Codex, personal')).toBeFocused()
  await save(win)
  await expect(dialog).toHaveCount(0)
  expect(await call(program)).toContain('Codex, team')
})

test('preferred falls back to a set of its own', async ({ win, program }) => {
  const dialog = await openEditor(win, 'What it may use…')
  await dialog.getByText('Named ones first').click()
  await add(win, 'Codex, personal')
  await dialog.getByText('Take a set of its own').click()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await add(win, 'OpenAI key', 'Who stands in, in order')
  await expectNoViolations(win)
  await save(win)
  await expect(dialog).toHaveCount(0)
  const [key] = await program.rpc<readonly Key[]>('keys.list')
  expect(key?.policy).toEqual({
    mode: 'preferred',
    sources: ['codex-personal'],
    fallback: { sources: ['openai-key'], strategy: 'ordered' },
  })
})

test('name and limits: read with their errors, previewed, saved, obeyed, undone', async ({ win, program }) => {
  expect(await call(program)).toContain('response.completed')
  const dialog = await openEditor(win, 'Name and limits…')
  const field = (name: string) => dialog.getByRole('textbox', { name })
  // Its file is kept by its name.
  await expect(field('Name of the key')).toHaveCount(0)
  await field('Valid until').fill('2031-02-30')
  await expect(dialog).toContainText('Enter a day like')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await field('Valid until').fill('2031-02-28 18:00')
  await field('Calls at once').fill('3')
  await dialog.getByText('Every model').click()
  await dialog.getByRole('button', { name: /Add a model/ }).click()
  await win.getByRole('option', { name: 'gpt-6.2-sol', exact: true }).click()
  await expect(dialog).toContainText('1 call of the last 7 days')
  await dialog.getByText('Every operation').click()
  await dialog.getByText('Generate answers').click()
  await dialog.getByText('Every service tier').click()
  await field('Service tiers it may ask for').fill('default, flex')
  await expectNoViolations(win)
  await save(win)
  await expect(dialog).toHaveCount(0)
  const keys = () => program.rpc<readonly Key[]>('keys.list')
  expect((await keys())[0]).toMatchObject({
    concurrency: 3,
    expiresAtMs: new Date(2031, 1, 28, 18).getTime(),
    models: ['gpt-6.2-sol'],
    operations: ['generate'],
    serviceTiers: ['default', 'flex'],
  })
  expect(await call(program)).toContain('may not use the model gpt-5.5')
  await win.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await keys())[0])
    .toMatchObject({
      ...{ concurrency: null, expiresAtMs: null, models: null, operations: null, serviceTiers: null },
    })
})

test('a key is renamed, and a name that is taken is refused in the dialog', async ({ win, program }) => {
  for (const label of ['one', 'two']) await program.rpc('keys.create', { label })
  const dialog = await openEditor(win, 'Name and limits…', 'one')
  await dialog.getByRole('textbox', { name: 'Name of the key' }).fill('two')
  await save(win)
  await expect(dialog.getByRole('alert')).toContainText('exists already')
  await dialog.getByRole('textbox', { name: 'Name of the key' }).fill('Laptop')
  await save(win)
  await expect(dialog).toHaveCount(0)
  await expect(win.getByRole('row', { name: /^Laptop/ })).toBeVisible()
  await win.getByRole('button', { name: 'Undo' }).click()
  await expect(win.getByRole('row', { name: /^one/ })).toBeVisible()
})

test('a key is made with its policy, budget and limits in one go, and obeys them from its first call', async ({
  win,
  program,
}) => {
  await program.rpc('budgets.create', { label: 'Play', amount: 500_000_000, cycle: 'week' })
  await win.getByRole('button', { name: 'Create key' }).click()
  const dialog = win.getByRole('dialog', { name: 'Create access key' })
  // The quick way stays as quick: one field in sight, and its button.
  await expect(dialog.getByRole('textbox')).toHaveCount(1)
  await dialog.getByRole('textbox', { name: 'Name of the key' }).fill('Games')
  await dialog.getByText('What it may use').click()
  await dialog.getByText('Only the named ones').click()
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled()
  await add(win, 'Codex, personal')
  await dialog.getByRole('button', { name: /Budget/ }).click()
  await win.getByRole('option', { name: 'Play' }).click()
  await dialog.getByText('Until when, and other limits').click()
  await dialog.getByRole('textbox', { name: 'Valid until' }).fill('2031-02-28')
  await dialog.getByRole('textbox', { name: 'Calls at once' }).fill('2')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const secret = (await win.getByRole('dialog').locator('code').textContent()) ?? ''
  await win.getByRole('button', { name: 'Done' }).click()
  await expect(win.getByRole('row', { name: /^Games/ })).toContainText('limited')
  await expect(win.getByRole('article', { name: 'Play' })).toContainText('Used by Games')
  const keys = await program.rpc<readonly Key[]>('keys.list')
  expect(keys.find(({ label }) => label === 'Games')).toMatchObject({
    policy: { mode: 'strict', sources: ['codex-personal'] },
    ...{ concurrency: 2, expiresAtMs: new Date(2031, 1, 28).getTime(), models: null, operations: null },
  })
  expect(await call({ ...program, key: () => secret })).toContain('Codex, personal')
})

test('an account that serves none of the key’s models is not offered, and the reason is told', async ({
  win,
  program,
}) => {
  await program.rpc('keys.setPolicy', { id: 'default', models: ['gpt-5.5'] })
  const dialog = await openEditor(win, 'What it may use…')
  await dialog.getByText('Only the named ones').click()
  await expect(dialog).toContainText(/Left out, since they serve none of the key’s models: Claude, work/)
  await dialog.getByRole('button', { name: /Add to/ }).click()
  await expect(win.getByRole('option', { name: /^Codex, team/ })).toBeVisible()
  await expect(win.getByRole('option', { name: /^Claude, work/ })).toHaveCount(0)
})

test('a folder has a policy of its own: added, told, refused when it is no whole path, removed and undone', async ({
  win,
  program,
}) => {
  const folders = async () => (await program.rpc<readonly Key[]>('keys.list'))[0]?.folders
  const dialog = await openEditor(win, 'Folders…')
  await expect(dialog).toContainText('No folder yet')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Add folder' }).click()
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('play')
  await add(win, 'Codex, personal')
  await expectNoViolations(win)
  await save(win)
  await expect(dialog.getByRole('alert')).toContainText('a folder is named by its whole path')
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('/home/me/play/')
  await save(win)
  await expect(dialog.getByRole('listitem')).toContainText('/home/me/play')
  await expect(dialog.getByRole('listitem')).toContainText('only named sources · Codex, personal')
  await expectNoViolations(win)
  const rule = { folder: '/home/me/play', policy: { mode: 'strict', sources: ['codex-personal'] } }
  expect(await folders()).toEqual([rule])
  await dialog.getByRole('button', { name: 'More actions for /home/me/play' }).click()
  await win.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog).toContainText('No folder yet')
  expect(await folders()).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await win.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(folders).toEqual([rule])
})

for (const [language, theme] of [
  ['en', 'light'],
  ['zh', 'dark'],
] as const) {
  test(`no editor scrolls sideways on a narrow screen, in ${language}, ${theme}`, async ({ win, program }) => {
    await program.rpc('keys.setPolicy', {
      id: 'default',
      ...{ models: ['gpt-5.5'], providers: ['codex'], operations: ['generate'], serviceTiers: ['flex'] },
      policy: { mode: 'pool', sources: ['codex-team', 'codex-personal'] },
    })
    await choose(win, { language, theme })
    await win.setViewportSize({ width: 400, height: 720 })
    for (const at of [0, 1, 2]) {
      await win.locator('.key-table .button-icon').first().click()
      await win.getByRole('menuitem').nth(at).click()
      await win.getByRole('dialog').waitFor()
      const dialog = win.locator('.dialog')
      expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
      expect(await win.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      await expectNoViolations(win)
      await win.locator('.dialog-head .button-icon').click()
      await expect(win.getByRole('dialog')).toHaveCount(0)
    }
  })
}
