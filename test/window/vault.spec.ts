/** A vault whose key is lost: said in the window, with a way out that asks first and deletes nothing. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from '../program/run-program.ts'
import { expectNoViolations } from './axe.ts'
import { expect, test } from './window.ts'

const dataDir = join(mkdtempSync(join(tmpdir(), 'pointsman-vault-window-')), 'data')
const args = ['--vault', 'file']

// Each start has a home of its own, and so a key file of its own: the second finds a vault that was made with another.
test.use({ programOptions: { dataDir, args, practice: false } })
test.beforeAll(async () => {
  const before = await startProgram({ dataDir, args, practice: false })
  await before.stop()
})
test.afterAll(() => rmSync(join(dataDir, '..'), { recursive: true, force: true }))

test('says that the key is missing, asks before it begins a new vault, and renames the file', {
  tag: '@browser',
}, async ({ win, program }) => {
  const notice = win.getByText('The vault is not open:')
  await expect(notice).toBeVisible()
  await win.getByRole('button', { name: 'Begin a new vault…' }).click()
  const dialog = win.getByRole('dialog', { name: 'Begin a new vault' })
  await expect(dialog).toContainText('nothing is deleted')
  await expectNoViolations(win)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(notice).toBeVisible()
  await win.getByRole('button', { name: 'Begin a new vault…' }).click()
  await dialog.getByRole('button', { name: 'Begin a new vault' }).click()
  await expect(notice).toHaveCount(0)
  expect(await program.rpc('vault.status')).toMatchObject({ state: 'open' })
  expect(readdirSync(dataDir).filter((name) => name.startsWith('vault.set-aside-'))).toHaveLength(1)
})
