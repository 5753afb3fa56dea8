/** The table of known bugs in `docs/translation.md` names tests that exist. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const rows = [
  ...readFileSync(join(root, 'docs', 'translation.md'), 'utf8').matchAll(
    /^\| (\S+\/\S+#\d+) \|.*\| `([^`]+)`: (.*) \| (\w+) \|$/gm,
  ),
]

test('all 124 known bugs are listed, each once, each with a test that exists', () => {
  expect(new Set(rows.map(([, citation]) => citation)).size).toBe(124)
  const missing = rows.filter(([, citation, file, name]) => {
    const text = readFileSync(join(root, file ?? ''), 'utf8')
    // The lists of models are tested under no citation of their own.
    return file !== 'test/program/access.test.ts' && (!text.includes(citation ?? '') || !text.includes(name ?? ''))
  })
  expect(missing.map(([, citation, , name]) => `${citation} ${name}`)).toEqual([])
})
