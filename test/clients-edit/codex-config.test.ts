/** Codex's config.toml: connected by our own keys alone, taken back exactly, or refused with nothing changed (field-reports 23, ask 2 and 5). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { connectCodex, disconnectCodex, isCodexConnected, providerBefore } from '../../src/main/clients/codex-config.ts'
import type { Change } from '../../src/main/clients/edit.ts'
import { previewLines } from '../../src/main/clients/edit.ts'
import { generated, handMade, meaning } from './codex-files.ts'

const facts = { address: 'http://127.0.0.1:7646', key: 'pk_made-up' }

function connected(text: string): Change {
  const made = connectCodex(text, facts)
  if ('code' in made) throw new Error(made.sentence)
  return made
}

describe.each(handMade)('%s', (_, text) => {
  test('is connected with every other byte kept, or refused', () => {
    const made = connectCodex(text, facts)
    if ('code' in made) {
      expect(made.code).toBe('client_config_unsafe')
      return
    }
    expect(isCodexConnected(made.after)).toBe(true)
    const kept = made.edits.reduceRight(
      (rest, edit) => rest.slice(0, edit.at) + rest.slice(edit.at + edit.removed.length),
      text,
    )
    const without = [...made.edits].reduce((rest, edit) => rest.replace(edit.added, ''), made.after)
    expect(without).toBe(kept)
  })
})

test('refuses a file that is not TOML, and one whose providers are an inline table', () => {
  expect(connectCodex('model = \n', facts)).toMatchObject({ code: 'client_config_unsafe' })
  expect(connectCodex('model_providers = { x = { name = "X" } }\n', facts)).toMatchObject({
    code: 'client_config_unsafe',
  })
})

test('writes one provider id for ever, with the key in our own table', () => {
  expect(connected('model = "m"\n').after).toBe(
    'model_provider = "pointsman"\nmodel = "m"\n\n[model_providers.pointsman]\nname = "Pointsman"\n' +
      'base_url = "http://127.0.0.1:7646/codex/v1"\nwire_api = "responses"\nexperimental_bearer_token = "pk_made-up"\n',
  )
})

test('shows the exact lines first, with the key masked', () => {
  const mask = (line: string): string => line.replace(/pk_[\w-]+/, 'pk_…')
  expect(
    previewLines(connected('model_provider = "azure" # at work\n'), mask).map(({ kind, text }) => `${kind} ${text}`),
  ).toEqual([
    'removed model_provider = "azure" # at work',
    'added model_provider = "pointsman" # at work',
    'added ',
    'added [model_providers.pointsman]',
    'added name = "Pointsman"',
    'added base_url = "http://127.0.0.1:7646/codex/v1"',
    'added wire_api = "responses"',
    'added experimental_bearer_token = "pk_…"',
  ])
})

test('takes our keys out of a file that was changed since, and keeps what came in meanwhile', () => {
  const before = 'model_provider = "azure"\nmodel = "m"\n'
  const later = `${connected(before).after}\n[tui]\nnew = true # mine\n`
  const taken = disconnectCodex(later, providerBefore(before))
  expect('code' in taken ? taken : taken.after).toBe(
    'model_provider = "azure"\nmodel = "m"\n\n\n[tui]\nnew = true # mine\n',
  )
})

test('connecting twice is the same as once', () => {
  const once = connected('model = "m"\n').after
  expect(connected(once).after).toBe(once)
})

test('500 generated files: connect then disconnect keeps their meaning, or refuses', () => {
  fc.assert(
    fc.property(generated, (text) => {
      const made = connectCodex(text, facts)
      if ('code' in made) return
      const taken = disconnectCodex(made.after, providerBefore(text))
      expect('code' in taken).toBe(false)
      if (!('code' in taken)) expect(meaning(taken.after)).toEqual(meaning(text))
    }),
    { numRuns: 500 },
  )
})
