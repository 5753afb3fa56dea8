/** Closing the window, quitting, and starting a second time: never a process that nobody can reach, never two owners. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, startProgram } from '../program/run-program.ts'
import { launch, startDesktop } from './desktop.ts'
import { expect, notElectron, test } from './fixture.ts'

test.describe(notElectron, () => {
  test('closing hides the window into the tray, says so once, and a click brings it back', async ({ desktop }) => {
    const window = async () => (await desktop.act('state')).window
    await desktop.act('closeWindow')
    await expect.poll(async () => (await window()).visible).toBe(false)
    expect((await window()).destroyed).toBe(false)
    await desktop.act('trayClick')
    await expect.poll(async () => (await window()).visible).toBe(true)
    await desktop.act('trayClick')
    await expect.poll(async () => (await window()).visible).toBe(false)
    await desktop.act('press', 'Open Pointsman')
    await expect.poll(async () => (await window()).visible).toBe(true)
    await desktop.act('closeWindow')
    await expect.poll(async () => (await window()).visible).toBe(false)
    expect((await desktop.act('state')).notifications).toEqual([
      {
        title: 'Pointsman goes on in the tray',
        body: 'Calls are still routed. Quit it from its tray menu.',
      },
    ])
    expect((await desktop.rpc<{ paused: boolean }>('app.snapshot')).paused).toBe(false)
  })

  test('with "close to the tray" off, closing quits in order', async ({ desktop }) => {
    await desktop.rpc('settings.set', { closeToTray: false })
    await desktop.act('closeWindow')
    expect(await desktop.ended).toBe(0)
    expect(existsSync(join(desktop.dataDir, 'instance.json'))).toBe(false)
  })

  test('quitting from the tray ends the program with 0', async ({ desktop }) => {
    await desktop.act('press', 'Quit Pointsman')
    expect(await desktop.ended).toBe(0)
  })

  test('the window says what the program asks of Electron: sandboxed, isolated, without Node', async ({ desktop }) => {
    const { window, schemes } = await desktop.act('state')
    expect(window.options?.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      devTools: false,
    })
    expect(schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    ])
    expect(await desktop.win.evaluate(() => ['require', 'process', 'module'].filter((name) => name in window))).toEqual(
      [],
    )
  })
})

test.describe(`${notElectron}, where no tray is shown`, () => {
  test.use({ desktopOptions: { trayHost: false } })

  test('closing asks; keeping it minimises the window, where the task bar has it', async ({ desktop }) => {
    await desktop.act('answer', 0)
    await desktop.act('closeWindow')
    await expect
      .poll(async () => (await desktop.act('state')).window)
      .toMatchObject({ visible: true, minimized: true, destroyed: false })
    expect((await desktop.act('state')).dialogs.map(({ buttons }) => buttons)).toEqual([
      ['Keep running', 'Quit', 'Cancel'],
    ])
  })

  test('cancelling changes nothing, quitting quits', async ({ desktop }) => {
    await desktop.act('closeWindow')
    await expect.poll(async () => (await desktop.act('state')).dialogs.length).toBe(1)
    expect((await desktop.act('state')).window).toMatchObject({ visible: true, minimized: false, destroyed: false })
    await desktop.act('answer', 1)
    await desktop.act('closeWindow')
    expect(await desktop.ended).toBe(0)
  })
})

test.describe(`F57 one owner per data folder: ${notElectron}`, () => {
  test('F57 a second launch shows the first one’s window and ends with 0', async ({ desktop }) => {
    await desktop.act('closeWindow')
    await expect.poll(async () => (await desktop.act('state')).window.visible).toBe(false)
    const second = await launch({ dataDir: desktop.dataDir })
    expect(await second.ended).toBe(0)
    expect(second.output()).toContain('Pointsman is already running; its window is shown.')
    await expect.poll(async () => (await desktop.act('state')).window.visible).toBe(true)
  })

  test('F57 the headless program on the same folder ends with 75, and the command line reaches the desktop app', async ({
    desktop,
  }) => {
    const folder = ['--data-dir', desktop.dataDir]
    const serve = await runCommand(['serve', '--practice', '--port', '0', '--no-ui', ...folder])
    expect([serve.code, serve.stderr]).toEqual([75, expect.stringContaining('Another Pointsman already uses')])
    const status = await runCommand(['status', '--json', ...folder])
    expect([status.code, status.stdout]).toEqual([0, expect.stringContaining(desktop.address)])
  })

  test('F57 the desktop app on a folder that the headless program owns says so and ends with 75', async () => {
    const program = await startProgram()
    const second = await launch({ dataDir: program.dataDir })
    expect(await second.ended).toBe(75)
    expect(second.output()).toContain('Another Pointsman already uses this data folder.')
    await program.stop()
  })

  test('launched at login the window stays hidden until it is wanted', async () => {
    const desktop = await startDesktop({ args: ['--hidden'] })
    expect((await desktop.act('state')).window.visible).toBe(false)
    await desktop.act('trayClick')
    await expect.poll(async () => (await desktop.act('state')).window.visible).toBe(true)
    expect(await desktop.stop()).toBe(0)
  })
})
