/** The system's Chromium for tests that need a real browser. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright'

export const chromiumPath = process.env.POINTSMAN_CHROMIUM ?? '/usr/bin/chromium'

const isContinuous = !['', '0', undefined].includes(process.env.CI)

/** Why the browser tests can't run here, or null; where everything must be there, its absence is a failure. */
export const noChromium = existsSync(chromiumPath) || isContinuous ? null : `no Chromium at ${chromiumPath}`

export function launch(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
}
