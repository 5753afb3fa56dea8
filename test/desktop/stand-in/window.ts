/** The stand-in's windows: a page of Chromium each, with the guards that the program puts on them in force. */
import { EventEmitter } from 'node:events'
import type { Frame, Page, Request, Route } from 'playwright'
import { chromium } from './chromium.ts'
import { installPreload } from './ports.ts'
import { serve } from './protocol.ts'
import { areGuardsOff, toApp, toPage } from './world.ts'

type OpenHandler = (details: { readonly url: string }) => { readonly action: string }

class WebContents extends EventEmitter {
  readonly id = 1
  readonly mainFrame: { readonly url: string; readonly parent: null; readonly frameTreeNodeId: number }
  readonly #page: () => Page | null
  openHandler: OpenHandler = () => ({ action: 'allow' })

  constructor(page: () => Page | null) {
    super()
    this.#page = page
    const url = (): string => toApp(page()?.url() ?? '')
    this.mainFrame = {
      get url() {
        return url()
      },
      parent: null,
      frameTreeNodeId: 1,
    }
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler
  }

  reload(): void {
    void this.#page()?.reload()
  }
}

export class BrowserWindow extends EventEmitter {
  static all: BrowserWindow[] = []
  readonly webContents: WebContents
  readonly options: { readonly webPreferences?: { readonly preload?: string } }
  #page: Page | null = null
  readonly #opening: Promise<Page>
  /** A navigation that the program itself began. */
  #ownAddress: string | null = null
  #isVisible = false
  #isMinimized = false
  #isDestroyed = false

  constructor(options: { readonly webPreferences?: { readonly preload?: string } }) {
    super()
    this.options = options
    this.webContents = new WebContents(() => this.#page)
    this.#opening = this.#open()
    BrowserWindow.all.push(this)
  }

  async loadURL(address: string): Promise<void> {
    const page = await this.#opening
    this.#ownAddress = toPage(address)
    await page.goto(this.#ownAddress)
  }

  show(): void {
    this.#isVisible = true
    this.#isMinimized = false
  }

  hide(): void {
    this.#isVisible = false
  }

  focus(): void {}

  restore(): void {
    this.#isMinimized = false
  }

  minimize(): void {
    this.#isMinimized = true
  }

  isVisible(): boolean {
    return this.#isVisible
  }

  isMinimized(): boolean {
    return this.#isMinimized
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return { x: 40, y: 40, width: 1_080, height: 720 }
  }

  /** The person's click on the close button. */
  close(): void {
    let isPrevented = false
    this.emit('close', { preventDefault: () => (isPrevented = true) })
    if (isPrevented) return
    this.#isDestroyed = true
    this.#isVisible = false
    void this.#page?.close()
  }

  async #open(): Promise<Page> {
    const page = await chromium.page()
    this.#page = page
    await chromium.context.route('**/*', (route, request) => this.#route(route, request, page))
    chromium.context.on('page', closeAgain)
    page.on('crash', () => this.webContents.emit('render-process-gone', {}, { reason: 'crashed' }))
    const devtools = await chromium.context.newCDPSession(page)
    const { preload } = this.options.webPreferences ?? {}
    if (preload !== undefined) {
      await installPreload(devtools, preload, {
        sender: this.webContents,
        frame: () => this.webContents.mainFrame,
      })
    }
    return page
  }

  async #route(route: Route, request: Request, page: Page): Promise<void> {
    const isOwn = request.url() === this.#ownAddress?.split('#')[0] || areGuardsOff
    if (request.isNavigationRequest() && !isOwn && this.#isRefused(toApp(request.url()), frameOf(request), page)) {
      await route.abort('aborted')
      return
    }
    await serve(route, request)
  }

  /** A frame that isn't the window's is another window's; so is one that isn't there yet. */
  #isRefused(url: string, frame: Frame | null, page: Page): boolean {
    if (frame?.page() !== page) return this.webContents.openHandler({ url }).action === 'deny'
    return this.#isForbidden(url, frame === page.mainFrame())
  }

  #isForbidden(url: string, isMainFrame: boolean): boolean {
    let isPrevented = false
    this.webContents.emit('will-frame-navigate', { url, isMainFrame, preventDefault: () => (isPrevented = true) })
    return isPrevented
  }
}

/**
 * Electron asks before a second window is made; here it comes, is asked about when it loads, and is closed again. A
 * page that a spec opened has no opener and nothing that was refused; one that a strict page opened has no opener too.
 */
async function closeAgain(popup: Page): Promise<void> {
  const refusal = popup.waitForEvent('requestfailed', { timeout: 1_000 }).then(
    () => true,
    () => false,
  )
  const opener = await popup.opener()
  if ((await refusal) || opener !== null) await popup.close()
}

function frameOf(request: Request): Frame | null {
  try {
    return request.frame()
  } catch {
    // Not of a page that is there.
    return null
  }
}
