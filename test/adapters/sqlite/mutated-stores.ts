/**
 * Store files with bytes altered anywhere: whatever they hold, opening ends in a sound store or in a refusal of ours, never
 * in a fault, and rows that come back are rows that were written (F40, F46). Used by the test and by the long run.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callDatabase, callsFile } from '../../../src/main/adapters/sqlite/calls/call-database.ts'
import { SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { openCurrent } from '../../../src/main/adapters/sqlite/database.ts'
import { openStore } from '../../../src/main/adapters/sqlite/open-store.ts'
import { PointsmanError } from '../../../src/shared/errors.ts'
import { sourceId } from '../../../src/shared/ids.ts'
import { oneOf, type Random } from '../../program/sequence.ts'
import { anAccount } from './config-samples.ts'
import { systemClock } from './ground.ts'
import { sampleCall } from './sample-calls.ts'

export interface MutationFigures {
  readonly files: number
  /** Opened as if nothing were; set aside and salvaged; refused. */
  readonly unnoticed: number
  readonly salvaged: number
  readonly refused: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

const calls = 30
const sources = 12
const firstId = 1_790_000_000_000_000
const mostWrong = 20

/** Half of the files are call logs, half configurations; each with one to four faults. */
export function mutateStores(folder: string, files: number, random: Random): MutationFigures {
  const sound = join(folder, 'sound')
  mkdirSync(sound)
  makeStores(sound)
  const counts = { unnoticed: 0, salvaged: 0, refused: 0 }
  const wrong: string[] = []
  for (let n = 0; n < files && wrong.length < mostWrong; n += 1) {
    const name = n % 2 === 0 ? 'calls.db' : 'pointsman.db'
    const place = join(folder, 'mutated')
    mkdirSync(place)
    copyFileSync(join(sound, name), join(place, name))
    for (let fault = 1 + random(4); fault > 0; fault -= 1) mutate(join(place, name), random)
    try {
      const { salvaged, why } = n % 2 === 0 ? readCalls(place) : readConfig(place)
      counts[salvaged ? 'salvaged' : 'unnoticed'] += 1
      if (why !== null) wrong.push(`file ${n}: ${why}`)
    } catch (cause) {
      counts.refused += 1
      if (!(cause instanceof PointsmanError)) wrong.push(`file ${n}: ${String((cause as Error).stack).slice(0, 500)}`)
    }
    rmSync(place, { recursive: true })
  }
  return { files, ...counts, wrong }
}

function makeStores(folder: string): void {
  const log = callDatabase(openCurrent(callsFile(join(folder, 'calls.db'))))
  log.saveFinished(Array.from({ length: calls }, (_, n) => ({ record: sampleCall(firstId + n), mayExist: false })))
  log.close()
  const config = new SqliteConfigStore({ path: join(folder, 'pointsman.db'), clock: systemClock })
  for (let n = 0; n < sources; n += 1) config.saveSource({ ...anAccount, id: sourceId(`account-${n}`) })
  config.close()
}

/** Bits, noise, zeros, a page of another place, an end that is gone; a third of it in the header and the schema. */
function mutate(path: string, random: Random): void {
  const bytes = readFileSync(path)
  if (bytes.length === 0) return
  const at = random(3) === 0 ? random(Math.min(bytes.length, 4_096)) : random(bytes.length)
  switch (oneOf(random, ['bit', 'bit', 'noise', 'zeros', 'page', 'cut', 'longer'] as const)) {
    case 'bit':
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
      break
    case 'noise':
      for (let n = at; n < Math.min(bytes.length, at + 1 + random(600)); n += 1) bytes[n] = random(256)
      break
    case 'zeros':
      bytes.fill(0, at, Math.min(bytes.length, at + 1 + random(5_000)))
      break
    case 'page':
      bytes.copy(bytes, at - (at % 4_096), random(bytes.length))
      break
    case 'cut':
      writeFileSync(path, bytes.subarray(0, at))
      return
    case 'longer':
      writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(random(9_000), random(256))]))
      return
  }
  writeFileSync(path, bytes)
}

interface Read {
  readonly salvaged: boolean
  readonly why: string | null
}

function readCalls(place: string): Read {
  const { database, recovery } = openStore(callsFile(join(place, 'calls.db')), systemClock)
  try {
    const fault = database.pragma('integrity_check', { simple: true })
    if (recovery !== null && fault !== 'ok') return { salvaged: true, why: `salvaged, yet ${String(fault)}` }
    const many = database.prepare<[], number>('SELECT count(*) FROM call').pluck().get() ?? 0
    return {
      salvaged: recovery !== null,
      why: many > calls ? `${many} calls of ${calls}` : asideFault(place, recovery),
    }
  } finally {
    database.close()
  }
}

function readConfig(place: string): Read {
  const store = new SqliteConfigStore({ path: join(place, 'pointsman.db'), clock: systemClock })
  try {
    const many = store.sources().length
    store.settings()
    store.keys()
    const why = many > sources ? `${many} sources of ${sources}` : asideFault(place, store.recovery)
    return { salvaged: store.recovery !== null, why }
  } finally {
    store.close()
  }
}

/** What was set aside is still there. */
const asideFault = (place: string, recovery: { readonly asideName: string } | null): string | null =>
  recovery === null || readdirSync(place).includes(recovery.asideName) ? null : 'what was set aside is gone'
