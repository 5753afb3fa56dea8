/** What the practice tests share: a clock that is turned by hand, a started practice, callers with credentials. */
import { afterEach } from 'vitest'
import type { Clock } from '../../src/main/ports.ts'
import { type Practice, type PracticeOptions, startPractice } from '../../src/main/practice/practice.ts'

// biome-ignore lint/suspicious/noExplicitAny: a vendor's JSON is compared by its values; no type would add to that
export type Loose = any

export interface TurnedClock extends Clock {
  turn(byMs: number): void
}

export const noonMs = Date.UTC(2026, 10, 29, 12)

export function turnedClock(): TurnedClock {
  let nowMs = noonMs
  let waiting: { atMs: number; act: () => void }[] = []
  return {
    nowMs: () => nowMs,
    elapsedMs: () => nowMs - noonMs,
    after(delayMs, act) {
      const entry = { atMs: nowMs + delayMs, act }
      waiting.push(entry)
      return () => {
        waiting = waiting.filter((other) => other !== entry)
      }
    },
    turn(byMs) {
      nowMs += byMs
      const due = waiting.filter((entry) => entry.atMs <= nowMs)
      waiting = waiting.filter((entry) => entry.atMs > nowMs)
      for (const entry of due) entry.act()
    },
  }
}

const open: Practice[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((practice) => practice.close()))
})

export async function begin(
  options: Partial<PracticeOptions> = {},
): Promise<{ practice: Practice; clock: TurnedClock; call: Callers }> {
  const clock = turnedClock()
  const practice = await startPractice({ clock, ...options })
  open.push(practice)
  return { practice, clock, call: callers(practice) }
}

export interface Callers {
  /** Claude data as the given account. */
  claude(path: string, body?: object | null, headers?: Record<string, string>, account?: string): Promise<Response>
  codex(path: string, body?: object | null, headers?: Record<string, string>, account?: string): Promise<Response>
  anthropic(path: string, body?: object | null, headers?: Record<string, string>): Promise<Response>
  openai(path: string, body?: object | null, headers?: Record<string, string>): Promise<Response>
  ollama(path: string, body?: object | null): Promise<Response>
}

function callers(practice: Practice): Callers {
  const send = (url: string, body: object | null, headers: Record<string, string>): Promise<Response> =>
    fetch(url, {
      method: body === null ? 'GET' : 'POST',
      headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
    })
  return {
    claude: (path, body = null, headers = {}, account = 'claude-work') =>
      send(practice.origins.claude + path, body, { ...claudeHeaders(practice, account), ...headers }),
    codex: (path, body = null, headers = {}, account = 'codex-team') =>
      send(practice.origins.codex + path, body, { ...codexHeaders(practice, account), ...headers }),
    anthropic: (path, body = null, headers = {}) =>
      send(practice.origins.anthropicApi + path, body, {
        'x-api-key': secret(practice, 'anthropic-key'),
        'anthropic-version': '2023-06-01',
        ...headers,
      }),
    openai: (path, body = null, headers = {}) =>
      send(practice.origins.openaiApi + path, body, {
        authorization: `Bearer ${secret(practice, 'openai-key')}`,
        ...headers,
      }),
    ollama: (path, body = null) => send(practice.origins.ollamaHost + path, body, {}),
  }
}

/** The seeded access token or key of a source. */
export function secret(practice: Practice, id: string): string {
  for (const [ref, credential] of practice.seeds.credentials) {
    if (ref === `credential/${id}`) return credential.kind === 'oauth' ? credential.accessToken : credential.key
  }
  throw new Error(`no seeded credential for ${id}`)
}

export function refreshToken(practice: Practice, id: string): string {
  for (const [ref, credential] of practice.seeds.credentials) {
    if (ref === `credential/${id}` && credential.kind === 'oauth' && credential.refreshToken)
      return credential.refreshToken
  }
  throw new Error(`no seeded refresh token for ${id}`)
}

export const claudeHeaders = (practice: Practice, account = 'claude-work'): Record<string, string> => ({
  authorization: `Bearer ${secret(practice, account)}`,
  'anthropic-version': '2023-06-01',
  'anthropic-beta': 'claude-code-20250219,oauth-2025-04-20',
})

export const codexHeaders = (practice: Practice, account = 'codex-team'): Record<string, string> => ({
  authorization: `Bearer ${secret(practice, account)}`,
  'chatgpt-account-id': practice.account(account).workspaceId,
})

export const message = { model: 'claude-opus-5-5', max_tokens: 64, messages: [{ role: 'user', content: 'hello' }] }
export const response = { model: 'gpt-6.2-sol', instructions: '', input: [], store: false, stream: true }
export const completion = { model: 'gpt-5.5', messages: [{ role: 'user', content: 'hello' }] }

/** The data of each event of a stream, in order; `[DONE]` stays text. */
export function eventsOf(text: string): readonly Loose[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice(6))
        .join('\n')
      return data === '[DONE]' ? data : JSON.parse(data)
    })
}

export const typesOf = (text: string): readonly string[] =>
  eventsOf(text).map((event) => (typeof event === 'string' ? event : String(event.type ?? event.object ?? 'error')))

/** Types with immediate repeats taken out. */
export const orderOf = (text: string): readonly string[] =>
  typesOf(text).filter((type, index, all) => type !== all[index - 1])
