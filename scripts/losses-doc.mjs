// Writes docs/losses.md from the list of known losses. Needs Node 24.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lossesPage } from './losses-page.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { allLosses } = await import('../src/main/translate/known-losses.ts')
writeFileSync(join(root, 'docs', 'losses.md'), lossesPage(allLosses))
