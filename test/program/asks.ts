/** Requests as the real clients send them, short: what the scenarios of the data plane have in common. */
const sessionHeaders = (session: string): Record<string, string> => ({
  'x-claude-code-session-id': session,
  'x-app': 'cli',
  'user-agent': 'claude-cli/2.1.328 (external, cli)',
  'anthropic-version': '2023-06-01',
})

/** Headers of genuine Claude Code. */
export const claudeCode = (session = 'session-one'): { readonly headers: Record<string, string> } => ({
  headers: sessionHeaders(session),
})

export const codexCli = (thread = 'thread-one'): { readonly headers: Record<string, string> } => ({
  headers: {
    originator: 'codex_cli_rs',
    'user-agent': 'codex_cli_rs/0.169.0 (Debian; x86_64)',
    'session-id': thread,
    'thread-id': thread,
  },
})

export const message = (change: object = {}): Record<string, unknown> => ({
  model: 'claude-opus-4-8',
  max_tokens: 64,
  messages: [{ role: 'user', content: 'hello' }],
  ...change,
})

export const response = (change: object = {}): Record<string, unknown> => ({
  model: 'gpt-5.5',
  instructions: '',
  input: [{ role: 'user', content: 'hello' }],
  store: false,
  stream: true,
  ...change,
})

export const completion = (change: object = {}): Record<string, unknown> => ({
  model: 'gpt-5.5',
  messages: [{ role: 'user', content: 'hello' }],
  stream: true,
  ...change,
})
