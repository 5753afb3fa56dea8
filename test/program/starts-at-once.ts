/**
 * Many starts of the built program on one data folder at the same moment: exactly one serves, the others end with 75 and
 * a sentence, round after round (F57). Used by the test and by the long run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, startProgram } from './run-program.ts'

export interface StartFigures {
  readonly rounds: number
  readonly starts: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

/** Half of the rounds end with an orderly stop, half with a kill, so that a lock left behind would show. */
export async function startsAtOnce(rounds: number, starts: number): Promise<StartFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'pointsman-starts-'))
  const dataDir = join(folder, 'data')
  const wrong: string[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const one = (): Promise<Program> =>
        startProgram({ practice: false, args: ['--vault', 'memory'], dataDir, startBoundMs: 300_000 })
      const all = await Promise.allSettled(Array.from({ length: starts }, one))
      const alive = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      const others = all.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
      if (alive.length !== 1) wrong.push(`round ${round}: ${alive.length} serve`)
      const odd = others.filter((text) => !/ended with 75\n\{"code":"\w+","sentence":"/.test(text))
      wrong.push(...odd.map((text) => `round ${round}: ${text.slice(0, 300)}`))
      await Promise.all(alive.map((program) => (round % 2 === 0 ? program.stop() : program.kill())))
    }
    return { rounds, starts: rounds * starts, wrong }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
