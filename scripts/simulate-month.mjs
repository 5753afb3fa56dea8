// Simulates the month under every strategy and load, and writes what came out to docs/strategies.md.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { page } from '../test/simulation/page.ts'

const path = join(import.meta.dirname, '..', 'docs', 'strategies.md')
writeFileSync(path, page())
console.log(`wrote ${path}`)
