/** House habits that a machine can check: file size, first lines, one home for clocks, chance and the environment. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, sourceFiles } from './tree.ts'

const files = sourceFiles('src')
const code = files.filter((file) => /\.tsx?$/.test(file.path))

test('the whole tree is seen', () => {
  expect(code.length).toBeGreaterThan(120)
})

test('no file is longer than 300 lines', () => {
  const long = code.filter(
    (file) => file.lines > 300 && !/migrations\/|renderer\/text\/|price-catalogue/.test(file.path),
  )
  expect(long.map((file) => `${file.path} ${file.lines}`)).toEqual([])
})

test('every file says first what it is for', () => {
  const silent = code.filter((file) => !/^(#!.*\n)?\/\*\*/.test(file.text))
  expect(silent.map((file) => file.path)).toEqual([])
})

test('no file is named after a junk drawer', () => {
  expect(
    files
      .filter((file) => /\/(utils?|helpers?|manager|service|common|misc)\.[a-z]+$/.test(file.path))
      .map((file) => file.path),
  ).toEqual([])
})

describe('one home each', () => {
  const homes: readonly { readonly what: string; readonly pattern: RegExp; readonly allowed: RegExp }[] = [
    { what: 'Date.now', pattern: /\bDate\.now\(/, allowed: /^src\/main\/adapters\/system\.ts$|^src\/renderer\// },
    { what: 'Math.random', pattern: /\bMath\.random\(/, allowed: /^src\/main\/adapters\/system\.ts$/ },
    { what: 'console', pattern: /\bconsole\./, allowed: /^$/ },
    {
      what: 'process.env',
      pattern: /\bprocess\.env\b/,
      allowed: /^src\/main\/shell\/headless\/environment\.ts$|^src\/main\/shell\/desktop\//,
    },
    { what: 'shell.openExternal', pattern: /\bopenExternal\(/, allowed: /^src\/main\/shell\/desktop\// },
    { what: 'innerHTML', pattern: /innerHTML/, allowed: /^$/ },
  ]
  test.each(homes)('$what', ({ pattern, allowed }) => {
    const strays = code.filter((file) => !allowed.test(file.path) && pattern.test(withoutComments(file.text)))
    expect(strays.map((file) => file.path)).toEqual([])
  })
})

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

test('T7.5 no SQL is built from template values', () => {
  const strays = sourceFiles('src/main/adapters/sqlite').filter((file) =>
    /prepare\(\s*`[^`]*\$\{(?!name|columns|places|values|where|condition)/.test(file.text),
  )
  expect(strays.map((file) => file.path)).toEqual([])
})

test('the repository names no workplace, machine path or registry host', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  expect(tracked.length).toBeGreaterThan(50)
  const pattern = new RegExp(['/wo' + 'rk/', '/ro' + 'ot/', 'registry\\.' + 'npmjs', 'deb\\.' + 'debian'].join('|'))
  const text = tracked.filter((path) => /\.(ts|tsx|mjs|cjs|json|md|yml|css|html|c)$|\.ci\/run$/.test(path))
  const strays = text.filter((path) => {
    try {
      return pattern.test(readFileSync(join(root, path), 'utf8'))
    } catch {
      return false
    }
  })
  expect(strays).toEqual([])
})
