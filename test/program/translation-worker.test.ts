/** Long histories are translated in the real worker: the same answer as here, the worker's end harms nobody. */
import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openTranslation } from '../../src/main/composition/open-translator.ts'
import { fullAbilities } from '../../src/main/translate/abilities.ts'
import { estimateTokens } from '../../src/main/translate/estimate.ts'
import { withoutForeign } from '../../src/main/translate/strip-foreign.ts'
import { type RequestTask, translateRequest } from '../../src/main/translate/translate-request.ts'
import { wallClock } from './start-core.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const faults: unknown[] = []
const log = { info: () => {}, fault: (_event: string, cause: unknown) => String(faults.push(cause)) }
const opened = openTranslation(new URL('../../src/main/translation-worker.ts', import.meta.url), wallClock, log)
afterAll(() => opened.close())

const task = (change: Partial<RequestTask> = {}): RequestTask => ({
  from: 'messages',
  to: 'responses',
  model: 'u',
  requestedModel: 'm',
  stream: true,
  strict: false,
  issuer: 'i',
  abilities: fullAbilities,
  session: null,
  suffix: '',
  kept: {},
  ...change,
})
const bodyOf = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  // In pieces, as a body comes; one cuts a character in two.
  return {
    pieces: [bytes.subarray(0, 101), bytes.subarray(101, 300_001), bytes.subarray(300_001)],
    length: bytes.length,
  }
}
const long = (word: string): string =>
  JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: word.repeat(150_000) }] })

test('a long history comes back as translated here', async () => {
  const text = long('é😀')
  const here = translateRequest(text, task(), hash)
  const there = await opened.deps.translator.work('translate', bodyOf(text), task())
  if (here.kind === 'refused' || there.kind === 'refused') throw new Error('refused')
  expect([new TextDecoder().decode(there.body) === here.body, there.warnings, there.context]).toEqual([
    true,
    here.warnings,
    here.context,
  ])
})

test('a refusal comes back as one', async () => {
  const text = long('x').replace('"max_tokens":9', '"max_tokens":0').padEnd(400_000)
  const found = await opened.deps.translator.work('translate', bodyOf(text), task())
  expect(found).toMatchObject({ kind: 'refused', code: 'cache_warming_not_portable', path: 'max_tokens' })
})

test('an estimate and a history without its thoughts come back as made here', async () => {
  const text = long('é')
  const { tokens } = await opened.deps.translator.work('estimate', bodyOf(text), null)
  expect(tokens).toBe(estimateTokens(text))
  const strip = { dialect: 'messages', blamed: ['thoughts'] } as const
  const thought = { type: 'thinking', thinking: 'x'.repeat(300_000), signature: 'sig' }
  const thoughtful = JSON.stringify({
    messages: [{ role: 'assistant', content: [thought, { type: 'text', text: 'kept' }] }],
  })
  const { body } = await opened.deps.translator.work('strip', bodyOf(thoughtful), strip)
  expect(new TextDecoder().decode(body ?? undefined)).toBe(withoutForeign('messages', thoughtful))
  expect(await opened.deps.translator.work('strip', bodyOf(text), strip)).toEqual({ body: null })
})

test('many at once are kept apart', async () => {
  const texts = ['a', 'b', 'c', 'd'].map((word) => long(`${word}${word}`))
  const found = await Promise.all(texts.map((text) => opened.deps.translator.work('translate', bodyOf(text), task())))
  const begins = found.map((made) => (made.kind === 'refused' ? '' : new TextDecoder().decode(made.body)))
  expect(begins.map((text) => /"text":"(.)/.exec(text)?.[1])).toEqual(['a', 'b', 'c', 'd'])
})

test('what waits when the worker ends is translated here, and the next one starts another', async () => {
  const waiting = opened.deps.translator.work('translate', bodyOf(long('x y')), task())
  opened.close()
  expect((await waiting).kind).toBe('translated')
  expect((await opened.deps.translator.work('translate', bodyOf(long('x y')), task())).kind).toBe('translated')
  expect(faults).toEqual([])
})
