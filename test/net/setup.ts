/** Before each test file: nothing may leave this machine, and a test during which something would have fails. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import { straysVariable } from './loopback-only.ts'

const folder = mkdtempSync(join(tmpdir(), 'pointsman-strays-'))
const file = join(folder, 'strays')
process.env[straysVariable] = file

afterEach(() => {
  if (!existsSync(file)) return
  const strays = readFileSync(file, 'utf8').trim().split('\n')
  rmSync(file)
  throw new Error(`These would have left the machine: ${strays.join(', ')}`)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))
