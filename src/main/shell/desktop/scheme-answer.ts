/** What the window's own scheme answers: files from memory, at our own address alone (threats T4.1, T7.7). */
import { securityHeaders } from '../headless/window/answers.ts'
import type { StaticFile } from '../headless/window/static-files.ts'
import { isOurs } from './address.ts'

export function schemeAnswer(
  { method, url }: { readonly method: string; readonly url: string },
  files: ReadonlyMap<string, StaticFile>,
): Response {
  const file = isOurs(url) && method === 'GET' ? files.get(new URL(url).pathname) : undefined
  if (file === undefined) return new Response(null, { status: 404, headers: securityHeaders })
  const cache = file.lasting ? 'private, max-age=31536000, immutable' : 'no-store'
  const headers = { ...securityHeaders, 'cache-control': cache, 'content-type': file.type }
  return new Response(new Uint8Array(file.bytes), { headers })
}
