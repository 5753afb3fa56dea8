/** T4.1, T4.8: hostile names, ids and aliases are text on the Models tab, also where there are hundreds of them. */
import type { Page } from '@playwright/test'
import { visible } from '../../src/renderer/text/visible.ts'
import type { Program } from '../program/run-program.ts'
import { hostileStrings } from './hostile-strings.ts'
import { poolOf } from './models-kit.ts'
import { expect, openWindow, test } from './window.ts'

test.describe.configure({ timeout: 180_000 })
test.use({ tab: null, programOptions: { practice: false, args: ['--vault', 'memory'] } })

/** Control characters are refused where they come in. */
const lines = hostileStrings.filter((text) => !/\p{Cc}/u.test(text))
const ids = [...new Set(lines.map((text) => text.slice(0, 190).trim()).filter((text) => text !== ''))]
const names = [...new Set(lines.map((text) => text.slice(0, 80).trim()).filter((text) => text !== ''))]

const addLocal = (program: Program, label: string, models: readonly object[]): Promise<unknown> =>
  program.rpc('profiles.create', {
    kind: 'local',
    label,
    dialects: ['chat'],
    baseUrl: 'http://127.0.0.1:9',
    models,
  })

/** Everything that the page asks for besides its own files, and whatever ran. */
async function watchFor(page: Page): Promise<() => Promise<object>> {
  const asked: string[] = []
  const origin = new URL(page.url()).origin
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) asked.push(request.url())
  })
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  return async () => ({ asked, dialogs, ran: await page.evaluate(() => '__pwned' in window), url: page.url() })
}

test('the corpus is large enough', () => {
  expect(ids.length).toBeGreaterThanOrEqual(200)
  expect(names.length).toBeGreaterThanOrEqual(200)
})

test('as model ids and aliases: each is one list, reached by scrolling, and runs nothing', async ({ win, program }) => {
  const models = ids.map((id, number) => ({ id, aliases: [`a${number} ${id}`] }))
  const outcome = await watchFor(win)
  await addLocal(program, 'Hostile models', models)
  await win.getByRole('tab', { name: 'Models' }).click()
  await win.getByRole('article').first().waitFor()
  const count = models.length * 2
  await expect(win.getByRole('heading', { name: `Models ${count}` })).toBeVisible()
  expect(await win.locator('.pool-model').allTextContents()).toEqual([
    ...ids.map(visible),
    ...models.map(({ aliases: [alias = ''] }) => visible(alias)),
  ])
  // Only what is near is drawn in full; the last one is when it comes into sight.
  expect(await win.locator('.backend-row').count()).toBeLessThan(count / 4)
  await win.locator('.pool').last().scrollIntoViewIfNeeded()
  await expect(win.locator('.pool').last().locator('.backend-row')).toHaveCount(1)
  expect(await win.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(await outcome()).toEqual({ asked: [], dialogs: [], ran: false, url: win.url() })
})

test('as account names in one pool, in its menus and notices, and runs nothing', async ({ win, program }) => {
  await win.goto('about:blank')
  for (const name of names) await addLocal(program, name, [{ id: 'one-model' }])
  await openWindow(win, program, 'Models')
  const outcome = await watchFor(win)
  const pool = poolOf(win, 'one-model')
  await pool.getByRole('button', { name: /^Show \d+ more backends$/ }).click()
  await expect(pool.locator('.backend-row')).toHaveCount(names.length)
  expect([...(await pool.locator('.row-source').allTextContents())].sort()).toEqual(names.map(visible).sort())
  expect(await win.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  for (const at of [0, 100, names.length - 1]) {
    await pool
      .locator('.backend-row')
      .nth(at)
      .getByRole('button', { name: /^More actions/ })
      .click()
    await win.getByRole('menuitem', { name: at === 0 ? 'Move down' : 'Move up' }).click()
    await win.locator('.toast').first().waitFor()
  }
  expect(await outcome()).toEqual({ asked: [], dialogs: [], ran: false, url: win.url() })
})
