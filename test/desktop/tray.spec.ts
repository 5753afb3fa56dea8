/** The tray: its menu does what it says, its picture follows the program, its errands open the right dialog. */
import { basename } from 'node:path'
import { expect, notElectron, test, trayLabels, trayPicture } from './fixture.ts'

test.describe(notElectron, () => {
  test('the menu says who is next and why, what each account has left, and what can be done', async ({ desktop }) => {
    await expect
      .poll(() => trayLabels(desktop))
      .toEqual([
        'Routing · Practice mode',
        expect.stringMatching(/^Claude next: Claude, work \(.+\)$/),
        expect.stringMatching(/^Codex next: Codex, team \(.+\)$/),
        '',
        expect.stringMatching(/^Claude, work: 5 h \d+ % left, resets .+ · week \d+ % left, resets .+$/),
        expect.stringMatching(/^Claude, personal: /),
        expect.stringMatching(/^Codex, team: /),
        expect.stringMatching(/^Codex, personal: /),
        '',
        'Add Claude account…',
        'Add Codex account…',
        '',
        'Pause routing',
        'Default strategy',
        expect.stringMatching(/^Copy address 127\.0\.0\.1:\d+$/),
        '',
        'Open Pointsman',
        'Settings…',
        'Quit Pointsman',
      ])
  })

  test('pausing from the tray pauses the program, the window and the picture', async ({ desktop }) => {
    expect(basename(await trayPicture(desktop))).toBe('ok-light.png')
    await desktop.act('press', 'Pause routing')
    await expect(desktop.win.getByRole('button', { name: 'Paused. Resume routing' })).toBeVisible()
    await expect.poll(() => trayPicture(desktop).then(basename)).toBe('paused-light.png')
    expect((await desktop.act('state')).tray?.tooltip).toBe('Pointsman: paused')
    await desktop.win.getByRole('button', { name: 'Paused. Resume routing' }).click()
    await expect.poll(() => trayPicture(desktop).then(basename)).toBe('ok-light.png')
  })

  test('a strategy chosen in the tray becomes the default and is marked', async ({ desktop }) => {
    await desktop.act('press', 'Smart')
    await expect
      .poll(async () => (await desktop.rpc<{ defaultStrategy: string }>('settings.get')).defaultStrategy)
      .toBe('smart')
    await expect
      .poll(async () => {
        const menu = (await desktop.act('state')).tray?.menu ?? []
        const strategies = menu.find(({ label }) => label === 'Default strategy')?.submenu ?? []
        return strategies.filter(({ checked }) => checked).map(({ label }) => label)
      })
      .toEqual(['Smart'])
  })

  test('copies the address for clients', async ({ desktop }) => {
    const label = (await trayLabels(desktop)).find((text) => text.startsWith('Copy address')) ?? ''
    await desktop.act('press', label)
    expect((await desktop.act('state')).clipboard).toBe(desktop.address)
  })

  test('its errands open the dialog they name, and the page is never loaded anew', async ({ desktop }) => {
    const { win } = desktop
    await win.evaluate(() => Object.assign(window, { wasHere: true }))
    for (let turn = 0; turn < 2; turn += 1) {
      await desktop.act('press', 'Settings…')
      await expect(win.getByRole('dialog', { name: 'Settings' })).toBeVisible()
      await win.keyboard.press('Escape')
      await expect(win.getByRole('dialog')).toHaveCount(0)
    }
    await desktop.act('press', 'Add Codex account…')
    await expect(win.getByRole('dialog', { name: 'Add account' })).toBeVisible()
    await expect(win.getByRole('radio', { name: 'Codex', exact: true })).toBeChecked()
    await win.keyboard.press('Escape')
    expect(await win.evaluate(() => 'wasHere' in window)).toBe(true)
    expect(win.url()).toBe('https://pointsman.app.test/#profiles')
  })

  test('an account that is used up is told once, with where its calls go; when nobody is left, the sign changes', async ({
    desktop,
  }) => {
    await desktop.rpc('practice.fault', { sourceId: 'codex-team', fault: 'exhaust' })
    await call(desktop)
    const titles = async () => (await desktop.act('state')).notifications
    await expect
      .poll(titles)
      .toEqual([{ title: 'Codex, team is used up', body: expect.stringMatching(/^Calls now go to Codex, personal\./) }])
    await desktop.rpc('practice.fault', { sourceId: 'codex-personal', fault: 'exhaust' })
    await desktop.rpc('profiles.update', { id: 'openai-key', active: false })
    await call(desktop)
    await expect.poll(() => trayPicture(desktop).then(basename)).toBe('exhausted-light.png')
    await expect.poll(() => trayLabels(desktop)).toContain('Codex: no account can serve now')
  })

  test('a login that the vendor revoked: told, offered in the tray, and one press from its dialog', async ({
    desktop,
  }) => {
    await desktop.rpc('practice.fault', { sourceId: 'codex-team', fault: 'revoke' })
    await call(desktop)
    await expect.poll(() => trayLabels(desktop)).toContain('Sign in again: Codex, team')
    await expect
      .poll(async () => (await desktop.act('state')).notifications.map(({ title }) => title))
      .toEqual(['Codex, team is signed out'])
    await desktop.act('clickNotification', 'Codex, team is signed out')
    await expect(desktop.win.getByRole('dialog', { name: /Codex, team/ })).toBeVisible()
    await desktop.win.keyboard.press('Escape')
    await desktop.act('press', 'Sign in again: Codex, team')
    await expect(desktop.win.getByRole('dialog', { name: /Codex, team/ })).toBeVisible()
  })

  test('a notification that was switched off stays away', async ({ desktop }) => {
    await desktop.rpc('settings.set', { notifyExhausted: false, notifySwitched: false })
    await desktop.rpc('practice.fault', { sourceId: 'codex-team', fault: 'exhaust' })
    await call(desktop)
    await expect.poll(() => trayLabels(desktop)).toContainEqual(expect.stringMatching(/^Codex next: Codex, personal/))
    expect((await desktop.act('state')).notifications).toEqual([])
  })

  test('after a sleep the program is woken: pooled connections are dropped, the next call goes through', async ({
    desktop,
  }) => {
    expect(await call(desktop)).toBe(200)
    await desktop.act('resume')
    expect(await call(desktop)).toBe(200)
  })
})

test.describe(`${notElectron}, in Chinese`, () => {
  test.use({ desktopOptions: { environment: { STAND_IN_LANGUAGE: 'zh-CN' } } })

  test('tray and window speak the language of the desktop; a language chosen in the window counts for both', async ({
    desktop,
  }) => {
    await expect.poll(() => trayLabels(desktop)).toContain('暂停路由')
    await expect(desktop.win.getByRole('tab', { name: '账号' })).toBeVisible()
    await desktop.act('press', '设置…')
    await desktop.win.getByRole('button', { name: /语言/ }).click()
    await desktop.win.getByRole('option', { name: 'English' }).click()
    await expect(desktop.win.getByRole('dialog', { name: 'Settings' })).toBeVisible()
    await expect.poll(() => trayLabels(desktop)).toContain('Pause routing')
  })
})

/** One call of a client that needs no particular vendor program. */
async function call({ address, key }: { readonly address: string; key(): string }): Promise<number> {
  const answer = await fetch(`${address}/codex/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5.5', input: [{ role: 'user', content: 'hello' }], stream: true, store: false }),
  })
  await answer.text()
  return answer.status
}
