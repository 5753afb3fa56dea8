/** The tables of proofs: no row is missing, each names tests that exist and carry its name, each sentence is the catalogue's. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withErrorTexts } from '../../scripts/errors-page.mjs'
import { guards, knownBugs } from '../../scripts/mutations/all.mjs'
import { catalogue } from '../../src/shared/errors.ts'
import { carries, page, proofRows, wrongWith } from './proofs.ts'
import { root, sourceFiles } from './tree.ts'

/** Repository and number, as reports are cited. */
const citation = /^[\w.-]+\/[\w.-]+#\d+(, ([\w.-]+\/[\w.-]+)?#\d+)*$/

const numbered = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)

/** Sub-rows of each threat. */
const threats = Object.entries({ 1: 10, 2: 5, 3: 7, 4: 9, 5: 4, 6: 6, 7: 10, 8: 3 }).flatMap(([threat, count]) =>
  numbered(`T${threat}.`, count),
)

const tables = [
  { name: 'faults.md', id: /^F\d+$/, ids: numbered('F', 70) },
  { name: 'threats.md', id: /^T\d+\.\d+$/, ids: threats },
  { name: 'field-reports.md', id: /^\d+$/, ids: numbered('', 36) },
]

describe.each(tables)('docs/$name', ({ name, id, ids }) => {
  const rows = proofRows(page(name), id)

  test('has every row once, in order', () => expect(rows.map((row) => row.id)).toEqual(ids))

  test('names for each row a test that exists and, where rows have ids, carries its id', () => {
    expect(rows.flatMap((row) => wrongWith(row, (title) => /^\d/.test(row.id) || carries(title, row.id)))).toEqual([])
  })

  test('says of each row what happens and how far it is proven', () => {
    const silent = rows.filter(({ cells, state }) => cells.slice(0, 3).includes('') || !/^proven|^by hand/.test(state))
    expect(silent.map((row) => row.id)).toEqual([])
  })

  test('names only codes of the catalogue, with its sentence and next step; `node scripts/errors-doc.mjs` fills them in', () => {
    const codes = [...page(name).matchAll(/\*\*`([a-z_]+)`\*\*/g)].map((found) => found[1] ?? '')
    expect(codes.filter((code) => !(code in catalogue))).toEqual([])
    expect(page(name)).toBe(withErrorTexts(page(name), catalogue))
  })
})

test('each field report is cited so that it can be found', () => {
  const rows = proofRows(page('field-reports.md'), /^\d+$/)
  expect(rows.filter(({ cells }) => !citation.test(cells[1] ?? '')).map(({ id }) => id)).toEqual([])
})

describe('docs/translation.md', () => {
  const rows = proofRows(page('translation.md'), citation)

  test('has each of the 124 known bugs of translators once', () => {
    expect([rows.length, new Set(rows.map(({ id }) => id)).size]).toEqual([124, 124])
  })

  test('names for each a test that exists, under its citation', () => {
    const cited = rows.map((row) => ({
      ...row,
      proofs: row.proofs.map(({ file, title }) => ({ file, title: `${row.id} ${title}` })),
    }))
    expect(cited.flatMap((row) => wrongWith(row, (title) => title.startsWith(row.id)))).toEqual([])
  })

  test('has for each a rule that is taken away to see that test fail', () => {
    const taken = Map.groupBy(knownBugs, ({ rule }) => rule)
    const tested = (id: string): readonly string[] => taken.get(id)?.flatMap(({ tests }) => tests) ?? []
    const bare = rows.filter(({ id, proofs }) => proofs.some(({ file }) => !tested(id).includes(file)))
    expect(bare.map(({ id }) => id)).toEqual([])
    const known = new Set(rows.map(({ id }) => id))
    expect([...taken.keys()].filter((rule) => !known.has(rule))).toEqual([])
  })
})

describe('rules, taken away', () => {
  test('each is looked for where it stands, once, and its tests exist', () => {
    const wrong = [...guards, ...knownBugs].flatMap(({ rule, what, file, edits, tests }) => {
      const astray = edits.filter(
        ([find, , elsewhere]) => readFileSync(join(root, elsewhere ?? file), 'utf8').split(find).length !== 2,
      )
      const absent = tests.filter((path) => !existsSync(join(root, path)))
      return astray.length + absent.length === 0 ? [] : [`${rule}: ${what}`]
    })
    expect(wrong).toEqual([])
  })

  test('each guard has its row in docs/threats.md, and no row is of another time', () => {
    const rows = guards.map(({ rule, what, tests }) => `| ${rule} | ${what} | ${listed(tests)} |`)
    const text = page('threats.md')
    expect(rows.filter((row) => !text.includes(row))).toEqual([])
    expect(text.split('| killed by |')[1]?.trim().split('\n').length).toBe(rows.length + 1)
  })

  test('no control of a threat is left out', () => {
    const bare = proofRows(page('threats.md'), /^T\d/).filter(({ cells }) => (cells[3] ?? '') === '')
    expect(bare).toEqual([])
  })
})

const listed = (tests: readonly string[]): string => tests.map((path) => `\`${path}\``).join('<br>')

test('the reader of the tables sees what is wrong', () => {
  const rows = proofRows(
    [
      '| F1 | a | b |  | `test/arch/proofs.test.ts`: F1 made up for this test | proven |',
      '| F2 | a | b |  | `test/arch/absent.test.ts`: F2 x | proven |',
      '| F3 | a | b |  | `test/arch/proofs.test.ts`: F30 x | proven |',
      '| F4 | a | b |  |  | proven |',
    ].join('\n'),
    /^F\d+$/,
  )
  expect(rows.flatMap((row) => wrongWith(row, (title) => carries(title, row.id)))).toEqual([
    'F1: no “F1 made up for this test” in test/arch/proofs.test.ts',
    'F2: there is no test/arch/absent.test.ts',
    'F3: “F30 x” does not carry its name',
    'F4 names no test',
  ])
  expect([carries('T1.1 T1.2 x', 'T1.1'), carries('T1.10 x', 'T1.1'), carries('F10/F11 x', 'F11')]).toEqual([
    true,
    false,
    true,
  ])
})

test('every code of the catalogue is given by some part of the program', () => {
  const texts = sourceFiles('src')
    .filter(({ path }) => path !== 'src/shared/errors.ts')
    .map(({ text }) => text)
  const unused = Object.keys(catalogue).filter((code) => !texts.some((text) => new RegExp(`\\b${code}\\b`).test(text)))
  expect(unused).toEqual([])
})
