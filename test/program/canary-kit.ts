/** Twelve secrets to look for, and the logins and keys that hold six of them. */
import type { Practice } from '../../src/main/practice/practice.ts'
import type { Program } from './run-program.ts'

/** Those that are empty come from the logins that are planted. */
export const canaries = {
  'access token of Claude': '',
  'refresh token of Claude': '',
  'access token of Codex': '',
  'refresh token of Codex': '',
  'API key': 'sk-canary-api-key-Zq8+/w==.7f3a',
  'access key': '',
  'client’s own bearer': 'canary-client-bearer-7d1e9c44aa',
  'client’s own API key': 'sk-ant-canary-client-key-55ee81',
  cookie: 'canary-cookie-value-91b2c7d6',
  'prompt text': 'canary prompt: the "red" fox / ümläut & 7% <b>',
  'tool schema': 'canary_tool_name_3c5b9f',
  'session id': 'canary-session-4f0c-88aa-1e2d3c4b5a69',
}
export type Canary = Record<keyof typeof canaries, string>

/** What Pointsman itself keeps: none of these may come out, whoever asks. */
export const kept = [
  'access token of Claude',
  'refresh token of Claude',
  'access token of Codex',
  'refresh token of Codex',
  'API key',
  'access key',
] as const

/** Gives the program both accounts and a key; what they are made of goes into `secrets`. */
export async function plantCanaries(
  secrets: Canary,
  program: Program,
  practice: Practice,
  rpc: (member: string, input: unknown) => Promise<unknown>,
): Promise<void> {
  secrets['access key'] = program.key()
  const claude = practice.signIn('claude-work')
  const codex = practice.signIn('codex-team')
  secrets['access token of Claude'] = claude.accessToken
  secrets['refresh token of Claude'] = claude.refreshToken ?? ''
  secrets['access token of Codex'] = codex.accessToken
  secrets['refresh token of Codex'] = codex.refreshToken ?? ''
  const expiresAt = Date.now() + 3_600_000
  await rpc('accounts.import', {
    provider: 'claude',
    label: 'Claude work',
    credential: {
      claudeAiOauth: {
        accessToken: claude.accessToken,
        refreshToken: claude.refreshToken,
        expiresAt,
        scopes: claude.scopes,
        subscriptionType: 'max',
      },
    },
  })
  await rpc('accounts.import', {
    provider: 'codex',
    label: 'Codex team',
    credential: {
      tokens: {
        id_token: codex.idToken,
        access_token: codex.accessToken,
        refresh_token: codex.refreshToken,
        account_id: practice.account('codex-team').workspaceId,
      },
      last_refresh: new Date().toISOString(),
    },
  })
  practice.addKey('openaiApi', 'canary-key', secrets['API key'])
  await rpc('profiles.create', {
    kind: 'api',
    label: 'Keyed',
    dialects: ['responses', 'chat'],
    baseUrl: practice.origins.openaiApi,
    apiKey: secrets['API key'],
    joins: ['codex'],
    models: [{ id: 'gpt-5.5' }],
  })
}
