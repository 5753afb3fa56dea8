/** No sentence of the program reaches a Chinese window in English: what its source says is looked for in the tables. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { en } from '../../../src/renderer/text/en.ts'
import { zh } from '../../../src/renderer/text/zh.ts'
import { catalogue, type ErrorCode, problem } from '../../../src/shared/errors.ts'
import { sourceFiles } from '../../arch/tree.ts'
import { literalsUnder } from './literals.ts'
import { examples } from './said-examples.ts'

const { said } = zh
const codes = Object.keys(catalogue) as readonly ErrorCode[]

/** Where sentences for the window are made. */
const producers = [
  ...['domain', 'flow', 'quota', 'accounts', 'api', 'clients', 'rehearsal', 'state', 'translate', 'providers'],
  ...['dialects', 'adapters/files', 'adapters/oauth', 'adapters/upstream', 'adapters/vault'],
  ...['adapters/sqlite/calls/call-saver.ts', 'adapters/sqlite/disk-refusal.ts', 'adapters/sqlite/open-store.ts'],
  ...['adapters/sqlite/recovery.ts', 'adapters/sqlite/leaf-scan.ts', 'adapters/sqlite/database.ts'],
].map((place) => `src/main/${place}`)

/** What no window shows, and where it goes instead. */
const elsewhere: readonly (readonly [file: RegExp, text: RegExp])[] = [
  // The window has its own Chinese for these, by id and by vendor.
  [/translate\/losses-of-(callers|details|models)\.ts$/, /./],
  [/accounts\/terms\.ts$/, /./],
  // To clients and models.
  [
    /translate\/(decode|encode|failure|neutral-events|translate-answer|tool-input|repair)/,
    /^(?!Compaction|A compacted)/,
  ],
  [/flow\/socket\/(client-socket|turn-exchange)\.ts$/, /./],
  [
    /flow\/(tool-trial|list-models|refusal-answer|prepare)\.ts$/,
    /^(Call the tool|Adds two|the trial's own|\{\} \{\}$|not \{\}$|\{\} Please try again in)/,
  ],
  [/accounts\/(try-model|token-request|oauth-endpoints)\.ts$/, /^(Answer with|refresh token|\{\} \{\}$|openid)/],
  // Lines to type, and a name that becomes an id.
  [/clients\/sdk-lines\.ts$|api\/small-model\.ts$/, /^(export|set|\$env|claude small)/],
  [/dialects\/(route|frames|responses)\.ts$/, /./],
  [/adapters\/oauth\/callback-listener\.ts$/, /close this page|Start it again|DOCTYPE/],
  // Vendors' words that are looked for, headers, names and keys.
  [/providers\/failure-words\.ts$/, /^(?!it |its |a |the )/],
  [/providers\/read-failure\.ts$/, /^request too large$/],
  [
    /./,
    /^(Bearer \{\}|\{\} (UTC|s|MiB|KiB)|Chat Completions|Claude Code|Codex CLI|Codex Auth|unlisted \{\}|date \{\})$/,
  ],
  [/./, /^[{} \n]+$/],
  // Faults of our own, which end as `internal`.
  [/80-record\.ts$|vault\/stored-vault\.ts$/, /^(an execution needs|a credential needs|a vault is open)/],
  [/sqlite\/(open-store|database)\.ts$/, /^(SQLite format|SELECT )/],
]

/** Two English words in a row; commands to type and names of programs are none. */
const isEnglish = (text: string): boolean =>
  /\b[a-z]{2,} [a-z]{2,}\b/i.test(text.replace(/`[^`]*`|--\w+ \w+|Codex CLI|Claude Code/g, ''))

const examplesThatHold = (literal: string): boolean => {
  const pattern = literal.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll('{}', '.*')
  return examples.some(([text]) => new RegExp(pattern).test(text))
}

const isKnown = (text: string): boolean =>
  said.sentence(text) !== text || said.code(text) !== text || !said.sentence(`There is no ${text}.`).includes(text)

describe('the program’s sentences in Chinese', () => {
  test('each one that the source holds is known', () => {
    const literals = literalsUnder(producers).filter(
      (literal) => !elsewhere.some(([file, text]) => file.test(literal.file) && text.test(literal.text)),
    )
    expect(literals.length).toBeGreaterThan(350)
    const unknown = literals.filter(({ text }) => !isKnown(text.replaceAll('{}', '7')) && !examplesThatHold(text))
    expect([...new Set(unknown.map(({ file, text }) => `${file}: ${text}`))]).toEqual([])
  })

  test.each(examples)('%s', (text, inChinese) => {
    expect(said.sentence(text)).toBe(inChinese)
    expect(en.said.sentence(text)).toBe(text)
  })

  test.each(codes)('of the error %s, by its code and without it', (code) => {
    const names = [...`${catalogue[code].sentence} ${catalogue[code].next}`.matchAll(/\{(\w+)\}/g)]
    const values = Object.fromEntries(names.map(([, name = ''], index) => [name, `«${index}»`]))
    const made = problem(code, values)
    const shown = said.problemWithStep(made)
    expect(isEnglish(shown)).toBe(false)
    for (const value of Object.values(values)) expect(shown).toContain(value)
    if (!['usage', 'access_key_unbound', 'access_credential_inactive'].includes(code))
      expect(said.sentence(made.sentence)).toBe(said.problem(made))
    expect(said.code(code)).toMatch(/\p{Script=Han}/u)
  })

  test('an error whose sentence is another’s is shown as it came', () => {
    const foreign = { code: 'not_found', sentence: 'Something else.', next: '' }
    expect(said.problemWithStep(foreign)).toBe('Something else.')
    expect(said.problem({ code: 'connection', sentence: '', next: '' })).toBe(zh.ui.unreachable)
    expect(en.said.problemWithStep(problem('local_busy'))).toBe(
      'As many calls are running as can be served. Try again in a moment.',
    )
  })

  test('a name stays as it is, also one that reads like a sentence', () => {
    expect(said.sentence('Switched off. would serve now. Next, if that fails: It answered..')).toBe(
      '现在会使用 Switched off.。如果失败，下一个是 It answered.。',
    )
    const label = 'The vault is locked'
    expect(said.problem(problem('key_rejected', { label }))).toBe(`${label} 的 API 密钥被厂商拒绝。`)
  })

  test('a text that is too long for a sentence stays as it is', () => {
    const long = `No account answered: A (${'x'.repeat(100_000)}).`
    expect(said.sentence(long)).toBe(long)
  })

  test('what it does not know stays as it is', () => {
    for (const text of ['A vendor’s own words.', 'my key: two; three', '工作', ''])
      expect(said.sentence(text)).toBe(text)
  })

  test('no part of the window shows a problem otherwise', () => {
    const parts = sourceFiles('src/renderer').filter(({ path }) => !path.startsWith('src/renderer/text/'))
    expect(parts.length).toBeGreaterThan(100)
    const raw = /problemOf\(\w+\)\s*\.|\b(problem|error|failure)\.(sentence|next)\b/
    expect(parts.filter(({ text }) => raw.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('the order of the stages and every outcome have words', () => {
    const text = readFileSync('src/main/domain/decision.ts', 'utf8') + readFileSync('src/main/domain/health.ts', 'utf8')
    const named = [...text.matchAll(/^\s+\| '([a-z-]+)'$|^ {2}'([a-z-]+)',$/gm)].map(([, a, b]) => a ?? b ?? '')
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((code) => !/\p{Script=Han}/u.test(said.code(code)))).toEqual([])
  })
})
