/** Further ways to connect a client, lines for SDKs, what clovapi left, and signing in: each by keyboard alone. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './axe.ts'
import { expect, test } from './window.ts'

const folder = mkdtempSync(join(tmpdir(), 'pointsman-window-'))
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Tabs on until what has the focus bears this name. */
async function reach(win: Page, name: string | RegExp): Promise<void> {
  const focused = win.locator(':focus')
  for (let press = 0; press < 80; press += 1) {
    await win.keyboard.press('Tab')
    const found = await focused.evaluateAll((all) =>
      all.map((one) => {
        const labels = (one as HTMLInputElement).labels ?? []
        return one.getAttribute('aria-label') ?? [...labels].map((label) => label.textContent).join(' ') ?? ''
      }),
    )
    const texts = [...found, ...(await focused.allTextContents())].map((text) => text.trim())
    if (texts.some((text) => (typeof name === 'string' ? text === name : name.test(text)))) return
  }
  throw new Error(`the keyboard does not come to ${name}`)
}

const press = async (win: Page, name: string | RegExp): Promise<void> => {
  await reach(win, name)
  await win.keyboard.press('Enter')
}

interface Status {
  readonly client: string
  readonly folder: string | null
  readonly path: string
  readonly state: string
  readonly way: string | null
}

test('connects Codex by its address alone, the lines shown first, and undoes it', async ({ win, program }) => {
  const card = win.getByRole('article', { name: 'Codex CLI' })
  await card.getByRole('button', { name: 'Connect…' }).focus()
  await win.keyboard.press('Enter')
  const dialog = win.getByRole('dialog', { name: 'Connect Codex CLI' })
  const lines = dialog.getByRole('list', { name: 'Lines that change' })
  await expect(lines).toContainText('model_provider = "pointsman"')
  await reach(win, /As a provider of its own/)
  await win.keyboard.press('ArrowDown')
  await expect(lines).toContainText('openai_base_url = ')
  await expect(lines).toContainText('/k/pk_…/codex/v1')
  await expectNoViolations(win)
  await press(win, 'Connect')
  await expect(card).toContainText('by its address')
  const [, { path, way }] = await program.rpc<[Status, Status]>('clients.status')
  expect([way, readFileSync(path, 'utf8')]).toEqual(['base-url', expect.stringContaining('openai_base_url')])
  await card.getByRole('button', { name: 'Undo' }).click()
  await expect(card).toContainText('Not connected')
})

test('connects Claude Code in one folder, which gets a card and a key of its own', async ({ win, program }) => {
  const shop = join(folder, 'shop')
  mkdirSync(shop)
  await win.getByRole('button', { name: 'Connect a folder…' }).focus()
  await win.keyboard.press('Enter')
  const dialog = win.getByRole('dialog', { name: 'Connect Claude Code in one folder' })
  await expect(dialog.getByRole('textbox', { name: 'Folder' })).toBeFocused()
  await win.keyboard.type(join(folder, 'nowhere'))
  await win.keyboard.press('Enter')
  await expect(dialog).toContainText('the folder does not exist')
  await win.keyboard.press('Control+A')
  await win.keyboard.type(shop)
  await win.keyboard.press('Enter')
  await expect(dialog.getByRole('list', { name: 'Lines that change' })).toContainText('ANTHROPIC_AUTH_TOKEN')
  await expect(dialog).toContainText('keep it out of the repository')
  await expectNoViolations(win)
  await win.keyboard.press('Enter')
  const card = win.getByRole('article', { name: `Claude Code in ${shop}` })
  await expect(card).toContainText('with the key Claude Code in shop')
  expect(readFileSync(join(shop, '.claude', 'settings.local.json'), 'utf8')).toContain('pk_')
  await card.getByRole('button', { name: 'Undo' }).click()
  await expect(card).toHaveCount(0)
  expect(await program.rpc<readonly Status[]>('clients.status')).toHaveLength(2)
})

test('shows the lines for the SDKs with the key masked, then once with a new key', async ({ win, program }) => {
  await win.getByRole('button', { name: 'Show lines…' }).focus()
  await win.keyboard.press('Enter')
  const dialog = win.getByRole('dialog', { name: 'Lines for the vendors’ SDKs' })
  const lines = dialog.getByRole('list', { name: 'Lines for the shell' })
  await expect(lines).toContainText("export OPENAI_API_KEY='pk_…'")
  await reach(win, 'sh, bash, zsh')
  await win.keyboard.press('ArrowDown')
  await expect(lines).toContainText("set -gx OPENAI_API_KEY 'pk_…'")
  await expectNoViolations(win)
  await press(win, 'Make a key')
  await expect(lines).toContainText(/set -gx ANTHROPIC_API_KEY 'pk_[\w-]{43}'/)
  await expect(dialog.getByRole('button', { name: 'Copy lines' })).toBeFocused()
  await press(win, 'Done')
  expect(await program.rpc('keys.list')).toEqual(
    expect.arrayContaining([expect.objectContaining({ label: 'SDK', state: 'active' })]),
  )
})

test('signs in with a device code by keyboard alone: vendor, way, terms, cancel', async ({ win }) => {
  await win.getByRole('button', { name: 'Add account' }).focus()
  await win.keyboard.press('Enter')
  await reach(win, 'Claude')
  await win.keyboard.press('ArrowRight')
  await reach(win, /^Sign in with the browser/)
  await win.keyboard.press('ArrowDown')
  await expect(win.getByRole('radio', { name: /device code/ })).toBeChecked()
  await press(win, 'Sign in')
  await expect(win.getByRole('dialog')).toContainText('may breach that agreement')
  await press(win, 'I have read this, go on')
  await expect(win.getByText(/PRAC-\d+/)).toBeVisible()
  await reach(win, 'Copy device code')
  await reach(win, 'Open the vendor’s page')
  await press(win, 'Cancel sign-in')
  await expect(win.getByRole('dialog')).toHaveCount(0)
})

test.describe('where clovapi left something', { tag: '@browser' }, () => {
  test.use({ programOptions: { environment: { XDG_CONFIG_HOME: folder } } })

  test('shows what can be taken over, takes it over, and says what became of each file', async ({ win, program }) => {
    const older = join(folder, 'clovapi')
    mkdirSync(older)
    const profile = {
      name: 'Older',
      kind: 'api',
      api_style: 'chat',
      base_url: 'https://api.example.test',
      models: ['m'],
    }
    writeFileSync(join(older, 'profiles.json'), JSON.stringify({ profiles: [profile] }))
    writeFileSync(join(older, 'theme.json'), '{}')
    await win.reload()
    const button = win.getByRole('button', { name: 'Take over from clovapi…' })
    await button.focus()
    await win.keyboard.press('Enter')
    const table = win.getByRole('dialog').getByRole('table', { name: 'Files of clovapi' })
    await expect(table).toContainText('can be taken over')
    await expect(table).toContainText('what it holds is not known')
    expect(await program.rpc<unknown[]>('profiles.list')).not.toContainEqual(
      expect.objectContaining({ label: 'Older' }),
    )
    await expectNoViolations(win)
    await press(win, 'Take over')
    await expect(table).toContainText('taken over')
    await press(win, 'Close')
    await expect(win.getByRole('article', { name: 'Older' })).toBeVisible()
    await button.click()
    await expect(table).toContainText('is here already')
    await expect(win.getByRole('button', { name: 'Take over', exact: true })).toBeDisabled()
  })
})
