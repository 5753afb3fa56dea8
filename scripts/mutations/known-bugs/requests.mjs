// What takes away each rule of `docs/translation.md`: requests.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-requests.test.ts'

export const requests = [
  ...bug('BerriAI/litellm#37175', tests, 'src/main/translate/encode-responses.ts', {
    'a picture without a detail': ["detail: part.detail ?? 'auto' }", 'detail: part.detail }'],
  }),
]
