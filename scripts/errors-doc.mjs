// Writes docs/errors.md from the catalogue: every code with its status, sentence and next step; and the same texts into
// docs/faults.md. Needs Node 24.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorsPage, withErrorTexts } from './errors-page.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { catalogue } = await import('../src/shared/errors.ts')
writeFileSync(join(root, 'docs', 'errors.md'), errorsPage(catalogue))
const faults = join(root, 'docs', 'faults.md')
writeFileSync(faults, withErrorTexts(readFileSync(faults, 'utf8'), catalogue))
