/** Rests, circuits and entitlements that outlive a restart: one row per kind and subject. */
import type { Database } from 'better-sqlite3'
import type { BackendId, SourceId } from '../../../../shared/ids.ts'
import { type Circuit, type Health, type Rest, restCauses } from '../../../domain/health.ts'
import { byKind, type Check, isNumber, isText, listOf, oneOf, orNull, parsed, withFields } from '../shape.ts'
import type { SkipRow } from './skipped.ts'

interface HealthRow {
  readonly kind: string
  readonly subject: string
  readonly state_json: string
}

const isRest = withFields({
  because: oneOf(...restCauses),
  sinceMs: isNumber,
  untilMs: orNull(isNumber),
  failures: isNumber,
  sentence: isText,
})
const isCircuit = byKind('kind', {
  closed: withFields({ failuresAtMs: listOf(isNumber) }),
  open: withFields({ sinceMs: isNumber, probeAtMs: isNumber, opened: isNumber }),
  'half-open': withFields({ probeSinceMs: isNumber, opened: isNumber }),
})

export function healthTable(database: Database) {
  const all = database.prepare<[], HealthRow>('SELECT * FROM health')
  const clear = database.prepare('DELETE FROM health')
  const clearOf = database.prepare(
    `DELETE FROM health WHERE (kind IN ('source', 'circuit', 'last-failure') AND subject = :source)` +
      ` OR (kind = 'not-entitled' AND substr(subject, 1, length(:source) + 1) = :source || ':')`,
  )
  const add = database.prepare('INSERT INTO health (kind, subject, state_json) VALUES (?, ?, ?)')
  const addAll = (kind: string, entries: ReadonlyMap<string, unknown>): void => {
    for (const [subject, state] of entries) add.run(kind, subject, JSON.stringify(state))
  }
  return {
    read(skip: SkipRow): Health {
      const sources = new Map<SourceId, Rest>()
      const hosts = new Map<string, Rest>()
      const notEntitled = new Map<BackendId, number>()
      const circuits = new Map<SourceId, Circuit>()
      const lastFailureMs = new Map<SourceId, number>()
      const kinds: Readonly<Record<string, { readonly into: Map<string, unknown>; readonly check: Check }>> = {
        source: { into: sources as Map<string, unknown>, check: isRest },
        host: { into: hosts, check: isRest },
        'not-entitled': { into: notEntitled as Map<string, unknown>, check: isNumber },
        circuit: { into: circuits as Map<string, unknown>, check: isCircuit },
        'last-failure': { into: lastFailureMs as Map<string, unknown>, check: isNumber },
      }
      for (const { kind, subject, state_json } of all.all()) {
        const known = kinds[kind]
        const state = known === undefined ? undefined : parsed(state_json, known.check)
        if (known === undefined || state === undefined) skip('health', `${kind} ${subject}`)
        else known.into.set(subject, state)
      }
      return { sources, hosts, notEntitled, circuits, lastFailureMs }
    },
    /** Small, so it is written whole. */
    replace(health: Health): void {
      clear.run()
      addAll('source', health.sources)
      addAll('host', health.hosts)
      addAll('not-entitled', health.notEntitled)
      addAll('circuit', health.circuits)
      addAll('last-failure', health.lastFailureMs)
    },
    removeOf(source: SourceId): void {
      clearOf.run({ source })
    },
  }
}
