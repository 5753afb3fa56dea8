/** The Profiles tab: accounts and their windows, adding, renaming, deleting with a way back, keys, faults. */
import { breakAccount, call, expect, openWindow, test } from './window.ts'

test('shows every source with its state, what it may serve and who is next', async ({ win }) => {
  const work = win.getByRole('article', { name: 'Claude, work' })
  await expect(work).toContainText('Max 20×')
  await expect(work).toContainText('Ready')
  await expect(work).toContainText('Claude Code only')
  await expect(work).toContainText('serves now')
  await expect(win.getByRole('article', { name: 'Claude, personal' })).toContainText('next')
  await expect(win.getByRole('article')).toHaveCount(10)
  await expect(win.getByRole('heading', { name: 'Subscription accounts 4' })).toBeVisible()
})

test('a reading becomes a meter with percent left, reset, source and age', async ({ win, program }) => {
  expect(await call(program)).toContain('response.completed')
  const team = win.getByRole('article', { name: 'Codex, team' })
  const meter = team.getByRole('meter', { name: '5 hours' }).first()
  await expect(meter).toHaveAttribute('aria-valuetext', /^\d+ % left$/)
  await expect(meter).toContainText(/\d+ % left· resets in 1 h \d+ min/)
  await expect(team).toContainText(/read from an answer just now|polled just now/)
  await meter.getByRole('note').hover()
  await expect(win.getByRole('tooltip')).toContainText(/\d{4}/)
})

test('a fault shows on its card, and the next account takes over', async ({ win, program }) => {
  await win.getByRole('button', { name: 'Try a fault' }).click()
  await breakAccount(win, 'Codex, team', 'Quota used up')
  expect(await call(program)).toContain('response.completed')
  const team = win.getByRole('article', { name: 'Codex, team' })
  await expect(team).toContainText(/Resting until (\w+ )?\d\d:\d\d/)
  await expect(win.getByRole('article', { name: 'Codex, personal' })).toContainText('serves now')

  await breakAccount(win, 'Codex, personal', 'Login revoked')
  await call(program)
  const personal = win.getByRole('article', { name: 'Codex, personal' })
  await expect(personal).toContainText('Sign in again')
  await personal.getByRole('button', { name: 'Sign in' }).click()
  await expect(win.getByRole('dialog', { name: 'Sign in to Codex, personal' })).toBeVisible()
})

test('renames an account where everybody sees it', async ({ win, program }) => {
  await win.getByRole('button', { name: 'More actions for Claude, work' }).click()
  await win.getByRole('menuitem', { name: 'Rename…' }).click()
  await win.getByRole('textbox', { name: 'Name' }).fill('Studio')
  await win.keyboard.press('Enter')
  await expect(win.getByRole('article', { name: 'Studio' })).toBeVisible()
  await expect(win.getByRole('dialog')).toHaveCount(0)
  const accounts = await program.rpc<readonly { label: string }[]>('accounts.list')
  expect(accounts.map(({ label }) => label)).toContain('Studio')
})

test('a refused name is said in the dialog and nothing is lost', async ({ win }) => {
  await win.getByRole('button', { name: 'More actions for Claude, work' }).click()
  await win.getByRole('menuitem', { name: 'Rename…' }).click()
  await win.getByRole('textbox', { name: 'Name' }).fill('x'.repeat(201))
  await win.keyboard.press('Enter')
  await expect(win.getByRole('alert')).toContainText('not valid')
  await expect(win.getByRole('textbox', { name: 'Name' })).toHaveValue('x'.repeat(201))
})

test('keeps what an account may be used for', async ({ win, program }) => {
  const card = win.getByRole('article', { name: 'Codex, team' })
  await card.getByRole('button', { name: /More actions/ }).click()
  await win.getByRole('menuitem', { name: 'Options…' }).click()
  await win.getByRole('dialog').getByText('The Codex CLI only').click()
  await win.getByRole('textbox', { name: 'Share' }).fill('0')
  await expect(win.getByRole('button', { name: 'Save' })).toBeDisabled()
  await win.getByRole('textbox', { name: 'Share' }).fill('3')
  await win.getByRole('textbox', { name: 'Keep for conversations, %' }).fill('20')
  await win.getByText('May spend beyond the plan').click()
  await win.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('Codex CLI only')
  const accounts = await program.rpc<readonly { id: string }[]>('accounts.list')
  expect(accounts.find(({ id }) => id === 'codex-team')).toMatchObject({
    serves: 'codex-only',
    weight: 3,
    reservePercent: 20,
    maySpendBeyondPlan: true,
  })
})

test('deactivates and activates an account', async ({ win }) => {
  const card = win.getByRole('article', { name: 'Codex, personal' })
  await card.getByRole('button', { name: /More actions/ }).click()
  await win.getByRole('menuitem', { name: 'Deactivate' }).click()
  await expect(card).toContainText('Inactive')
  await card.getByRole('button', { name: /More actions/ }).click()
  await win.getByRole('menuitem', { name: 'Activate' }).click()
  await expect(card).toContainText('Ready')
})

test('a deleted account is not used at once, comes back by undo, and is gone after ten seconds', async ({
  win,
  program,
}) => {
  const names = async () =>
    (await program.rpc<readonly { label: string; active: boolean }[]>('accounts.list')).map(
      ({ label, active }) => `${label} ${active}`,
    )
  const card = win.getByRole('article', { name: 'Codex, personal' })
  const remove = async () => {
    await card.getByRole('button', { name: /More actions/ }).click()
    await win.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(card).toHaveCount(0)
  }
  await remove()
  await expect.poll(names).toContain('Codex, personal false')
  await win.getByRole('button', { name: 'Undo' }).click()
  await expect(card).toContainText('Ready')
  expect(await names()).toContain('Codex, personal true')

  await win.clock.install()
  await remove()
  await expect.poll(names).toContain('Codex, personal false')
  await win.clock.fastForward(9_000)
  expect(await names()).toHaveLength(4)
  await win.clock.fastForward(1_000)
  await expect.poll(names).toHaveLength(3)
  await expect(card).toHaveCount(0)
})

test('a deletion that was announced happens, also when the window is closed before', { tag: '@browser' }, async ({
  win,
  program,
}) => {
  const card = win.getByRole('article', { name: 'OpenAI key' })
  await card.getByRole('button', { name: /More actions/ }).click()
  await win.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(win.getByText('OpenAI key was deleted.')).toBeVisible()
  await win.close()
  const names = async () => (await program.rpc<readonly { label: string }[]>('profiles.list')).map(({ label }) => label)
  await expect.poll(names).not.toContain('OpenAI key')
})

test('adds an account from a setup-token, and says what is wrong with another', async ({ win }) => {
  await win.getByRole('button', { name: 'Add account' }).click()
  await win.getByText('Paste a setup-token').click()
  await win.getByRole('textbox', { name: 'Name' }).fill('From a token')
  await win.getByLabel('Setup-token', { exact: true }).fill('nonsense')
  await win.getByRole('button', { name: 'Add', exact: true }).click()
  await win.getByRole('button', { name: 'I have read this, go on' }).click()
  await expect(win.getByRole('alert')).toContainText('could not be read')
  await win.getByLabel('Setup-token', { exact: true }).fill(`sk-ant-oat01-${'a'.repeat(95)}`)
  await win.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(win.getByRole('article', { name: 'From a token' })).toContainText('setup-token')
})

test('a pasted login file warns first, and what is no JSON is said so', async ({ win }) => {
  await win.getByRole('button', { name: 'Add account' }).click()
  await win.getByText('Paste the login file').click()
  await expect(win.getByRole('dialog')).toContainText('Two programs can not share one login.')
  await win.getByRole('textbox', { name: 'Content of the login file' }).fill('{')
  await win.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(win.getByRole('alert')).toContainText('not the JSON')
})

test('adds an API profile with the models that its host lists, and edits it', async ({ win, program }) => {
  const profiles = await program.rpc<readonly { label: string; baseUrl: string }[]>('profiles.list')
  const baseUrl = profiles.find(({ label }) => label === 'Ollama')?.baseUrl ?? ''
  await win.getByRole('button', { name: 'Add local provider' }).click()
  await win.getByRole('textbox', { name: 'Name' }).fill('Second Ollama')
  await win.getByRole('textbox', { name: 'Base URL' }).fill(baseUrl)
  await win.getByRole('button', { name: 'Read the list' }).click()
  await expect(win.getByRole('textbox', { name: 'Models' })).toHaveValue(/gpt-oss:20b/)
  await win.getByRole('button', { name: 'Add', exact: true }).click()
  const card = win.getByRole('article', { name: 'Second Ollama' })
  await expect(card).toContainText('2 models')

  await card.getByRole('button', { name: /More actions/ }).click()
  await win.getByRole('menuitem', { name: 'Edit…' }).click()
  await win.getByRole('textbox', { name: 'Models' }).fill('one\ntwo = upstream-two\nthree')
  await win.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('3 models')
})

test('a rejected API key is said on its card, with the way to another', async ({ win, program }) => {
  await program.rpc('practice.fault', { sourceId: 'openai-key', fault: 'revoke' })
  await fetch(`${program.address}/openai-key/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program.key()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'hello' }] }),
  })
  const card = win.getByRole('article', { name: 'OpenAI key' })
  await expect(card).toContainText('Resting')
  await card.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(win.getByRole('dialog', { name: 'Edit OpenAI key' })).toContainText('Stored: …')
})

test('shows a new key once, gives it a new secret, disables and revokes it', { tag: '@browser' }, async ({
  win,
  program,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await win.getByRole('button', { name: 'Create key' }).click()
  await win.getByRole('textbox', { name: 'Name of the key' }).fill('Editor')
  await win.keyboard.press('Enter')
  const secret = await win.getByRole('dialog').locator('code').textContent()
  if (secret === null) throw new Error('no secret is shown')
  expect(secret).toMatch(/^pk_[\w-]{43}$/)
  await win.getByRole('button', { name: 'Copy: Access key' }).click()
  expect(await win.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await win.getByRole('button', { name: 'Done' }).click()
  await expect(win.getByText(secret)).toHaveCount(0)

  const row = win.getByRole('row', { name: /Editor/ })
  const act = async (name: string) => {
    await row.getByRole('button', { name: /More actions/ }).click()
    await win.getByRole('menuitem', { name }).click()
  }
  await act('Disable')
  await expect(row).toContainText('Disabled')
  await act('Enable')
  await expect(row).toContainText('Active')
  await act('New secret')
  await win.getByRole('button', { name: 'New secret' }).click()
  await expect(win.getByRole('dialog').locator('code')).not.toHaveText(secret)
  await win.getByRole('button', { name: 'Done' }).click()
  await act('Revoke')
  await win.getByRole('button', { name: 'Revoke' }).click()
  await expect(row).toContainText('Revoked')
  const keys = await program.rpc<readonly { label: string; state: string }[]>('keys.list')
  expect(keys.find(({ label }) => label === 'Editor')?.state).toBe('revoked')
})

test.describe('with nothing in it', () => {
  test.use({ programOptions: { practice: false, args: ['--vault', 'memory'] }, tab: null })

  test('opens on Profiles and says the first step of each kind', async ({ win }) => {
    await expect(win.getByRole('tab', { name: 'Profiles' })).toHaveAttribute('aria-selected', 'true')
    await expect(win.getByText('Add your first account')).toBeVisible()
    await expect(win.getByText('No API profile yet')).toBeVisible()
    await expect(win.getByText('No local provider yet')).toBeVisible()
    await win.getByRole('button', { name: 'Add account' }).click()
    await expect(win.getByRole('dialog', { name: 'Add account' })).toBeVisible()
  })
})

test('a change in one window is seen in the other', { tag: '@browser' }, async ({ win, program, context }) => {
  const other = await context.newPage()
  await openWindow(other, program)
  await win.getByRole('button', { name: 'More actions for Claude, work' }).click()
  await win.getByRole('menuitem', { name: 'Deactivate' }).click()
  await expect(other.getByRole('article', { name: 'Claude, work' })).toContainText('Inactive')
})
