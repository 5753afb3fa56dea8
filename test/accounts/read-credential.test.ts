/** The vendors' own files and pasted tokens, as fixtures (claude §1.5, §1.6; codex §1.6, §1.8). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { claimsOf } from '../../src/main/accounts/jwt.ts'
import { claudePlan, readSetupToken } from '../../src/main/accounts/read-claude.ts'
import { readCredential } from '../../src/main/accounts/read-credential.ts'
import { codexClaims, jwt, startMs } from './kit.ts'

const fixture = (name: string): string => readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')
const why = (given: unknown): string => (given as { sentence: string }).sentence
const accessOf = (text: string): string => JSON.parse(text).tokens.access_token

describe('Claude Code’s credentials file', () => {
  const login = {
    credential: {
      kind: 'oauth',
      accessToken: 'sk-ant-oat01-FAKE',
      refreshToken: 'sk-ant-ort01-FAKE',
      expiresAtMs: 1_796_000_000_000,
      accountId: null,
      fedramp: false,
      renewedAtMs: startMs,
      refreshStarted: null,
    },
    identity: null,
    email: null,
    workspace: null,
    plan: 'max 20x',
    custody: 'pointsman',
  }

  it('is read as text and as JSON alike, unknown fields ignored', () => {
    const text = fixture('claude-credentials')
    expect(readCredential('claude', text, startMs)).toEqual(login)
    expect(readCredential('claude', `\uFEFF${text}`, startMs)).toEqual(login)
    expect(readCredential('claude', JSON.parse(text), startMs)).toEqual(login)
  })

  it('takes an expiry in seconds for what it is, and a missing one for unknown', () => {
    const read = (expiresAt: unknown) =>
      readCredential('claude', { claudeAiOauth: { accessToken: 'a', expiresAt } }, startMs)
    expect(read(1_796_000_000)).toMatchObject({ credential: { expiresAtMs: 1_796_000_000_000, refreshToken: null } })
    for (const odd of [undefined, null, 'soon', 0, -1, Number.NaN]) {
      expect(read(odd)).toMatchObject({ credential: { expiresAtMs: null } })
    }
  })

  it.each([
    [
      'with MCP sign-ins only',
      fixture('claude-mcp-only'),
      'The credential could not be read: it holds only sign-ins of MCP servers, no Claude login; sign in with `claude` first.',
    ],
    ['without a login', '{}', 'The credential could not be read: it has no claudeAiOauth part.'],
    [
      'without an access token',
      '{"claudeAiOauth":{"refreshToken":"r"}}',
      'The credential could not be read: it has no access token.',
    ],
    [
      'with a token that no header can carry',
      '{"claudeAiOauth":{"accessToken":"a\\r\\nx-evil: 1"}}',
      'The credential could not be read: it has no access token.',
    ],
    ['that isn’t JSON', '{"claudeAiOauth":', 'The credential could not be read: it is not a JSON object.'],
    ['that is a list', '[]', 'The credential could not be read: it is not a JSON object.'],
  ])('is refused %s', (_, text, sentence) => {
    const given = readCredential('claude', text, startMs)
    expect(given).toMatchObject({ code: 'credential_unreadable' })
    expect(why(given)).toBe(sentence)
  })

  it.each([
    ['max', 'default_claude_max_5x', 'max 5x'],
    ['claude_pro', null, 'pro'],
    ['claude_team', 'default_raven', 'team'],
    ['', 'default_claude_max_5x', null],
    [null, null, null],
  ])('names the plan of %s with %s', (kind, tier, plan) => {
    expect(claudePlan(kind, tier)).toBe(plan)
  })
})

describe('a pasted setup-token', () => {
  it('is static: no refresh, no identity, no known end; line breaks of a terminal are healed', () => {
    expect(readSetupToken('  sk-ant-oat01-AB_c-\n  1234 ', startMs)).toEqual({
      credential: {
        kind: 'oauth',
        accessToken: 'sk-ant-oat01-AB_c-1234',
        refreshToken: null,
        expiresAtMs: null,
        accountId: null,
        fedramp: false,
        renewedAtMs: startMs,
        refreshStarted: null,
      },
      identity: null,
      email: null,
      workspace: null,
      plan: null,
      custody: 'setup-token',
    })
  })

  it.each([
    ['an API key', 'sk-ant-api03-FAKE', 'API key'],
    ['a refresh token', 'sk-ant-ort01-FAKE', 'refresh token'],
    ['another vendor’s key', 'sk-proj-FAKE', 'begins with sk-ant-oat01-'],
    ['nothing', '', 'begins with sk-ant-oat01-'],
    ['the prefix alone', 'sk-ant-oat01-', 'begins with sk-ant-oat01-'],
    ['odd characters', 'sk-ant-oat01-a"b', 'begins with sk-ant-oat01-'],
  ])('is refused when it is %s, without repeating it', (_, pasted, words) => {
    const given = readSetupToken(pasted, startMs)
    expect(given).toMatchObject({ code: 'credential_unreadable' })
    expect(why(given)).toContain(words)
    if (pasted.length > 13) expect(JSON.stringify(given)).not.toContain(pasted)
  })
})

describe('the Codex CLI’s auth.json', () => {
  const login = {
    credential: {
      kind: 'oauth',
      accessToken: accessOf(fixture('codex-auth')),
      refreshToken: 'rt_FAKE_1',
      expiresAtMs: 1_796_000_000_000,
      accountId: '11111111-2222-3333-4444-555555555555',
      fedramp: false,
      renewedAtMs: Date.parse('2026-11-20T08:00:00Z'),
      refreshStarted: null,
    },
    identity: { userId: 'user-FAKE1', workspaceId: '11111111-2222-3333-4444-555555555555' },
    email: 'mé@example.test',
    workspace: null,
    plan: 'plus',
    custody: 'pointsman',
  }

  it.each(['codex-auth', 'codex-auth-old'])('%s gives identity, plan, e-mail and end from its tokens', (name) => {
    expect(readCredential('codex', fixture(name), startMs)).toEqual(login)
  })

  it('reads what older and other issuers write', () => {
    const access = jwt({
      'https://api.openai.com/auth': { user_id: 'u2', chatgpt_account_is_fedramp: true },
      'https://api.openai.com/profile': { email: 'p@example.test' },
    })
    const file = {
      auth_mode: 'chatgptAuthTokens',
      tokens: { access_token: access, account_id: 'acc', refresh_token: '' },
    }
    expect(readCredential('codex', file, startMs)).toEqual({
      credential: {
        ...login.credential,
        accessToken: access,
        refreshToken: null,
        expiresAtMs: null,
        accountId: 'acc',
        fedramp: true,
        renewedAtMs: startMs,
      },
      identity: { userId: 'u2', workspaceId: 'acc' },
      email: 'p@example.test',
      workspace: null,
      plan: null,
      custody: 'pointsman',
    })
  })

  it('has no identity when its tokens are opaque', () => {
    const file = { tokens: { access_token: 'opaque', refresh_token: 'r' } }
    expect(readCredential('codex', file, startMs)).toMatchObject({
      identity: null,
      email: null,
      credential: { accountId: null, expiresAtMs: null },
    })
  })

  it.each([
    ['API-key mode', fixture('codex-auth-api-key'), 'add the key as an API profile'],
    ['an old file with a key', '{"OPENAI_API_KEY":"sk-proj-FAKE"}', 'add the key as an API profile'],
    ['an agent identity', '{"auth_mode":"agentIdentity","agent_identity":{}}', 'another kind of sign-in than ChatGPT'],
    ['a personal access token', '{"auth_mode":"personalAccessToken"}', 'another kind of sign-in than ChatGPT'],
    ['an unknown mode', '{"auth_mode":"telepathy"}', 'its auth_mode is not known'],
    ['no tokens', '{"auth_mode":"chatgpt","tokens":null}', 'it holds no ChatGPT sign-in'],
    ['another vendor’s file', fixture('claude-credentials'), 'it holds no ChatGPT sign-in'],
  ])('refuses %s and says what to do', (_, text, words) => {
    const given = readCredential('codex', text, startMs)
    expect(given).toMatchObject({ code: 'credential_unreadable' })
    expect(why(given)).toContain(words)
    expect(JSON.stringify(given)).not.toContain('FAKE')
  })
})

describe('a JWT', () => {
  it('is read whatever its padding and letters', () => {
    for (const name of ['', 'a', 'ab', 'abc', 'żółć ✓', '>>>???']) {
      const claims = codexClaims(name, 'x')
      expect(claimsOf(jwt(claims))).toEqual(claims)
      const [head, body, tail] = jwt(claims).split('.')
      const padded = Buffer.from(body, 'base64url').toString('base64')
      expect(claimsOf(`${head}.${padded}.${tail}`)).toEqual(claims)
    }
  })

  it.each(['', 'abc', 'a.b.c', 'a.%%.c', '..', `a.${Buffer.from('[1]').toString('base64url')}.c`])(
    '%j is none',
    (text) => {
      expect(claimsOf(text)).toBe(null)
    },
  )
})
