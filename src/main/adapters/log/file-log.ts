/** The program's log: one JSON line per event in the data folder, bounded, without secrets (F70). */

import { randomBytes } from 'node:crypto'
import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import type { Log } from '../../ports.ts'
import { scrub } from './scrub.ts'

const largestBytes = 5 * 1024 * 1024

/** `pointsman.log` and one older part beside it; a log that can't be written is left out, never an error. */
export function fileLog(folder: string): Log {
  const path = join(folder, 'pointsman.log')
  let size = sizeOf(path)
  const write = (line: string): void => {
    try {
      if (size > largestBytes) {
        renameSync(path, `${path}.old`)
        size = 0
      }
      appendFileSync(path, line, { mode: 0o600 })
      size += line.length
    } catch {
      // A full disk must not stop a call.
    }
  }
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })
  return {
    info(event, facts = {}) {
      logger.info({ event, ...scrubbed(facts) })
    },
    fault(event, cause) {
      const logId = randomBytes(6).toString('hex')
      logger.error({ event, logId, cause: causeFacts(cause) })
      return logId
    },
  }
}

function scrubbed(facts: Readonly<Record<string, string | number | boolean | null>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? scrub(value) : value]),
  )
}

/** An error may be caused by itself, through any number of others. */
const mostCauses = 5

/** Name, code and stack; never the properties of an error, which may hold headers (F70). Never throws, whatever was thrown. */
function causeFacts(cause: unknown, depth = 1): unknown {
  try {
    if (!(cause instanceof Error)) return { name: typeof cause }
    const { code } = cause as { code?: unknown }
    const inner: unknown =
      cause.cause === undefined || depth >= mostCauses ? undefined : causeFacts(cause.cause, depth + 1)
    return {
      name: cause.name,
      ...(typeof code === 'string' ? { code } : {}),
      message: scrub(cause.message).slice(0, 500),
      stack: scrub(cause.stack ?? '')
        .split('\n')
        .slice(1, 12)
        .map((line) => line.slice(0, 500)),
      ...(inner === undefined ? {} : { cause: inner }),
    }
  } catch {
    return { name: 'an error that can not be read' }
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
