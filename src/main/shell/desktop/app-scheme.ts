/** The window's own scheme: announced to Electron, and served from the built files in memory (threats T4.1). */
import { protocol } from 'electron'
import { readStaticFiles } from '../headless/window/static-files.ts'
import { scheme } from './address.ts'
import { schemeAnswer } from './scheme-answer.ts'

/** Before the app is ready, says Electron. */
export function announceScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }])
}

export function serveScheme(folder: string): void {
  const files = readStaticFiles(folder)
  protocol.handle(scheme, (request) => schemeAnswer(request, files))
}
