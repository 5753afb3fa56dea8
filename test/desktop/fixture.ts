/**
 * The fixture of the desktop specs on the stand-in. It runs the real shell, preload and window, but it is not Electron:
 * it can't prove Electron's own message ports and their `close`, the sandbox and isolation of its renderers, the
 * privileges of the scheme, the tray on a real desktop, fuses, the updater, or packaging.
 */
import { test as base, expect } from '@playwright/test'
import { type Desktop, type DesktopOptions, startDesktop } from './desktop.ts'

export { expect }

/** Part of every name, so that no report says more than was shown. */
export const notElectron = 'desktop shell on a stand-in, not Electron'

export interface DesktopFixtures {
  readonly desktopOptions: DesktopOptions
  readonly desktop: Desktop
}

export const test = base.extend<DesktopFixtures>({
  desktopOptions: [{}, { option: true }],
  desktop: async ({ desktopOptions }, use) => {
    const desktop = await startDesktop(desktopOptions)
    const complaints: string[] = []
    desktop.win.on('pageerror', ({ message }) => complaints.push(message))
    await use(desktop)
    await desktop.stop()
    expect(complaints).toEqual([])
  },
})

export const trayLabels = async ({ act }: Desktop): Promise<readonly string[]> =>
  ((await act('state')).tray?.menu ?? []).map(({ label = '' }) => label)

export const trayPicture = async ({ act }: Desktop): Promise<string> => (await act('state')).tray?.image ?? ''
