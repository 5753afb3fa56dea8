/** The window's own scheme: files from memory under the same headers as in a browser, nothing else (threats T4.1). */
import { protocol } from 'electron'
import { securityHeaders } from '../headless/window/answers.ts'
import { readStaticFiles, type StaticFile } from '../headless/window/static-files.ts'
import { isOurs, scheme } from './address.ts'

/** Before the app is ready, says Electron. */
export function announceScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }])
}

export function serveScheme(folder: string): void {
  const files = readStaticFiles(folder)
  protocol.handle(scheme, (request) => answer(request, files))
}

export function answer(
  { method, url }: { readonly method: string; readonly url: string },
  files: ReadonlyMap<string, StaticFile>,
): Response {
  const file = isOurs(url) && method === 'GET' ? files.get(new URL(url).pathname) : undefined
  if (file === undefined) return new Response(null, { status: 404, headers: securityHeaders })
  const cache = file.lasting ? 'private, max-age=31536000, immutable' : 'no-store'
  const headers = { ...securityHeaders, 'cache-control': cache, 'content-type': file.type }
  return new Response(new Uint8Array(file.bytes), { headers })
}
