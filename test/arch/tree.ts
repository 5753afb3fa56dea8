/** Reads the source tree for the tests of its own shape. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly lines: number
  /** Resolved paths of relative imports, bare names of the others. */
  readonly imports: readonly string[]
}

const importPattern =
  /(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|import\s*\(\s*['"]([^'"]+)['"]\s*\)|import\s+['"]([^'"]+)['"]/g

/** Every TypeScript and style file below a folder. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  const absolute = join(root, folder)
  return readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|css)$/.test(entry.name))
    .map((entry) => read(join(entry.parentPath, entry.name)))
}

function read(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  const imports = [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
  return {
    path: relative(root, path).replaceAll('\\', '/'),
    text,
    lines: text.split('\n').length - 1,
    imports: imports.map((name) => (name.startsWith('.') ? resolve(path, name) : name)),
  }
}

const resolve = (from: string, name: string): string =>
  relative(root, normalize(join(dirname(from), name))).replaceAll('\\', '/')
