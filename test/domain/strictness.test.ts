/** Strictness of one pool goes before the setting for all, whatever the pool is called. */
import { expect, test } from 'vitest'
import { defaultSettings, isStrict, ownStrictness, withStrictness } from '../../src/main/domain/settings.ts'

test('a pool’s own strictness goes before the setting, and is taken away again', () => {
  const on = { ...defaultSettings, strictTranslation: true }
  const loose = withStrictness(on, 'm', false)
  expect([isStrict('m', loose), isStrict('other', loose), isStrict(null, loose)]).toEqual([false, true, true])
  expect([ownStrictness('m', loose), ownStrictness('other', loose)]).toEqual([false, null])
  const again = withStrictness(withStrictness(loose, 'route:r', true), 'm', null)
  expect(again.strictTranslationOf).toEqual({ 'route:r': true })
})

test('a pool named like a method of every object has none', () => {
  expect([isStrict('constructor', defaultSettings), ownStrictness('toString', defaultSettings)]).toEqual([false, null])
})
