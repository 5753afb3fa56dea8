/** Which packages reach a person: every one that the sources import for more than its types. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const importing =
  /(?:import|export)\s+(type\s)?[^'"`;]*?from\s*'([^'.][^']*)'|import\s*\(\s*'([^'.][^']*)'\s*\)|(?:^|\n)import\s+'([^'.][^']*)'/g

/** Names of packages, sorted, without Node's own modules. */
export function importedPackages(root) {
  const names = new Set()
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    for (const [, onlyTypes, from, awaited, bare] of text.matchAll(importing)) {
      const name = from ?? awaited ?? bare ?? ''
      if (onlyTypes !== undefined || name.startsWith('node:')) continue
      names.add(
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
    }
  }
  return [...names].sort()
}
