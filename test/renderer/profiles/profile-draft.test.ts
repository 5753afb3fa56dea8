/** What is typed into the profile form becomes the contract's input, and nothing that was stored gets lost. */
import { describe, expect, test } from 'vitest'
import {
  creation,
  discovery,
  draftOf,
  emptyDraft,
  readModels,
  update,
} from '../../../src/renderer/profiles/profile-draft.ts'
import type { Profile } from '../../../src/renderer/state/sources.ts'

const stored: Profile = {
  id: 'gateway',
  kind: 'api',
  label: 'Gateway',
  active: true,
  state: 'ready',
  because: 'Ready.',
  untilMs: null,
  provider: 'openai-compatible',
  models: [
    { id: 'fast', upstreamModel: 'vendor/fast-1', aliases: ['quick'], free: true },
    { id: 'plain', upstreamModel: 'plain', aliases: [], free: false },
  ],
  defaultModel: null,
  weight: 1,
  proxy: null,
  credentialRef: 'credential/gateway',
  createdAtMs: 1,
  updatedAtMs: 2,
  dialects: ['chat'],
  baseUrl: 'https://gateway.example',
  joins: ['codex'],
  keyPreview: '…x7Qd',
  budgetId: null,
}

describe('models', () => {
  test.each([
    ['', []],
    [
      'one\n\n  two  \n',
      [
        ['one', 'one'],
        ['two', 'two'],
      ],
    ],
    ['a = vendor/a', [['a', 'vendor/a']]],
    ['a=b', [['a=b', 'a=b']]],
    ['gpt-oss:20b', [['gpt-oss:20b', 'gpt-oss:20b']]],
  ])('%j', (text, expected) => {
    expect(readModels(text, []).map(({ id, upstreamModel }) => [id, upstreamModel])).toEqual(expected)
  })

  test('that were there before keep their aliases and prices', () => {
    expect(readModels('fast = vendor/fast-2\nnew', stored.models)).toEqual([
      { id: 'fast', upstreamModel: 'vendor/fast-2', aliases: ['quick'], free: true },
      { id: 'new', upstreamModel: 'new' },
    ])
  })
})

test('opening and saving a profile changes nothing, and sends no key', () => {
  expect(update(draftOf(stored), stored)).toEqual({
    id: 'gateway',
    label: 'Gateway',
    baseUrl: 'https://gateway.example',
    dialects: ['chat'],
    joins: ['codex'],
    budgetId: null,
    models: stored.models,
  })
})

test('a new profile is trimmed; a key is sent only when one was typed', () => {
  const draft = { ...emptyDraft('api'), label: ' Gateway ', baseUrl: ' https://gateway.example ', models: 'one' }
  expect(creation(draft)).toEqual({
    kind: 'api',
    label: 'Gateway',
    baseUrl: 'https://gateway.example',
    dialects: ['messages'],
    joins: [],
    budgetId: null,
    models: [{ id: 'one', upstreamModel: 'one' }],
  })
  expect(creation({ ...draft, apiKey: ' key ' })).toMatchObject({ apiKey: 'key' })
})

test('a local one names its program', () => {
  expect(discovery(emptyDraft('local'))).toEqual({
    kind: 'local',
    dialects: ['chat', 'messages', 'responses'],
    baseUrl: 'http://127.0.0.1:11434',
    provider: 'ollama',
  })
})
