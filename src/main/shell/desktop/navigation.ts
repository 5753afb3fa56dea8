/** Keeps the window on its own page: no navigation, no second window, no download, no permission, no request out. */
import type { BrowserWindow, Session } from 'electron'
import { isOurPage, isOurs, pageAddress } from './address.ts'
import { type AskToOpen, openLink } from './external.ts'

export function guardNavigation({ webContents }: BrowserWindow, ask: AskToOpen): void {
  webContents.setWindowOpenHandler(({ url }) => {
    void openLink(url, ask)
    return { action: 'deny' }
  })
  webContents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && isOurPage(event.url)) return
    event.preventDefault()
    if (event.isMainFrame) void openLink(event.url, ask)
  })
  webContents.on('will-redirect', (event) => event.preventDefault())
  webContents.on('will-attach-webview', (event) => event.preventDefault())
}

/** Fetches of the window reach its own files and what the page itself holds. */
const isInside = (address: string): boolean =>
  isOurs(address) || address.startsWith(`blob:${pageAddress}`) || address.startsWith('devtools:')

const allowed: ReadonlySet<string> = new Set(['clipboard-sanitized-write'])

export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, decide) => decide(allowed.has(permission)))
  session.setPermissionCheckHandler((_contents, permission) => allowed.has(permission))
  session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !isInside(url) }))
  session.on('will-download', (event, item) => {
    // Exports are made in the page.
    if (!item.getURL().startsWith(`blob:${pageAddress}`)) event.preventDefault()
  })
}
