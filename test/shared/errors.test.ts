/** The catalogue of errors: one plain sentence, one next step, and a page that is up to date. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorsPage } from '../../scripts/errors-page.mjs'
import { catalogue, problem } from '../../src/shared/errors.ts'

describe.each(Object.entries(catalogue))('%s', (_, { status, sentence, next }) => {
  test('has a status, one sentence and one next step', () => {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    for (const text of [sentence, next]) {
      expect(text).toMatch(/^[A-Z{].*\.$/)
      expect(text).not.toContain('!')
    }
  })
})

test('a value that is missing is left empty, one that looks like a pattern stands as it is', () => {
  expect(problem('not_found', {}).sentence).toBe('There is no .')
  expect(problem('not_found', { what: '{what} $& $1' }).sentence).toBe('There is no {what} $& $1.')
})

test('docs/errors.md is up to date; `node scripts/errors-doc.mjs` makes it', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8')).toBe(errorsPage(catalogue))
})
