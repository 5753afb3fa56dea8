/** Texts that would be code in a careless query, as key, model, label, path, header: nothing is changed, nothing breaks (T7.5). */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completion } from './asks.ts'
import { type Rig, startRig } from './start-core.ts'

const count = process.env.POINTSMAN_DEEP === undefined ? 1_200 : 5_000

let rig: Rig
beforeAll(async () => {
  rig = await startRig({ sources: ['ollama'] })
})
afterAll(() => rig.close())

const starts = ["'", '"', '`', "')", '")', "';", '%27', '\\', '\u2019', "'/*", '0', 'x']
const middles = [
  ' OR 1=1',
  " OR '1'='1",
  ' UNION SELECT secret_digest FROM access_key',
  '; DROP TABLE access_key; ',
  "; UPDATE setting SET value='x'; ",
  ' AND randomblob(100000000)',
  " || load_extension('x') || ",
  "; ATTACH DATABASE '/tmp/x' AS x; ",
  '; PRAGMA writable_schema=1; ',
  ' AND (SELECT count(*) FROM sqlite_master)>0',
  '{{7*7}}<%= 7*7 %>',
  '\u0000; DELETE FROM source',
]
const ends = ['', '--', ' --', '#', '/*', "'", "')--", ';', ' LIMIT 1', '\u202e']
const texts = Array.from({ length: count }, (_, n) => {
  const pick = (list: readonly string[], by: number): string => list[Math.floor(n / by) % list.length] ?? ''
  return `${pick(starts, 1)}${pick(middles, starts.length)}${pick(ends, starts.length * middles.length)}${n}`
})

/** Everything that the configuration holds. */
function contents(): string {
  const database = new Database(join(rig.dataDir, 'pointsman.db'), { readonly: true })
  const hash = createHash('sha256')
  const tables = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").all() as {
    name: string
    sql: string
  }[]
  for (const { name, sql } of tables) {
    // What was served is remembered there: it changes with every call.
    if (/health|binding|quota|owner/.test(name)) continue
    hash.update(sql).update(JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all()))
  }
  database.close()
  return hash.digest('hex')
}

/** What can be put into a header: its other bytes are escaped, as a client would. */
const inHeader = (text: string): string => encodeURI(text).replaceAll('%20', ' ').replaceAll('%22', '"')
const expected = new Set([200, 400, 401, 403, 404, 415, 431])

describe(`T7.5 ${count} texts that are code elsewhere`, () => {
  const places: Readonly<
    Record<string, (text: string) => Promise<{ readonly status: number; readonly text: string }>>
  > = {
    'as a key': (text) => rig.call('/v1/models', undefined, { headers: { authorization: `Bearer ${inHeader(text)}` } }),
    'as a key in the path': (text) => rig.call(`/k/${encodeURIComponent(text)}/v1/models`),
    'as a model': (text) => rig.call('/v1/chat/completions', completion({ model: text, stream: false })),
    'as an account in the path': (text) => rig.call(`/${encodeURIComponent(text)}/v1/chat/completions`, completion()),
    'as a header that routing reads': (text) =>
      rig.call('/v1/chat/completions', completion({ model: 'gpt-oss:20b', stream: false }), {
        headers: { 'session-id': inHeader(text), 'x-pointsman-folder': inHeader(text), 'user-agent': inHeader(text) },
      }),
  }

  test.each(Object.entries(places))('T7.5 %s: no 5xx, and the configuration is what it was', async (_, ask) => {
    const before = contents()
    for (const text of texts.filter((_text, n) => n % Object.keys(places).length === Object.keys(places).indexOf(_))) {
      const { status } = await ask(text)
      expect([text, expected.has(status)]).toEqual([text, true])
    }
    expect(contents()).toBe(before)
  })

  test('T7.5 as what a person types: kept as text, found again as the same text', () => {
    const keys = texts.slice(0, 100).map((text) => rig.core.api.keys.create(text.replaceAll('\u0000', '')).key)
    const labels = new Map(rig.core.api.keys.all().map((key) => [key.id, key.label]))
    expect(keys.every((key) => labels.get(key.id) === key.label)).toBe(true)
  })

  test('T7.5 filters of the log are values: what is code elsewhere finds nothing', async () => {
    await rig.call('/v1/chat/completions', completion({ model: 'gpt-oss:20b', stream: false }))
    await rig.rows(1)
    for (const text of texts.slice(0, 200)) {
      const found = await rig.core.api.reader.page(10, 0, { model: text })
      expect([found.rows.every((row) => row.requestedModel === text), found.total <= 1]).toEqual([true, true])
    }
  })

  test('the control: a check that sees a changed configuration', () => {
    const before = contents()
    rig.set({ attempts: 2 })
    expect(contents()).not.toBe(before)
  })
})
