/** Plays a few made-up conversations against the local Pointsman in practice mode, so that there is something to see. */
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Clock } from '../ports.ts'

export interface TrafficOptions {
  /** Where the local Pointsman listens; loopback only. */
  readonly address: string
  readonly key: string
  readonly clock: Clock
  /** Between two calls; alternates between this and twice as long. */
  readonly gapMs?: number
}

export interface Traffic {
  /** Calls sent and answered so far, whatever the answer. */
  counts(): { readonly sent: number; readonly answered: number; readonly failed: number }
  /** Sends no more and breaks off what is under way. */
  stop(): Promise<void>
}

interface Conversation {
  readonly name: string
  /** The call of turn `turn` (from 0) of the session. */
  call(
    session: string,
    turn: number,
  ): { readonly path: string; readonly headers: Record<string, string>; readonly body: object }
}

const turnsPerSession = 12
const longestAnswerMs = 60_000

const said = (turn: number): string =>
  `Practice turn ${turn + 1}. ${'The next train is due on track two, please set the points and say which signal it will see. '.repeat(4)}`

const lines = (turn: number): readonly string[] => Array.from({ length: turn + 1 }, (_, index) => said(index))

/** Three neutral markers, no vendor client's name: the router asks for them before a Claude account may serve. */
function claude(model: string): Conversation {
  return {
    name: model,
    call: (session, turn) => ({
      path: '/claude/v1/messages',
      headers: { 'anthropic-version': '2023-06-01', 'x-claude-code-session-id': session, 'x-app': 'practice' },
      body: {
        model,
        max_tokens: 1024,
        stream: true,
        messages: lines(turn).map((content) => ({ role: 'user', content })),
        metadata: {
          user_id: JSON.stringify({ device_id: sha256('practice device'), account_uuid: '', session_id: session }),
        },
      },
    }),
  }
}

function codex(model: string): Conversation {
  return {
    name: model,
    call: (session, turn) => ({
      path: '/codex/v1/responses',
      headers: { 'session-id': session, 'thread-id': session },
      body: {
        model,
        instructions: '',
        store: false,
        stream: true,
        prompt_cache_key: session,
        input: lines(turn).map((text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })),
      },
    }),
  }
}

/** No markers: on `claude` it goes to keys; at `any` it goes to whoever has the model. */
function plain(path: string, model: string): Conversation {
  return {
    name: model,
    call: (_session, turn) => ({
      path,
      headers: path.endsWith('/messages') ? { 'anthropic-version': '2023-06-01' } : {},
      body: {
        model,
        max_tokens: 512,
        stream: true,
        messages: lines(turn).map((content) => ({ role: 'user', content })),
      },
    }),
  }
}

const conversations: readonly Conversation[] = [
  claude('claude-opus-5-5'),
  codex('gpt-6.2-sol'),
  claude('claude-sonnet-5-5'),
  codex('gpt-6.2-astra'),
  plain('/any/v1/chat/completions', 'gpt-oss:20b'),
  plain('/claude/v1/messages', 'claude-haiku-5-5'),
  codex('gpt-5.5'),
]

export function startTraffic({ address, key, clock, gapMs = 2_000 }: TrafficOptions): Traffic {
  if (!/^http:\/\/(127\.0\.0\.1|\[::1\]|localhost):\d+$/.test(address))
    throw new Error('practice traffic is for loopback only')
  const agent = new Agent({ keepAlive: true, maxSockets: conversations.length })
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()
  const startedMs = clock.nowMs()
  let counts = { sent: 0, answered: 0, failed: 0 }
  let cancel = (): void => {}

  const step = (number: number): void => {
    const conversation = conversations[number % conversations.length]
    const turn = Math.floor(number / conversations.length)
    if (conversation === undefined || stopping.signal.aborted) return
    const session = sessionId(`${startedMs} ${conversation.name} ${Math.floor(turn / turnsPerSession)}`)
    const { path, headers, body } = conversation.call(session, turn % turnsPerSession)
    counts = { ...counts, sent: counts.sent + 1 }
    const call = send({ url: `${address}${path}`, headers: { ...headers, authorization: `Bearer ${key}` }, body }).then(
      () => {
        counts = { ...counts, answered: counts.answered + 1 }
      },
      () => {
        counts = { ...counts, failed: counts.failed + 1 }
      },
    )
    underWay.add(call)
    call.finally(() => underWay.delete(call))
    cancel = clock.after(gapMs * (1 + (number % 2)), () => step(number + 1))
  }

  const send = (what: { url: string; headers: Record<string, string>; body: object }): Promise<void> =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(longestAnswerMs)])
      const headers = { ...what.headers, 'user-agent': 'pointsman-practice', 'content-type': 'application/json' }
      const sent = request(what.url, { method: 'POST', agent, headers, signal }, (response) => {
        response.once('end', resolve)
        response.once('error', reject)
        response.resume()
      })
      sent.once('error', reject)
      sent.end(JSON.stringify(what.body))
    })

  step(0)
  return {
    counts: () => counts,
    async stop() {
      cancel()
      stopping.abort()
      await Promise.all(underWay)
      agent.destroy()
    },
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A made-up UUID, the same for the same text. */
function sessionId(text: string): string {
  const hex = sha256(text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
