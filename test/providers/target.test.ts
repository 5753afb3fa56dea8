/** Where requests go: fixed hosts for accounts, the base URL for keys, nothing where an operation doesn't exist. */
import { describe, expect, it } from 'vitest'
import type { Dialect, Operation, Source } from '../../src/main/domain/source.ts'
import { providerOf, providers } from '../../src/main/providers/index.ts'
import { account, localProvider, noOverrides, profile } from './sources.ts'

const dialects: readonly Dialect[] = ['messages', 'responses', 'chat']
const operations: readonly Operation[] = ['generate', 'count', 'compact', 'list']

/** Every path of a source, `dialect operation` → URL, without those that don't exist. */
function urlsOf(source: Source, query = '', hosts = noOverrides): Record<string, string> {
  const urls: Record<string, string> = {}
  for (const dialect of dialects) {
    for (const operation of operations) {
      const target = providerOf(source).target(source, dialect, operation, query, hosts)
      if (target !== null && (operation !== 'list' || dialect === 'messages')) {
        urls[operation === 'list' ? 'list' : `${dialect} ${operation}`] = target.origin + target.path
      }
    }
  }
  return urls
}

describe('the target of a request', () => {
  it('sends Claude accounts to Anthropic’s own API, in its one dialect', () => {
    expect(urlsOf(account('claude'), '?beta=true')).toEqual({
      'messages generate': 'https://api.anthropic.com/v1/messages?beta=true',
      'messages count': 'https://api.anthropic.com/v1/messages/count_tokens?beta=true',
      list: 'https://api.anthropic.com/v1/models?beta=true',
    })
  })

  it('sends Codex accounts to the ChatGPT backend, which compacts and does not count', () => {
    expect(urlsOf(account('codex'), '?client_version=0.169.0')).toEqual({
      'responses generate': 'https://chatgpt.com/backend-api/codex/responses?client_version=0.169.0',
      'responses compact': 'https://chatgpt.com/backend-api/codex/responses/compact?client_version=0.169.0',
      list: 'https://chatgpt.com/backend-api/codex/models?client_version=0.169.0',
    })
  })

  it.each(['http://127.0.0.1:4010', 'http://127.0.0.1:4010/', 'http://127.0.0.1:4010/other?x=1'])(
    'replaces scheme and authority alone by the override %s',
    (override) => {
      const hosts = { ...noOverrides, claude: override, codex: override }
      expect(urlsOf(account('claude'), '', hosts)['messages generate']).toBe('http://127.0.0.1:4010/v1/messages')
      expect(urlsOf(account('codex'), '', hosts)['responses generate']).toBe(
        'http://127.0.0.1:4010/backend-api/codex/responses',
      )
    },
  )

  it('uses no account override for a key', () => {
    const hosts = { ...noOverrides, claude: 'http://127.0.0.1:1', codex: 'http://127.0.0.1:2' }
    expect(urlsOf(profile('openai-compatible', 'https://api.openai.com', ['chat']), '', hosts)).toEqual({
      'chat generate': 'https://api.openai.com/v1/chat/completions',
      list: 'https://api.openai.com/v1/models',
    })
  })

  it('offers every path of the dialects that a key’s host speaks', () => {
    expect(urlsOf(profile('openai-compatible', 'https://api.openai.com/v1'), '?a=b')).toEqual({
      'messages generate': 'https://api.openai.com/v1/messages?a=b',
      'messages count': 'https://api.openai.com/v1/messages/count_tokens?a=b',
      'responses generate': 'https://api.openai.com/v1/responses?a=b',
      'responses count': 'https://api.openai.com/v1/responses/input_tokens?a=b',
      'responses compact': 'https://api.openai.com/v1/responses/compact?a=b',
      'chat generate': 'https://api.openai.com/v1/chat/completions?a=b',
      list: 'https://api.openai.com/v1/models?a=b',
    })
  })

  it('neither counts nor compacts on Ollama', () => {
    expect(urlsOf(localProvider())).toEqual({
      'messages generate': 'http://127.0.0.1:11434/v1/messages',
      'responses generate': 'http://127.0.0.1:11434/v1/responses',
      'chat generate': 'http://127.0.0.1:11434/v1/chat/completions',
      list: 'http://127.0.0.1:11434/v1/models',
    })
  })

  it.each([
    ['https://relay.test', 'https://relay.test/v1/messages'],
    ['https://relay.test/', 'https://relay.test/v1/messages'],
    ['https://relay.test/v1', 'https://relay.test/v1/messages'],
    ['https://relay.test/v1/', 'https://relay.test/v1/messages'],
    ['https://relay.test/api', 'https://relay.test/api/v1/messages'],
    ['https://relay.test/api/v1', 'https://relay.test/api/v1/messages'],
    ['https://relay.test/anthropic//', 'https://relay.test/anthropic/v1/messages'],
    ['https://relay.test/v2', 'https://relay.test/v2/v1/messages'],
    ['https://relay.test:8443/rev1', 'https://relay.test:8443/rev1/v1/messages'],
    ['http://[::1]:9000/v1', 'http://[::1]:9000/v1/messages'],
  ])('adds /v1 to %s exactly once', (baseUrl, url) => {
    expect(urlsOf(profile('anthropic-compatible', baseUrl, ['messages']))['messages generate']).toBe(url)
  })

  it.each([
    ['https://relay.test/api/paas/v4', 'https://relay.test/api/paas/v4/chat/completions'],
    ['https://relay.test/v1beta', 'https://relay.test/v1beta/chat/completions'],
    ['https://relay.test/compatible-mode/v1', 'https://relay.test/compatible-mode/v1/chat/completions'],
    ['https://relay.test/vision', 'https://relay.test/vision/v1/chat/completions'],
  ])('keeps the version that an OpenAI-style base %s ends in', (baseUrl, url) => {
    expect(urlsOf(profile('openai-compatible', baseUrl, ['chat']))['chat generate']).toBe(url)
  })

  it('knows a descriptor for every kind, and only Codex answers as a stream only', () => {
    expect(Object.entries(providers).map(([kind, provider]) => [kind, provider.kind, provider.streamOnly])).toEqual([
      ['claude', 'claude', false],
      ['codex', 'codex', true],
      ['anthropic-compatible', 'anthropic-compatible', false],
      ['openai-compatible', 'openai-compatible', false],
      ['ollama', 'ollama', false],
    ])
  })
})
