/** Which dialect a request goes out in, and what a model is then asked. */
import { describe, expect, test } from 'vitest'
import type { Dialect, Operation, Source } from '../../src/main/domain/source.ts'
import { abilitiesOf } from '../../src/main/flow/abilities-of.ts'
import { spokenDialect } from '../../src/main/flow/spoken-dialect.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import { account, ask, claudeAccount, local, planFor, profile, shown, viewOf } from './kit.ts'

const only = (...dialects: readonly Dialect[]): Source => profile('key', { dialects })

describe('the dialect spoken upstream', () => {
  const rows: readonly (readonly [Source, Dialect, Operation, Dialect | null])[] = [
    [only('responses', 'chat'), 'chat', 'generate', 'chat'],
    [only('responses', 'chat'), 'messages', 'generate', 'responses'],
    [only('messages', 'chat'), 'responses', 'generate', 'messages'],
    [only('messages', 'responses'), 'chat', 'generate', 'responses'],
    [only('chat'), 'messages', 'generate', 'chat'],
    [only('chat'), 'messages', 'count', 'chat'],
    [only('chat'), 'responses', 'compact', null],
    [only('responses'), 'responses', 'compact', 'responses'],
    [only('messages'), 'responses', 'list', null],
    [local('house'), 'messages', 'generate', 'messages'],
    [account('codex'), 'messages', 'generate', 'responses'],
    [account('codex'), 'chat', 'generate', 'responses'],
    [claudeAccount('claude'), 'messages', 'generate', 'messages'],
    [claudeAccount('claude'), 'responses', 'generate', null],
    [claudeAccount('claude', { serves: 'any-client' }), 'chat', 'generate', null],
    [claudeAccount('claude'), 'chat', 'count', null],
  ]
  for (const [source, dialect, operation, expected] of rows) {
    const spoken = source.type === 'subscription' ? source.provider : source.dialects.join('+')
    test(`${dialect} ${operation} at ${source.type} ${spoken}: ${expected ?? 'none'}`, () =>
      expect(spokenDialect(source, { dialect, operation })).toBe(expected))
  }

  test('a seat that is translated for says so', () => {
    const plan = planFor(ask({ providerId: 'any', dialect: 'messages' }), viewOf({ sources: [profile('key')] }))
    if (plan instanceof Refusal) throw plan
    expect(plan.order[0]?.sentence).toBe('Ready. Translated from Messages to Responses.')
  })

  test('only the Codex CLI reaches an account that serves it alone', () => {
    const view = viewOf({ sources: [account('codex', { serves: 'codex-only' })] })
    expect([
      shown(planFor(ask({ dialect: 'messages' }), view)),
      shown(planFor(ask({ codexClient: true }), view)),
    ]).toEqual(['none_available', 'codex | pinned'])
  })
})

describe('what a model is asked', () => {
  const abilities = (source: Source, upstreamModel: string, dialect: Dialect) => {
    const model = source.models[0]?.id ?? ''
    const backend = {
      id: 'x' as never,
      source,
      model,
      upstreamModel,
      aliases: [],
      free: false,
      dialects: [dialect],
      addresses: new Set<string>(),
      listed: true,
    }
    return abilitiesOf(backend, dialect)
  }
  const vendor = profile('openai', { baseUrl: 'https://api.openai.com' })
  const anthropic = profile('anthropic', {
    provider: 'anthropic-compatible',
    dialects: ['messages'],
    baseUrl: 'https://api.anthropic.com',
  })

  test('an unknown server gets the oldest words only', () => {
    const { developerRole, customTools, openAiExtras, maxTokensField, efforts, documents } = abilities(
      only('chat'),
      'llama-4',
      'chat',
    )
    expect({ developerRole, customTools, openAiExtras, maxTokensField, efforts, documents }).toEqual({
      developerRole: false,
      customTools: false,
      openAiExtras: false,
      maxTokensField: 'max_tokens',
      efforts: [],
      documents: false,
    })
  })
  test('the vendor’s own host gets its own', () => {
    const { customTools, openAiExtras, maxTokensField, sampling, stop } = abilities(vendor, 'gpt-5.5', 'chat')
    expect({ customTools, openAiExtras, maxTokensField, sampling, stop }).toEqual({
      customTools: true,
      openAiExtras: true,
      maxTokensField: 'max_completion_tokens',
      sampling: false,
      stop: false,
    })
  })
  test('a host that only looks like it doesn’t', () => {
    expect(abilities(profile('x', { baseUrl: 'https://openai.com.evil.test' }), 'gpt-5.5', 'chat').openAiExtras).toBe(
      false,
    )
  })
  test('a Codex account gets only what its own client sends', () => {
    const { cliFieldsOnly, maxTokensField } = abilities(account('codex'), 'gpt-5.5', 'responses')
    expect([cliFieldsOnly, maxTokensField]).toEqual([true, 'none'])
  })
  test('no level that a model refuses is among its own', () => {
    const least = (model: string): string | undefined => abilities(account('codex'), model, 'responses').efforts[0]
    expect(['gpt-6.2-astra', 'gpt-6.2-sol', 'gpt-6.1-sol', 'gpt-6.1-terra', 'gpt-5.5'].map(least)).toEqual([
      ...['low', 'low', 'low'],
      ...['none', 'none'],
    ])
  })
  test('cache breakpoints are for the vendor’s newer models, and by a key', () => {
    const has = (source: Parameters<typeof abilities>[0], model: string): boolean =>
      abilities(source, model, 'responses').cacheBreakpoints
    expect([has(vendor, 'gpt-5.5'), has(vendor, 'gpt-5.6'), has(vendor, 'gpt-6-luna')]).toEqual([false, true, true])
    expect([has(account('codex'), 'gpt-6'), has(only('responses'), 'gpt-6')]).toEqual([false, false])
  })
  test('BerriAI/litellm#39852 a local model’s template may want instructions in front only', () => {
    const first = (source: Source): boolean => abilities(source, 'qwen3', 'chat').systemFirstOnly
    expect([first(local('box')), first(only('chat')), first(vendor)]).toEqual([true, false, false])
  })
  test('RooCodeInc/Roo-Code#12162 a temperature is for models that do not reason', () => {
    const asked = (source: Source, model: string, dialect: Dialect): boolean =>
      abilities(source, model, dialect).sampling
    expect([
      asked(vendor, 'gpt-5.5', 'responses'),
      asked(vendor, 'o3', 'chat'),
      asked(vendor, 'gpt-4o', 'chat'),
      asked(only('chat'), 'gpt-oss:20b', 'chat'),
      asked(anthropic, 'claude-opus-5-5', 'messages'),
      asked(anthropic, 'claude-sonnet-4-5', 'messages'),
    ]).toEqual([false, false, true, true, false, true])
  })
  test('huggingface/smolagents#1893 the vendor’s reasoning models reject stop sequences', () => {
    const takes = (source: Source, model: string): boolean => abilities(source, model, 'chat').stop
    expect([
      takes(vendor, 'gpt-5.5'),
      takes(vendor, 'o3'),
      takes(vendor, 'gpt-4o'),
      takes(only('chat'), 'qwen3'),
    ]).toEqual([false, false, true, true])
  })
  test('livekit/agents#5088 the vendor’s newer models reject an effort beside tools in Chat', () => {
    const takes = (source: Source, model: string): boolean => abilities(source, model, 'chat').effortWithTools
    expect([takes(vendor, 'gpt-5.5'), takes(vendor, 'gpt-5.1'), takes(only('chat'), 'gpt-5.5')]).toEqual([
      false,
      true,
      true,
    ])
  })
  test('Ollama takes pictures as bytes', () => {
    expect(abilities(local('box'), 'llava', 'chat').imageAddresses).toBe(false)
    expect(abilities(only('chat'), 'llava', 'chat').imageAddresses).toBe(true)
  })
  test('newer Claude models think adaptively, older ones by a budget, others not at all', () => {
    const thinking = ['claude-opus-5-5', 'claude-sonnet-4-6', 'claude-sonnet-4-5', 'claude-3-7-sonnet', 'kimi-k2'].map(
      (model) => abilities(anthropic, model, 'messages').thinking,
    )
    expect(thinking).toEqual(['adaptive', 'adaptive', 'budget', 'budget', 'none'])
  })
})
