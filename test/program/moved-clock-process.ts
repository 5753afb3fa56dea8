/** The built program under a wall clock that SIGUSR2 moves by what a file says; its monotonic clock goes on as it is. */
import { readFileSync, writeFileSync } from 'node:fs'

const { POINTSMAN_TEST_CLOCK: file = '' } = process.env
const now = Date.now
let offsetMs = 0
Date.now = () => now() + offsetMs

process.on('SIGUSR2', () => {
  offsetMs = Number(readFileSync(file, 'utf8'))
  writeFileSync(`${file}.moved`, String(offsetMs))
})

await import('../net/guarded-process.ts')
