/** The specs of the window and of the desktop shell: the built program in practice mode, in the system's Chromium. */
import { defineConfig } from '@playwright/test'

const inCi = process.env.CI !== undefined && process.env.CI !== '0' && process.env.CI !== ''

export default defineConfig({
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  forbidOnly: inCi,
  // A shared machine may hold a browser up past its bound; what needed a second try is listed as flaky.
  retries: inCi ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  projects: projectsFor(process.env.POINTSMAN_SHELL ?? ''),
  use: {
    browserName: 'chromium',
    viewport: { width: 1080, height: 720 },
    locale: 'en-GB',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.POINTSMAN_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})

/** The window in a browser; or the desktop app, with those of the window's specs that aren't about a browser. */
function projectsFor(shell: string) {
  // What depends on the page alone is shown once, in a browser.
  const desktop = { testDir: 'test', grepInvert: /@browser|axe finds|cut off/ }
  const shared = ['window/frame.spec.ts', 'window/profiles.spec.ts']
  switch (shell) {
    case 'electron':
      return [{ name: 'desktop app on Electron', testMatch: [...shared, 'desktop/electron.spec.ts'], ...desktop }]
    case 'stand-in': {
      const testMatch = [...shared, 'desktop/*.spec.ts']
      return [
        { name: 'desktop shell on a stand-in, not Electron', testMatch, testIgnore: '**/electron.spec.ts', ...desktop },
      ]
    }
    default:
      return [{ name: 'window', testDir: 'test/window' }]
  }
}
