// What takes away each rule of `docs/translation.md`: failures.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-failures.test.ts'

export const failures = [
  ...bug('router-for-me/CLIProxyAPI#570', tests, 'src/main/translate/encode-messages-turns.ts', {
    'a thought with a signature made up here': [
      "      losses.dropped('reasoning_dropped', 'input')\n      return []",
      "      return [{ type: 'thinking', thinking: item.text, signature: 'none' }]",
    ],
  }),
]
