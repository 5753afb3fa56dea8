/** What the built headless program is made of: nothing of Electron, and no package that isn't shipped as one. */
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildIfStale, headless, root } from '../../scripts/build-if-stale.mjs'

beforeAll(() => buildIfStale({ window: false }))

/** Real imports only: texts inside the bundled packages look like some, too. */
const fixed = /^(?:import|export)\b[^"'\n]*?["']([^"'\n]+)["'];?$/gm
const late = /\bawait import\(\s*["']([^"'\n]+)["']\s*\)|\b__require\(\s*["']([^"'\n]+)["']\s*\)/g
const builtins = new Set(builtinModules)
const isBuiltin = (name: string): boolean => name.startsWith('node:') || builtins.has(name)

interface Graph {
  readonly files: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
}

/** Every file that `entry` may load, `dynamic` imports with it or without. */
function graphOf(entry: string, dynamic: boolean): Graph {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (path: string): void => {
    if (files.has(path)) return
    files.add(path)
    const text = readFileSync(path, 'utf8')
    const names = [...text.matchAll(fixed), ...(dynamic ? text.matchAll(late) : [])].map(([, a, b]) => a ?? b ?? '')
    for (const name of names) {
      if (name.startsWith('.')) visit(join(dirname(path), name))
      else if (!isBuiltin(name)) packages.add(name)
    }
  }
  visit(entry)
  return { files, packages }
}

describe('the headless entry', () => {
  test('never names electron, and takes only shipped packages from outside', () => {
    const { files, packages } = graphOf(headless, true)
    expect(files.size).toBeGreaterThan(4)
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect([...packages].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([])
    expect(packages.has('electron')).toBe(false)
    expect(packages.has('better-sqlite3')).toBe(true)
  })

  test('loads no package at all before it has looked at its Node', () => {
    expect([...graphOf(headless, false).packages]).toEqual([])
  })

  test('names no folder of the machine it was built on', () => {
    const strays = [...graphOf(headless, true).files].filter((path) => readFileSync(path, 'utf8').includes(root))
    expect(strays).toEqual([])
  })
})
