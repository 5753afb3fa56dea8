/** The shared notes on disk, and between two processes. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sharedHolders } from '../../../src/main/adapters/files/holders.ts'

let folder = ''
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'pointsman-holders-')), 'holders')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const rounds = 100

/** Resolves to the rounds that this process may send. */
function claimer(by: string): Promise<{ go(): Promise<readonly number[]> }> {
  const script = join(import.meta.dirname, 'holder-process.ts')
  const child = spawn(process.execPath, [script, folder, by, String(rounds)], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  const ended = new Promise<readonly number[]>((resolve) => {
    child.once('close', () => resolve(JSON.parse(output.replace('ready\n', ''))))
  })
  const go = (): Promise<readonly number[]> => {
    child.stdin.end('go')
    return ended
  }
  return new Promise((resolve) => {
    child.stdout.on('data', (bytes) => {
      output += bytes
      if (output === 'ready\n') resolve({ go })
    })
  })
}

it('F61 of two processes exactly one may send each token, 100 rounds', async () => {
  const [one, two] = await Promise.all([claimer('/one'), claimer('/two')])
  const [ofOne, ofTwo] = await Promise.all([one.go(), two.go()])
  expect([...ofOne, ...ofTwo].sort((a, b) => a - b)).toEqual(Array.from({ length: rounds }, (_, round) => round))
})

it('keeps them private, says who sent a token, and lets go of what was not spent', async () => {
  const one = sharedHolders({ folder, by: '/one', nowMs: () => 7 })
  const two = sharedHolders({ folder, by: '/two', nowMs: () => 8 })
  expect(await one.claim('a')).toBe(null)
  expect(await one.claim('a')).toBe(null)
  expect(await two.claim('a')).toEqual({ by: '/one', atMs: 7 })
  await two.release('a')
  expect(await two.claim('a')).toEqual({ by: '/one', atMs: 7 })
  await one.release('a')
  expect(await two.claim('a')).toBe(null)
  expect([statSync(folder).mode & 0o777, statSync(join(folder, 'a.json')).mode & 0o777]).toEqual([0o700, 0o600])
})

it('a note that is being written is read once it is whole', async () => {
  const two = sharedHolders({ folder, by: '/two', nowMs: () => 8 })
  await two.claim('other')
  writeFileSync(join(folder, 'a.json'), '')
  const claimed = two.claim('a')
  await new Promise((resolve) => setTimeout(resolve, 30))
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ by: '/one', atMs: 7 }))
  expect(await claimed).toEqual({ by: '/one', atMs: 7 })
})

it('a note that a crash cut off still counts as sent; a very old one is forgotten', async () => {
  const one = sharedHolders({ folder, by: '/one', nowMs: () => Date.now() })
  await one.claim('a')
  writeFileSync(join(folder, 'a.json'), '{"by"')
  expect(await one.claim('a')).toEqual({ by: 'another Pointsman', atMs: 0 })
  const later = sharedHolders({ folder, by: '/one', nowMs: () => Date.now() + 61 * 24 * 3_600_000 })
  await later.claim('b')
  expect(readdirSync(folder)).toEqual([])
})
