/** Signing in from the window: the terms first, then each way step by step; and connecting the clients. */
import { existsSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './axe.ts'
import { expect, test } from './window.ts'

async function begin(win: Page, way: string, name: string): Promise<void> {
  await win.getByRole('button', { name: 'Add account' }).click()
  await win.getByRole('dialog').getByText('Codex', { exact: true }).click()
  await win.getByText(way).click()
  await win.getByRole('textbox', { name: 'Name' }).fill(name)
  await win.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('shows the terms before another account, with the choice for a limit', async ({ win, program }) => {
  await begin(win, 'Sign in with a device code', 'Second')
  await expect(win.getByRole('dialog')).toContainText('may breach that agreement')
  await expectNoViolations(win)
  await win.getByText('Stop and ask me').click()
  await win.getByRole('button', { name: 'I have read this, go on' }).click()
  await expect(win.getByText(/PRAC-\d+/)).toBeVisible()
  expect(await program.rpc('settings.get')).toMatchObject({ atLimit: 'ask' })
  await win.getByRole('button', { name: 'Cancel sign-in' }).click()
  await expect(win.getByRole('dialog')).toHaveCount(0)
})

test('signs in through the vendor’s page and goes on by itself', { tag: '@browser' }, async ({ win, context }) => {
  await begin(win, 'Sign in with the browser', 'Browsed')
  await win.getByRole('button', { name: 'I have read this, go on' }).click()
  const link = win.getByRole('link', { name: 'Open the vendor’s page' })
  await expect(link).toBeVisible()
  await expectNoViolations(win)
  const opened = context.waitForEvent('page')
  await link.click()
  await expect((await opened).getByText('Pointsman has the sign-in.')).toBeVisible()
  await expect(win.getByRole('article', { name: 'Browsed' })).toBeVisible()
  await expect(win.getByRole('dialog')).toHaveCount(0)
  await expect(win.getByRole('article', { name: 'Browsed' })).toContainText('renewed here')
})

test('signs in with a device code', async ({ win }) => {
  await begin(win, 'Sign in with a device code', 'Elsewhere')
  await win.getByRole('button', { name: 'I have read this, go on' }).click()
  const url = await win.getByRole('link', { name: 'Open the vendor’s page' }).getAttribute('href')
  expect((await fetch(url ?? '')).status).toBe(200)
  await expect(win.getByRole('article', { name: 'Elsewhere' })).toBeVisible()
})

test('without `claude` it says how to install it, and offers to start again', async ({ win }) => {
  await win.getByRole('button', { name: 'Add account' }).click()
  await win.getByRole('button', { name: 'Sign in', exact: true }).click()
  await win.getByRole('button', { name: 'I have read this, go on' }).click()
  await expect(win.getByRole('dialog')).toContainText('was not found on this machine')
  await win.getByRole('button', { name: 'Start again' }).click()
  await expect(win.getByText('Paste a setup-token')).toBeVisible()
})

test('connects a client after showing its lines, and takes that back exactly', async ({ win, program }) => {
  const card = win.getByRole('article', { name: 'Codex CLI' })
  await expect(card).toContainText('Not connected')
  const [, { path }] = await program.rpc<{ path: string }[]>('clients.status')
  await card.getByRole('button', { name: 'Connect…' }).click()
  const dialog = win.getByRole('dialog', { name: 'Connect Codex CLI' })
  await expect(dialog.getByRole('list', { name: 'Lines that change' })).toContainText('pointsman')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(card).toContainText('Connected')
  expect(readFileSync(path, 'utf8')).toContain('pointsman')
  await card.getByRole('button', { name: 'Undo' }).click()
  await expect(card).toContainText('Not connected')
  expect(existsSync(path)).toBe(false)
})
