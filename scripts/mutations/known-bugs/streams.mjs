// What takes away each rule of `docs/translation.md`: streams.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-streams.test.ts'

const chat = 'src/main/translate/decode-chat-events.ts'
const messages = 'src/main/translate/encode-messages-events.ts'

export const streams = [
  ...bug('BerriAI/litellm#31561', tests, messages, {
    'an empty text block': ["if (text === '') return\n    if (this.#speech", 'if (this.#speech', chat],
    'an empty delta of a call': [
      ["block === undefined || text === ''", 'block === undefined'],
      ["if (text === '') return\n    if (slot.opened)", 'if (slot.opened)', chat],
    ],
  }),
]
