/** What only a real Electron shows: its own scheme, isolation and ports around the same shell. Run by `npm run test:desktop`. */
import { launchElectron, startDesktop } from './desktop.ts'
import { expect, test } from './fixture.ts'

test.use({ desktopOptions: { shell: 'electron' } })

test.describe('desktop app on Electron', () => {
  test('the window comes from the app’s own scheme, as a secure context, and has data', async ({
    desktop: { win },
  }) => {
    expect(new URL(win.url()).protocol).toBe('app:')
    expect(await win.evaluate(() => isSecureContext)).toBe(true)
    await expect(win.getByRole('button', { name: 'Routing. Pause routing' })).toBeVisible()
  })

  test('the page sees neither Node nor Electron, only what the preload says', async ({ desktop: { win } }) => {
    const names = ['require', 'process', 'module', 'ipcRenderer', 'electron', 'Buffer']
    expect(await win.evaluate((all) => all.filter((name) => name in globalThis), names)).toEqual([])
    expect(await win.evaluate(() => (globalThis as { pointsman?: unknown }).pointsman)).toEqual({ shell: 'desktop' })
  })

  test('pausing in the window reaches the program, and a reload gets a new port', async ({ desktop }) => {
    await desktop.win.getByRole('button', { name: 'Routing. Pause routing' }).click()
    await expect.poll(async () => (await desktop.rpc<{ paused: boolean }>('app.snapshot')).paused).toBe(true)
    await desktop.win.reload()
    await expect(desktop.win.getByRole('button', { name: 'Paused. Resume routing' })).toBeVisible()
  })

  test('T4.2 the window is not led away and opens no second one', async ({ desktop: { win } }) => {
    const before = win.url()
    await win.evaluate(() => {
      window.open('http://127.0.0.1:9/')
      location.href = 'http://127.0.0.1:9/'
    })
    await expect(win.getByRole('heading', { name: 'Pointsman' })).toBeVisible()
    expect([win.url(), win.context().pages().length]).toEqual([before, 1])
  })

  test('T4.3 the page can reach nothing but its own files', async ({ desktop: { win } }) => {
    const reached = await win.evaluate(() =>
      fetch('http://127.0.0.1:9/', { mode: 'no-cors' }).then(
        () => 'reached',
        ({ name }: Error) => name,
      ),
    )
    expect(reached).toBe('TypeError')
  })

  test('F57 a second launch ends with 0', async ({ desktop }) => {
    expect(await launchElectron(desktop.dataDir)).toBe(0)
  })

  test('F57 a folder that the desktop app owns is closed to the headless program', async ({ desktop }) => {
    const { code } = await desktop.cli(['serve', '--practice', '--port', '0', '--no-ui'])
    expect(code).toBe(75)
  })

  test('ends in order on SIGTERM', async () => {
    const desktop = await startDesktop({ shell: 'electron' })
    const code = await desktop.stop()
    // Windows has no such signal: the process is ended.
    expect(process.platform === 'win32' || code === 0).toBe(true)
  })
})
