/** The frame: routing switch, address, settings, language and theme, reconnecting, keyboard, the way in. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { moveClock, movedClockEntry } from '../program/clock-jumps.ts'
import { startProgram } from '../program/run-program.ts'
import { expectNoViolations } from './axe.ts'
import { call, choose, expect, tabTo, test, watch } from './window.ts'

test('pauses and resumes routing', async ({ win, program }) => {
  await win.getByRole('button', { name: 'Routing. Pause routing' }).click()
  await expect(win.getByRole('button', { name: 'Paused. Resume routing' })).toBeVisible()
  expect(await call(program)).toContain('Routing is paused')
  await win.getByRole('button', { name: 'Paused. Resume routing' }).click()
  await expect(win.getByRole('button', { name: 'Routing. Pause routing' })).toBeVisible()
  expect(await call(program)).toContain('response.completed')
})

test('copies the address for clients', { tag: '@browser' }, async ({ win, program, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await win.getByRole('button', { name: 'Copy: Address for clients' }).click()
  expect(await win.evaluate(() => navigator.clipboard.readText())).toBe(program.address)
})

test('settings count at once and are still there after a reload', async ({ win, program }) => {
  await win.getByRole('button', { name: 'Settings' }).click()
  const attempts = win.getByRole('textbox', { name: 'Attempts per call' })
  await attempts.fill('99')
  await win.keyboard.press('Enter')
  await expect(win.getByText('Enter a whole number from 1 to 20.')).toBeVisible()
  await attempts.fill('5')
  await win.keyboard.press('Enter')
  await win.getByText('Retry a lost call once').click()
  await expect
    .poll(async () => {
      const { attempts: count, retryAmbiguous } = await program.rpc<{ attempts: number; retryAmbiguous: boolean }>(
        'settings.get',
      )
      return { count, retryAmbiguous }
    })
    .toEqual({ count: 5, retryAmbiguous: false })
  await win.reload()
  await win.getByRole('button', { name: 'Settings' }).click()
  await expect(attempts).toHaveValue('5')
  await expect(win.getByRole('switch', { name: 'Retry a lost call once' })).not.toBeChecked()
})

test('speaks Chinese and shows the dark theme, and keeps both', async ({ win }) => {
  await win.getByRole('button', { name: 'Settings' }).click()
  await win.getByRole('button', { name: /Theme/ }).click()
  await win.getByRole('option', { name: 'Dark' }).click()
  await win.getByRole('button', { name: /Language/ }).click()
  await win.getByRole('option', { name: '简体中文' }).click()
  await expect(win.getByRole('heading', { name: '设置' })).toBeVisible()
  await win.reload()
  await expect(win.getByRole('tab', { name: '账号' })).toBeVisible()
  await expect(win.locator('html')).toHaveAttribute('lang', 'zh-CN')
  expect(await win.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(16, 19, 23)')
})

test('goes on by itself after the program was restarted', { tag: '@browser' }, async ({ page, complaints }) => {
  watch(page, complaints)
  const dataDir = mkdtempSync(join(tmpdir(), 'pointsman-window-'))
  const first = await startProgram({ dataDir, window: true })
  const link = first.ready.ui ?? ''
  await page.goto(link)
  await page.getByRole('tab', { name: 'Profiles' }).click()
  await page.getByRole('article', { name: 'Claude, work' }).waitFor()
  await first.stop()
  await expect(page.getByText('The connection to Pointsman is lost.')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Claude, work' })).toBeVisible()
  const second = await startProgram({ dataDir, window: true, args: ['--ui-port', new URL(link).port] })
  await expect(page.getByText('The connection to Pointsman is lost.')).toHaveCount(0)
  await second.rpc('accounts.rename', { id: 'claude-work', label: 'Renamed meanwhile' })
  await expect(page.getByRole('article', { name: 'Renamed meanwhile' })).toBeVisible()
  await second.stop()
  expect(existsSync(dataDir)).toBe(true)
  rmSync(dataDir, { recursive: true, force: true })
})

test('a browser that is not let in is told how to get in', { tag: '@browser' }, async ({ win, program, browser }) => {
  const stranger = await browser.newContext()
  const page = await stranger.newPage()
  const answer = await page.goto(win.url())
  expect([answer?.status(), (await answer?.text())?.includes('one-time link')]).toEqual([401, true])
  await stranger.close()
  // The cookie without the token is a page without a socket.
  await win.evaluate(() => localStorage.removeItem('pointsman.session-token'))
  await win.reload()
  await expect(win.getByRole('heading', { name: 'This page needs a fresh link' })).toBeVisible()
  await expect(win.getByText('pointsman open')).toBeVisible()
  expect(program.ready.ui).not.toBeNull()
})

test('everything on the way from the tabs to a new key is reached and done by keyboard', async ({ win, program }) => {
  await expect(win.getByRole('tab', { name: 'Profiles' })).toBeFocused()
  await tabTo(win, 'Routing. Pause routing')
  await win.keyboard.press('Enter')
  await expect(win.getByRole('button', { name: 'Paused. Resume routing' })).toBeFocused()
  await win.keyboard.press('Enter')
  await tabTo(win, 'Settings')
  await win.keyboard.press('Enter')
  await expect(win.getByRole('dialog', { name: 'Settings' })).toBeVisible()
  await win.keyboard.press('Escape')
  await expect(win.getByRole('button', { name: 'Settings' })).toBeFocused()

  await tabTo(win, 'More actions for Claude, work')
  await win.keyboard.press('Enter')
  for (let step = 0; step < 2; step += 1) await win.keyboard.press('ArrowDown')
  await expect(win.getByRole('menuitem', { name: 'Deactivate' })).toBeFocused()
  await win.keyboard.press('Enter')
  await expect(win.getByRole('article', { name: 'Claude, work' })).toContainText('Inactive')
  await expect(win.getByRole('button', { name: 'More actions for Claude, work' })).toBeFocused()

  await win.keyboard.press('Enter')
  await win.keyboard.press('End')
  await win.keyboard.press('Enter')
  await expect(win.getByRole('button', { name: 'Undo' })).toBeFocused()
  await win.keyboard.press('Enter')
  await expect(win.getByRole('article', { name: 'Claude, work' })).toBeVisible()

  await tabTo(win, 'Create key')
  await win.keyboard.press('Enter')
  await win.keyboard.type('Terminal')
  await win.keyboard.press('Enter')
  await expect(win.getByRole('button', { name: 'Copy: Access key' })).toBeFocused()
  await win.keyboard.press('Escape')
  await expect(win.getByRole('dialog')).toHaveCount(0)
  expect((await program.rpc<readonly { label: string }[]>('keys.list')).map(({ label }) => label)).toContain('Terminal')
})

for (const scheme of ['light', 'dark', 'forced colours'] as const) {
  test(`axe finds nothing in ${scheme}, on the tab, in its dialogs and menus`, async ({ win, program }) => {
    test.slow()
    await call(program)
    await win.emulateMedia({ forcedColors: scheme === 'forced colours' ? 'active' : 'none', reducedMotion: 'reduce' })
    await choose(win, { theme: scheme === 'dark' ? 'dark' : 'light' })
    await win.getByRole('button', { name: 'Try a fault' }).click()
    await win.getByRole('button', { name: /Fault of Codex, team/ }).waitFor()
    await expectNoViolations(win)
    for (const name of ['Add account', 'Add profile', 'Add local provider', 'Create key', 'Settings']) {
      await win.getByRole('button', { name }).click()
      await win.getByRole('dialog').waitFor()
      await expectNoViolations(win)
      await win.keyboard.press('Escape')
      await expect(win.getByRole('dialog')).toHaveCount(0)
    }
    await win.getByRole('button', { name: 'More actions for Claude, work' }).click()
    await win.getByRole('menu').waitFor()
    await expectNoViolations(win)
    await win.getByRole('menuitem', { name: 'Delete' }).click()
    await win.getByRole('button', { name: 'Undo' }).waitFor()
    await expectNoViolations(win)
  })
}

for (const [what, width] of [
  ['at 200 % zoom', 540],
  ['on a narrow screen', 360],
] as const) {
  test(`nothing is cut off or scrolls sideways ${what}`, async ({ win, program }) => {
    await call(program)
    await win.setViewportSize({ width, height: 640 })
    await win.getByRole('article', { name: 'Codex, team' }).getByRole('meter').first().waitFor()
    // A badge ends where its card's text ends.
    expect(
      await win.locator('.card .badge').evaluateAll((badges) =>
        badges.flatMap((badge) => {
          const card = badge.closest('.card')
          if (card === null) return ['outside']
          const edge = card.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(card).paddingRight)
          return badge.getBoundingClientRect().right > edge ? [badge.textContent] : []
        }),
      ),
    ).toEqual([])
    expect(await win.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await win.getByRole('button', { name: 'Settings' }).click()
    await win.getByRole('dialog').waitFor()
    expect(await win.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  })
}

test.describe('under a clock that can be moved', { tag: '@browser' }, () => {
  // Only a name: this is read in every process that lists the specs.
  const clockFile = join(tmpdir(), `pointsman-clock-${process.pid}`)
  test.use({ programOptions: { entry: movedClockEntry, environment: { POINTSMAN_TEST_CLOCK: clockFile } } })
  test.afterAll(() => {
    for (const file of [clockFile, `${clockFile}.moved`]) rmSync(file, { force: true })
  })

  test('a clock that is off is told, one that is far ahead with what it means for old calls, until it is right', async ({
    win,
    program,
  }) => {
    await call(program)
    const askVendor = () => program.rpc('accounts.refreshModels', { id: 'codex-team' })
    const notices = win.locator('.banners .notice')
    await moveClock(program, clockFile, -600_000)
    await askVendor()
    await expect(notices.first()).toContainText('This machine’s clock is 10 min behind the vendors’. Set it')
    await moveClock(program, clockFile, 10 * 365 * 86_400_000)
    await askVendor()
    await expect(notices.first()).toContainText('3650 d ahead of the vendors’')
    await expect(notices.nth(1)).toContainText('no call is forgotten for its age')
    await expectNoViolations(win)
    await moveClock(program, clockFile, 0)
    await askVendor()
    await expect(win.getByText('This machine’s clock')).toHaveCount(0)
    const { total } = await program.rpc<{ total: number }>('calls.page', { limit: 1 })
    expect(total).toBe(1)
  })
})
