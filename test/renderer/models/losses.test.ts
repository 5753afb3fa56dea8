/** Every known loss has its Chinese sentence, and no text is left over. */
import { expect, test } from 'vitest'
import { allLosses } from '../../../src/main/translate/known-losses.ts'
import { losses } from '../../../src/renderer/text/zh/losses.ts'

test('the Chinese sentences are those of the list', () => {
  expect(Object.keys(losses.sentences).sort()).toEqual(allLosses.map(({ id }) => id).sort())
})
