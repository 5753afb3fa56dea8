/** The one Chromium behind all windows: launched when the app gets ready, reachable for the specs by a debugging port. */
import { type BrowserContext, type Page, chromium as playwright } from 'playwright'

const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

class Chromium {
  #context: BrowserContext | null = null

  get context(): BrowserContext {
    if (this.#context === null) throw new Error('the app is not ready yet')
    return this.#context
  }

  async launch(profile: string): Promise<void> {
    this.#context = await playwright.launchPersistentContext(profile, {
      executablePath: process.env.POINTSMAN_CHROMIUM ?? '/usr/bin/chromium',
      // Any free one; Chromium writes it into its profile.
      args: [...switches, '--remote-debugging-port=0'],
      // Playwright's own handlers would close the browser and leave the program behind.
      ...{ handleSIGTERM: false, handleSIGINT: false, handleSIGHUP: false },
      locale: process.env.STAND_IN_LANGUAGE ?? 'en-GB',
      viewport: { width: 1_080, height: 720 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
  }

  /** The page that a fresh profile opens with, then new ones. */
  async page(): Promise<Page> {
    const [first] = this.context.pages()
    return first !== undefined && first.url() === 'about:blank' ? first : this.context.newPage()
  }

  async close(): Promise<void> {
    await this.#context?.close().catch(() => {})
  }
}

export const chromium = new Chromium()
