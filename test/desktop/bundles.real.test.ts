/** What the build makes for the desktop: a preload that a sandbox can load, a headless program free of Electron. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildIfStale, root } from '../../scripts/build-if-stale.mjs'

const out = join(root, 'out')
const importPattern = /^(?:import|export)\b[^'"\n]*["']([^"'\n]+)["'];?$|\bimport\(\s*["']([^"'\n]+)["']\s*\)/gm

/** Comments of bundled packages name files of their own. */
const codeOf = (path: string): string => readFileSync(path, 'utf8').replace(/^\s*(\/?\*|\/\/).*$/gm, '')

/** Every file that a built entry loads, and every bare name in them. */
function graph(entry: string): { readonly files: readonly string[]; readonly names: readonly string[] } {
  const files = new Set<string>()
  const names = new Set<string>()
  const visit = (path: string): void => {
    if (files.has(path)) return
    files.add(path)
    for (const [, first, second] of codeOf(path).matchAll(importPattern)) {
      const name = first ?? second ?? ''
      if (name.startsWith('.')) visit(join(dirname(path), name))
      else names.add(name)
    }
  }
  visit(join(out, 'main', entry))
  return { files: [...files].map((path) => relative(out, path)), names: [...names] }
}

beforeAll(() => buildIfStale())

describe('the preload', () => {
  test('is one CommonJS file that requires Electron alone', () => {
    const text = readFileSync(join(out, 'preload/index.cjs'), 'utf8')
    const required = [...text.matchAll(/require\(\s*["'`]([^"'`]+)["'`]\s*\)/g)].map((match) => match[1])
    expect([readdirSync(join(out, 'preload')), [...new Set(required)], /^\s*(import|export)\s/m.test(text)]).toEqual([
      ['index.cjs'],
      ['electron'],
      false,
    ])
  })
})

describe('the headless program', () => {
  test('loads nothing that names Electron', () => {
    const { files, names } = graph('headless.js')
    expect(files.length).toBeGreaterThan(2)
    expect(names).toContain('better-sqlite3')
    expect(names.filter((name) => name.startsWith('electron'))).toEqual([])
  })

  test.each(['keychain-helper.js', 'calls-reader.js'])('nor does %s', (entry) => {
    expect(graph(entry).names.filter((name) => name.startsWith('electron'))).toEqual([])
  })

  test('the walk sees Electron where it is', () => {
    expect(graph('index.js').names).toContain('electron')
  })
})

test('the pictures that the desktop app shows are in the tree', () => {
  for (const name of ['tray/okTemplate.png', 'app/linux/256x256.png']) {
    expect(existsSync(join(root, 'resources', name))).toBe(true)
  }
})
