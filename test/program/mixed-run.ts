/**
 * Many streams at once through the program, each with its own bytes, splits and ending, all following from its number:
 * complete ones must arrive byte for byte, broken ones never with a clean end. Used by the test and by the long run.
 */
import { askPlanned, openPlannedUpstream, planOf } from './planned-upstream.ts'
import { type Rig, startRig, until } from './start-core.ts'

export interface MixedFigures {
  readonly streams: number
  readonly complete: number
  readonly broken: number
  readonly left: number
  readonly bytes: number
  readonly rows: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

async function prepare(rig: Rig, port: number): Promise<void> {
  const baseUrl = `http://127.0.0.1:${port}`
  const models = [{ id: 'mixed', upstreamModel: 'mixed', aliases: [], free: false }]
  const { sources } = rig.core.api
  const change = { baseUrl, models, joins: [], credentialRef: null }
  const messages = await rig.add('anthropic-key', change)
  const openai = await rig.add('openai-key', change)
  for (const { id } of [messages, openai]) sources.remove(id)
  sources.save({ ...messages, id: 'mixed-messages' as never })
  sources.save({ ...openai, id: 'mixed-openai' as never })
}

export async function mixedRun(streams: number, concurrency: number): Promise<MixedFigures> {
  const upstream = await openPlannedUpstream(planOf)
  const rig = await startRig()
  await prepare(rig, upstream.port)
  const wrong: string[] = []
  const counts = { complete: 0, broken: 0, left: 0, bytes: 0 }
  let next = 0
  const one = async (number: number): Promise<void> => {
    const asked = await askPlanned(planOf(number), {
      port: rig.core.port,
      headers: { authorization: `Bearer ${rig.key}` },
    })
    counts.bytes += asked.bytes
    counts[asked.counts] += 1
    if (asked.wrong !== null) wrong.push(asked.wrong)
  }
  const worker = async (): Promise<void> => {
    for (let number = next++; number < streams; number = next++) await one(number)
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, worker))
    await until(
      async () => ((await rig.core.api.reader.page(1, 0, { outcome: 'open' })).total === 0 ? true : null),
      'every row is finished',
      20_000,
    )
    const { total: rows } = await rig.core.api.reader.page(1, 0, {})
    const { total: done } = await rig.core.api.reader.page(1, 0, { outcome: 'done' })
    if (rows !== streams) wrong.push(`${rows} rows for ${streams} streams`)
    // A client that left may have done so behind the end marker.
    if (done < counts.complete || done > counts.complete + counts.left) {
      wrong.push(`${done} rows say done for ${counts.complete} complete streams`)
    }
    return { streams, ...counts, rows, wrong }
  } finally {
    await rig.close()
    await upstream.close()
  }
}
