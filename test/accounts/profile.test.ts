/** What may become an API profile or a local provider: addresses, keys, models (T3.7, T7.6). */
import { describe, expect, it } from 'vitest'
import { keyRefusal, readBaseUrl, readProxy } from '../../src/main/accounts/base-url.ts'
import { changeProfile, type Keyed, makeProfile, type ProfileInput } from '../../src/main/accounts/profile.ts'
import { credentialRef, sourceId } from '../../src/shared/ids.ts'
import { startMs } from './kit.ts'

const input = (change: Partial<ProfileInput> = {}): ProfileInput => ({
  kind: 'api',
  label: 'Gateway',
  dialects: ['messages'],
  baseUrl: 'https://gateway.example.test/team/v1/',
  apiKey: 'key-1',
  joins: ['claude'],
  models: [{ id: 'claude-opus-5', upstreamModel: 'opus', aliases: ['best'] }],
  ...change,
})

describe('a base URL', () => {
  it.each([
    ['https://api.anthropic.com', 'https://api.anthropic.com', false],
    ['https://API.Example.test:8443/a/b/', 'https://api.example.test:8443/a/b', false],
    ['https://api.openai.com/v1', 'https://api.openai.com', false],
    ['https://api.openai.com/v1/', 'https://api.openai.com', false],
    ['  https://openrouter.ai/api/v1 ', 'https://openrouter.ai/api', false],
    ['https://10.0.0.8/x', 'https://10.0.0.8/x', false],
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434', true],
    ['http://localhost:8080/v1', 'http://localhost:8080', true],
    ['http://[::1]:1234/', 'http://[::1]:1234', true],
    ['http://127.1', 'http://127.0.0.1', true],
    ['http://[::ffff:127.0.0.1]:9', 'http://[::ffff:7f00:1]:9', true],
  ])('%s is taken', (text, plain, loopback) => {
    expect(readBaseUrl(text)).toMatchObject({ text: plain, loopback })
  })

  it.each([
    'http://example.test',
    'http://10.0.0.8',
    'http://localhost.evil.test',
    'http://127.0.0.1.evil.test',
    'ftp://example.test',
    'file:///etc/passwd',
    'example.test',
    '',
    'https://',
    'https://user@example.test',
    'https://user:secret@example.test',
    'https://@example.test',
    'https://example.test?x=1',
    'https://example.test/?',
    'https://example.test#f',
    'https://exam\tple.test',
    'https:\\\\example.test',
    'https://example.test\\@evil.test',
    'https://169.254.169.254/latest',
    'https://169.254.1.1',
    'https://2852039166',
    'https://0xa9.0xfe.0xa9.0xfe',
    'https://[::ffff:169.254.169.254]',
    'https://[64:ff9b::a9fe:a9fe]',
    'https://[::169.254.169.254]',
    'https://[fe80::1]',
    'https://[febf::1]',
    'https://[fd00:ec2::254]',
    'https://[ff02::1]',
    'https://[::]',
    'https://0.0.0.0',
    'https://0',
    'https://224.0.0.1',
    'https://255.255.255.255',
    'https://100.100.100.200',
    'https://168.63.129.16',
    'https://metadata.google.internal',
    'https://METADATA.google.internal.',
    'https://metadata',
  ])('T7.6 %j is refused', (text) => {
    expect(readBaseUrl(text)).toMatchObject({ code: 'invalid_input' })
  })
})

describe('T3.7 an official key', () => {
  const at = (text: string) => {
    const url = readBaseUrl(text)
    if ('code' in url) throw new Error(url.sentence)
    return url
  }

  it.each([
    ['sk-ant-api03-FAKE', 'https://api.anthropic.com', null],
    ['sk-ant-admin01-FAKE', 'https://api.anthropic.com', null],
    ['sk-ant-api03-FAKE', 'https://gateway.example.test', 'host_not_allowed'],
    ['sk-ant-api03-FAKE', 'https://api.anthropic.com.evil.test', 'host_not_allowed'],
    ['sk-ant-api03-FAKE', 'http://127.0.0.1:8080', 'host_not_allowed'],
    ['sk-ant-oat01-FAKE', 'https://api.anthropic.com', 'invalid_input'],
    ['sk-ant-ort01-FAKE', 'https://api.anthropic.com', 'invalid_input'],
    ['sk-proj-FAKE', 'https://api.openai.com', null],
    ['sk-proj-FAKE', 'https://eu.api.openai.com', null],
    ['sk-proj-FAKE', 'https://evilapi.openai.com.test', 'host_not_allowed'],
    ['sk-svcacct-FAKE', 'https://gateway.example.test', 'host_not_allowed'],
    ['sk-abcT3BlbkFJdef', 'https://gateway.example.test', 'host_not_allowed'],
    ['sk-or-v1-FAKE', 'https://openrouter.ai/api', null],
    ['sk-0123456789abcdef', 'https://api.deepseek.com', null],
    ['any', 'http://127.0.0.1:11434', null],
  ])('%s at %s: %s', (key, text, code) => {
    const given = keyRefusal(key, at(text))
    expect(given?.code ?? null).toBe(code)
    expect(JSON.stringify(given)).not.toContain(key === 'any' ? '\u0000' : key)
  })
})

describe('a proxy', () => {
  it.each([
    [null, null],
    [' ', null],
    ['http://127.0.0.1:3128', 'http://127.0.0.1:3128'],
    ['https://user:pass@proxy.example.test:8443/', 'https://user:pass@proxy.example.test:8443/'],
  ])('%j is taken', (text, kept) => {
    expect(readProxy(text)).toBe(kept)
  })

  it.each(['socks5://127.0.0.1:1080', '127.0.0.1:3128', 'http://', 'http://proxy/path', 'secret words'])(
    '%j is refused without its words',
    (text) => {
      const given = readProxy(text)
      expect(given).toMatchObject({ code: 'invalid_input' })
      expect(JSON.stringify(given)).not.toContain('secret')
    },
  )
})

describe('a profile', () => {
  const gateway: Keyed = {
    type: 'api',
    provider: 'anthropic-compatible',
    id: sourceId('gateway'),
    label: 'Gateway',
    active: true,
    models: [{ id: 'claude-opus-5', upstreamModel: 'opus', aliases: ['best'], free: false }],
    defaultModel: null,
    weight: 1,
    proxy: null,
    budgetId: null,
    credentialRef: credentialRef(sourceId('gateway')),
    createdAtMs: startMs,
    updatedAtMs: startMs,
    dialects: ['messages'],
    baseUrl: 'https://gateway.example.test/team',
    joins: ['claude'],
  }

  it('is made whole from what was entered', () => {
    expect(makeProfile(input(), new Set(), startMs)).toEqual({ source: gateway, apiKey: 'key-1' })
  })

  it('takes a bearer when it speaks more than Messages, and another id when its own is taken', () => {
    expect(makeProfile(input({ dialects: ['chat', 'messages'] }), new Set(['gateway']), startMs)).toMatchObject({
      source: {
        id: 'gateway-2',
        provider: 'openai-compatible',
        dialects: ['messages', 'chat'],
        credentialRef: 'credential/gateway-2',
      },
    })
  })

  it('runs locally for nothing, without a key, as Ollama unless told otherwise', () => {
    const local = input({
      kind: 'local',
      label: 'Ollama',
      baseUrl: 'http://127.0.0.1:11434',
      apiKey: undefined,
      models: [{ id: 'gpt-oss:20b' }],
    })
    expect(makeProfile(local, new Set(), startMs)).toMatchObject({
      apiKey: null,
      source: {
        type: 'local',
        provider: 'ollama',
        credentialRef: null,
        models: [{ id: 'gpt-oss:20b', upstreamModel: 'gpt-oss:20b', aliases: [], free: true }],
      },
    })
    expect(makeProfile({ ...local, provider: 'openai-compatible' }, new Set(), startMs)).toMatchObject({
      source: { provider: 'openai-compatible' },
    })
  })

  it.each<[string, Partial<ProfileInput>]>([
    ['no label', { label: ' ' }],
    ['a label with a control character', { label: 'a\u0007b' }],
    ['no dialect', { dialects: [] }],
    ['a key with a line break', { apiKey: 'a\nb' }],
    ['a model twice', { models: [{ id: 'm' }, { id: 'm' }] }],
    ['an empty model', { models: [{ id: '' }] }],
    ['an alias of blanks', { models: [{ id: 'm', aliases: [' x'] }] }],
    ['a bad proxy', { proxy: 'socks5://x' }],
    ['a bad address', { baseUrl: 'http://example.test' }],
  ])('is refused with %s', (_, change) => {
    expect(makeProfile(input(change), new Set(), startMs)).toMatchObject({ code: 'invalid_input' })
  })

  it('T3.7 asks for the key again when its base URL or proxy changes, and keeps the rest', () => {
    const moved = { baseUrl: 'https://other.example.test' }
    expect(changeProfile(gateway, moved, startMs + 1)).toMatchObject({ code: 'invalid_input' })
    expect(changeProfile(gateway, { proxy: 'http://127.0.0.1:1' }, startMs + 1)).toMatchObject({
      code: 'invalid_input',
    })
    expect(changeProfile(gateway, { ...moved, apiKey: 'key-2' }, startMs + 1)).toEqual({
      source: { ...gateway, baseUrl: 'https://other.example.test', updatedAtMs: startMs + 1 },
      apiKey: 'key-2',
    })
    expect(changeProfile(gateway, { label: 'Team', weight: 3, active: false }, startMs + 1)).toEqual({
      source: { ...gateway, label: 'Team', weight: 3, active: false, updatedAtMs: startMs + 1 },
      apiKey: null,
    })
  })

  it('T3.7 a loopback provider may not be pointed elsewhere with an official key', () => {
    expect(
      changeProfile(gateway, { baseUrl: 'https://evil.example.test', apiKey: 'sk-ant-api03-FAKE' }, startMs),
    ).toMatchObject({
      code: 'host_not_allowed',
    })
  })

  it.each([0, 1.5, -1, 1001, Number.NaN])('refuses the weight %s', (weight) => {
    expect(changeProfile(gateway, { weight }, startMs)).toMatchObject({ code: 'invalid_input' })
  })

  it('has its default among its models', () => {
    expect(changeProfile(gateway, { defaultModel: 'nothing' }, startMs)).toMatchObject({ code: 'invalid_input' })
    expect(changeProfile(gateway, { defaultModel: 'claude-opus-5' }, startMs)).toMatchObject({
      source: { defaultModel: 'claude-opus-5' },
    })
  })
})
