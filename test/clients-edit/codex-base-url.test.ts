/** Codex's second way: one key of config.toml, taken back exactly, or refused with nothing changed (field-reports asks 2 and 5). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  baseUrlBefore,
  connectBaseUrl,
  disconnectBaseUrl,
  isBaseUrlConnected,
} from '../../src/main/clients/codex-base-url.ts'
import { previewLines } from '../../src/main/clients/edit.ts'
import { generated, handMade, meaning } from './codex-files.ts'

const facts = { address: 'http://127.0.0.1:7646', key: 'pk_made-up' }
const line = 'openai_base_url = "http://127.0.0.1:7646/k/pk_made-up/codex/v1"'

describe.each(handMade)('%s', (_, text) => {
  test('is connected with every other byte kept, and given back; or refused', () => {
    const made = connectBaseUrl(text, facts)
    if ('code' in made) {
      expect([made.code, /azure|pointsman/.test(text)]).toEqual(['client_config_unsafe', true])
      return
    }
    expect(isBaseUrlConnected(made.after, facts.address)).toBe(true)
    const [edit] = made.edits
    expect(made.edits).toHaveLength(1)
    expect(made.after.slice(0, edit?.at)).toBe(text.slice(0, edit?.at))
    const taken = disconnectBaseUrl(made.after, baseUrlBefore(text))
    expect('code' in taken ? taken : meaning(taken.after)).toEqual(meaning(text))
  })
})

test('writes the one line, first, with the key in the path', () => {
  expect(connectBaseUrl('model = "m"\n', facts)).toMatchObject({ after: `${line}\nmodel = "m"\n` })
})

test('a new file is shown as its one line, without an empty one behind it', () => {
  const made = connectBaseUrl('', facts)
  expect('code' in made ? made : previewLines(made, (text) => text)).toEqual([{ line: 1, kind: 'added', text: line }])
})

test('replaces an address that stood there, and puts it back', () => {
  const before = 'model = "m"\nopenai_base_url = "https://proxy.example.test/v1" # at work\n'
  const made = connectBaseUrl(before, facts)
  expect(made).toMatchObject({ after: `model = "m"\n${line} # at work\n` })
  const taken = disconnectBaseUrl('code' in made ? '' : `${made.after}[tui]\n`, baseUrlBefore(before))
  expect(taken).toMatchObject({ after: `${before}[tui]\n` })
})

test('refuses where another provider is set: the address would have no effect', () => {
  expect(connectBaseUrl('model_provider = "azure"\n', facts)).toMatchObject({
    sentence: expect.stringContaining('its model_provider is another than openai'),
  })
})

test('knows an address of ours by any port, and no other', () => {
  expect(baseUrlBefore('openai_base_url = "http://127.0.0.1:1/k/pk_x/codex/v1"\n')).toBeNull()
  expect(baseUrlBefore('openai_base_url = "http://127.0.0.1:1/v1"\n')).toBe('http://127.0.0.1:1/v1')
})

test('500 generated files: connect then disconnect keeps their meaning, or refuses', () => {
  fc.assert(
    fc.property(generated, (text) => {
      const made = connectBaseUrl(text, facts)
      if ('code' in made) return
      const taken = disconnectBaseUrl(made.after, baseUrlBefore(text))
      expect('code' in taken).toBe(false)
      if (!('code' in taken)) expect(meaning(taken.after)).toEqual(meaning(text))
    }),
    { numRuns: 500 },
  )
})
