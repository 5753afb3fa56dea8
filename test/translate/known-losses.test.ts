/** The list of known losses is true: every loss that a translation can report stands in it, and nothing else does. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lossesPage } from '../../scripts/losses-page.mjs'
import { type Abilities, fullAbilities } from '../../src/main/translate/abilities.ts'
import { allLosses, knownLosses } from '../../src/main/translate/known-losses.ts'
import { translated } from './kit.ts'
import { directions, placesIn, replaced, sane } from './sane-requests.ts'

const folder = join(import.meta.dirname, '..', '..', 'src', 'main', 'translate')
const sources = readdirSync(folder)
  .filter((name) => !name.startsWith('losses-of-'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n')

/** Codes as they stand in the sources; those of fields are made of the field's name. */
const reported = new Set(
  [
    ...sources.matchAll(/(?:dropped|refuse|changed|lost\.add)\(\s*(?:'(?:emulated|moved|clamped)',\s*)?'([a-z_]+)'/g),
  ].map(([, code]) => code ?? ''),
)
const listed = new Set(allLosses.flatMap(({ codes }) => codes))

test('every code that a translation reports is listed', () => {
  expect(reported.size).toBeGreaterThan(50)
  expect([...reported].filter((code) => !listed.has(code))).toEqual([])
})

test('every listed code is reported, or is one of a field that its dialect alone has', () => {
  const ofFields = [...listed].filter((code) => !reported.has(code) && !sources.includes(`'${code}'`))
  expect(ofFields.filter((code) => !code.endsWith('_dropped'))).toEqual([])
})

test('ids are unique, and every sentence ends', () => {
  const ids = allLosses.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(allLosses.filter(({ sentence }) => !sentence.endsWith('.')).map(({ id }) => id)).toEqual([])
})

test('docs/losses.md is up to date; `node scripts/losses-doc.mjs` makes it', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/losses.md'), 'utf8')).toBe(lossesPage(allLosses))
})

test('nothing is lost where nothing is translated', () => {
  expect(knownLosses('chat', 'chat', fullAbilities)).toEqual([])
})

const abilities: fc.Arbitrary<Partial<Abilities>> = fc.record({
  midSystem: fc.boolean(),
  systemFirstOnly: fc.boolean(),
  customTools: fc.boolean(),
  webSearch: fc.boolean(),
  images: fc.boolean(),
  imageAddresses: fc.boolean(),
  documents: fc.boolean(),
  echoReasoning: fc.boolean(),
  maxTokensField: fc.constantFrom('max_completion_tokens', 'max_tokens', 'none'),
  stop: fc.boolean(),
  sampling: fc.boolean(),
  temperatureWithTopP: fc.boolean(),
  efforts: fc.constantFrom([], ['low', 'medium'] as const),
  effortWithTools: fc.boolean(),
  thinking: fc.constantFrom('adaptive', 'budget', 'none'),
  structuredOutput: fc.boolean(),
  cliFieldsOnly: fc.boolean(),
  openAiExtras: fc.boolean(),
})

/** Values that mean something somewhere, so that many rules are met. */
const telling = fc.constantFrom<unknown>(
  ...[true, 0, 3, 'none', 'max', '', null, [], {}, ['a', 'b', 'c', 'd', 'e']],
  ...[{ type: 'web_search_20250305' }, { type: 'web_search' }, { type: 'computer' }, { type: 'custom', name: 'c' }],
  ...[
    { type: 'file', file: { file_id: 'f' } },
    { type: 'image', source: { type: 'file', file_id: 'f' } },
  ],
  ...[{ type: 'input_audio' }, { type: 'item_reference', id: 'x' }, { type: 'compaction', content: 'x' }],
  ...[{ type: 'web_search_call', id: 'x' }, { role: 'system', content: 'x' }, { type: 'json_object' }],
  ...[
    { type: 'document', source: { type: 'url', url: 'https://x.test/a' } },
    { type: 'tool_use', name: '' },
  ],
  { type: 'input_file', file_url: 'https://x.test/a' },
)
const fields = fc.dictionary(
  fc.constantFrom(
    'top_k',
    'n',
    'seed',
    'logprobs',
    'top_logprobs',
    'temperature',
    'top_p',
    'metadata',
    'stop',
    'store',
  ),
  telling,
  { maxKeys: 2 },
)

describe.each(directions)('$from → $to', ({ from, to }) => {
  const places = placesIn(sane[from]).filter((path) => path.length > 0)
  test('whatever is asked, what it loses stands in the list of that model', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(places.length - 1), telling), { maxLength: 2 }),
        fields,
        abilities,
        (changes, more, able) => {
          let body = { ...sane[from], ...more }
          for (const [at, by] of changes) {
            try {
              body = replaced(body, places[at] ?? [], by)
            } catch {
              // The place went with an earlier change.
            }
          }
          const found = translated(from, to, body, { abilities: able })
          const known = knownLosses(from, to, { ...fullAbilities, ...able })
          // Of a field that this dialect doesn't have.
          const foreign = new Set(Object.keys(body).map((field) => `${field}_dropped`))
          const tells = (code: string, action: string): boolean =>
            known.some(
              (loss) =>
                loss.codes.some((one) => one === code || (one === '*_dropped' && foreign.has(code))) &&
                (action === 'refused' || loss.action === action || loss.codes.length > 1),
            )
          const met =
            found.kind === 'refused'
              ? [{ code: found.code, action: 'refused' }]
              : found.warnings.map(({ code, action }) => ({ code, action }))
          expect(met.filter(({ code, action }) => !tells(code, action))).toEqual([])
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
