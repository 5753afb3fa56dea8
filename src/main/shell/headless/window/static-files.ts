/** The window's built files, read once into memory: nothing a request says ever becomes a path on disk. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

export interface StaticFile {
  readonly type: string
  readonly bytes: Buffer
  /** Its name changes with its content. */
  readonly lasting: boolean
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** By URL path; the page itself is under `/`. */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const name = `/${relative(folder, path).split(sep).join('/')}`
    const file = { type, bytes: readFileSync(path), lasting: name.startsWith('/assets/') }
    files.set(name === '/index.html' ? '/' : name, file)
  }
  return files
}

const tokenPlace = '<meta name="session-token" content=""'

/** The page with its session's token, the first time it is asked for. */
export function pageWith(page: Buffer, token: string | null): Buffer {
  if (token === null) return page
  return Buffer.from(page.toString('utf8').replace(tokenPlace, `${tokenPlace.slice(0, -1)}${token}"`))
}
