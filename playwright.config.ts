/** The specs of the window and of the desktop shell: the built program in practice mode, in the system's Chromium. */
import { defineConfig } from '@playwright/test'

export default defineConfig({
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  forbidOnly: process.env.CI !== undefined && process.env.CI !== '0' && process.env.CI !== '',
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  projects: [
    { name: 'window', testDir: 'test/window' },
    { name: 'desktop shell on a stand-in, not Electron', testDir: 'test/desktop' },
  ],
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
