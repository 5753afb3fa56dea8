/** One owner per data folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { takeOwnerLock } from '../../../src/main/adapters/sqlite/owner-lock.ts'
import { problem } from '../../../src/shared/errors.ts'
import { freshFolder } from './ground.ts'

const inUse = expect.objectContaining({ problem: problem('data_folder_in_use') })

function holder(path: string): ChildProcess {
  const module = new URL('../../../src/main/adapters/sqlite/owner-lock.ts', import.meta.url).href
  const script = `
    const { takeOwnerLock } = await import(${JSON.stringify(module)})
    try { takeOwnerLock(process.argv[1]); gc(); console.log('held') } catch (cause) { console.log(cause.problem.code) }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.stdout?.once('data', (text: Buffer) => resolve(text.toString().trim())))

test('F57 a second owner is refused at once, and a closed lock is free again', () => {
  const path = join(freshFolder(), 'owner.lock')
  const first = takeOwnerLock(path)
  expect(() => takeOwnerLock(path)).toThrow(inUse)
  first.close()
  takeOwnerLock(path).close()
})

test('F57 of twenty processes that start together exactly one holds the folder', async () => {
  const path = join(freshFolder(), 'owner.lock')
  const said = await Promise.all(Array.from({ length: 20 }, () => firstLine(holder(path))))
  expect(said.sort()).toEqual([...Array(19).fill('data_folder_in_use'), 'held'])
})

test('F57 the lock of a killed owner is free for the next one', async () => {
  const path = join(freshFolder(), 'owner.lock')
  const child = holder(path)
  expect(await firstLine(child)).toBe('held')
  expect(() => takeOwnerLock(path)).toThrow(inUse)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
  takeOwnerLock(path).close()
})

test.skipIf(process.platform === 'win32')('the lock file is for its owner alone, whatever the umask', () => {
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
  const path = join(freshFolder(), 'owner.lock')
  takeOwnerLock(path).close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
