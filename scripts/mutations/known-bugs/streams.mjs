// What takes away each rule of `docs/translation.md`: streams.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-streams.test.ts'

const messages = 'src/main/translate/encode-messages-events.ts'

export const streams = [
  ...bug('BerriAI/litellm#31561', tests, messages, {
    'an empty delta': ["block === undefined || text === ''", 'block === undefined'],
  }),
]
