/** F36 as a person meets it: the disk under the data folder fills up while the built program serves, and is freed again. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addCodex, allRows, callNamed, openPractice, startOver } from './load.ts'
import { loggedFaults } from './program-health.ts'
import { until } from './start-core.ts'

const home = mkdtempSync(join(tmpdir(), 'pointsman-full-'))
const disk = join(home, 'disk')
const ballast = join(disk, 'ballast')

function smallDisk(): boolean {
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', disk], { stdio: 'pipe' })
    return true
  } catch {
    console.log('skipped F36 on the program: mounting a small tmpfs is not allowed here')
    return false
  }
}

const isMounted = smallDisk()
afterAll(() => {
  if (isMounted) execFileSync('umount', ['-l', disk], { stdio: 'pipe' })
  rmSync(home, { recursive: true, force: true })
})

/** Takes what is left, to the last byte. */
function fill(): void {
  for (let bytes = 4_194_304; bytes >= 512; bytes /= 2) {
    for (;;) {
      try {
        writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' })
      } catch {
        break
      }
    }
  }
}

interface Snapshot {
  readonly saving: { readonly saving: boolean; readonly waiting: number; readonly why: string | null }
}

test.skipIf(!isMounted)(
  'F36 the disk is full: calls go on, it is said, and every row is saved once there is room',
  async () => {
    const practice = await openPractice()
    rmSync(ballast, { force: true })
    const dataDir = mkdtempSync(join(disk, 'data-'))
    const environment = { HOME: home, XDG_CONFIG_HOME: join(home, 'config') }
    const program = await startOver(practice, { dataDir, environment })
    try {
      await addCodex(program, practice)
      let asked = 0
      const call = async (): Promise<void> => {
        const answer = await callNamed(program, program.key(), `full-${asked++}`)
        expect([answer.status, answer.end, answer.text.includes('response.completed')]).toEqual([200, 'whole', true])
      }
      const saving = async (): Promise<Snapshot['saving']> => (await program.rpc<Snapshot>('app.snapshot')).saving
      await call()
      fill()
      for (let tries = 0; tries < 300 && (await saving()).saving; tries += 1) await call()
      expect(await saving()).toMatchObject({ saving: false, why: expect.stringContaining('the disk is full') })
      for (let more = 0; more < 20; more += 1) await call()
      expect((await saving()).waiting).toBeGreaterThanOrEqual(20)

      rmSync(ballast)
      await until(async () => ((await saving()).saving ? true : null), 'the rows are saved', 60_000)
      const rows = await allRows(program)
      expect(rows.map(({ outcome }) => outcome)).toEqual(Array(asked).fill('done'))
      // What the rest of its state has to say of the disk is said once, and is true.
      const others = loggedFaults(program).filter((line) => !/"state-not-saved".*the disk is full/.test(line))
      expect(others).toEqual([])
      expect(existsSync(join(dataDir, 'calls.db'))).toBe(true)
      expect(await program.stop()).toBe(0)
    } finally {
      await program.kill()
      await practice.close()
    }
  },
)
