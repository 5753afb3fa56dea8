/** From a negative answer to a signal: page, words, phrases, then the status, in this order (routing §6). */
import type { Answer, Signal, SignalRead } from '../domain/failure.ts'
import type { Spent } from '../domain/quota.ts'
import { type Envelope, readEnvelope, vendorCode } from './envelope.ts'
import { phraseSignal, saysExtraUsage, statusOfWord, wordSignals, workspaceSpent } from './failure-words.ts'
import { readRetryAfter } from './retry-after.ts'

/** The windows a vendor names as spent in a 429; empty when it names none. Null for sources without windows. */
export type SpentReader = (envelope: Envelope, retryAtMs: number | null, nowMs: number) => readonly Spent[]

export function readFailure(answer: Answer, spent: SpentReader | null): SignalRead {
  const envelope = readEnvelope(answer)
  return { signal: signalOf(envelope, spent, answer.nowMs), vendorCode: vendorCode(envelope) }
}

export const says = ({ code, type }: Envelope, word: string): boolean => code === word || type === word

function signalOf(envelope: Envelope, spent: SpentReader | null, nowMs: number): Signal {
  const { code, type, message } = envelope
  const status = envelope.status ?? statusOfWord[code] ?? statusOfWord[type] ?? 500
  if (envelope.page) return pageSignal(status)
  const reached = workspaceReached(envelope)
  if (reached !== null) return workspaceSpent(reached)
  if (says(envelope, 'usage_limit_reached')) return limitSignal(envelope, spent, nowMs)
  if (says(envelope, 'model_not_found') && status < 500)
    return { kind: status === 403 ? 'model-not-entitled' : 'model-unknown' }
  const signal = wordSignals.get(code) ?? wordSignals.get(type) ?? phraseSignal(status, message)
  return signal ?? statusSignal(status, envelope, spent, nowMs)
}

/** HTML never comes from the API itself: the edge, a guard or a captive portal answered (codex §4.6, trap 12). */
function pageSignal(status: number): Signal {
  if ([400, 413, 414, 431].includes(status)) return { kind: 'final' }
  if (status === 503 || status === 529) return { kind: 'overloaded' }
  if (status >= 500) return { kind: 'server-error' }
  return { kind: 'host-refused', why: 'a web page came instead of an answer (network, VPN or a guard in front of it)' }
}

/** Workspace credits and caps come with the words of an ordinary limit but have no timer (codex §4.5). */
function workspaceReached({ headers, error }: Envelope): string | null {
  const stated = error.rate_limit_reached_type ?? headers('x-codex-rate-limit-reached-type')
  const reached = typeof stated === 'string' ? stated.trim().toLowerCase() : ''
  return reached.startsWith('workspace_') ? reached : null
}

function statusSignal(status: number, envelope: Envelope, spent: SpentReader | null, nowMs: number): Signal {
  if (status < 400) return { kind: 'host-refused', why: 'it answered with a redirect, which is never followed' }
  switch (status) {
    case 400:
      return saysExtraUsage(envelope.message) ? { kind: 'request-scoped' } : { kind: 'final' }
    case 401:
      return { kind: 'unauthorised' }
    case 402:
      return { kind: 'billing', why: 'a payment is due' }
    case 403:
      return { kind: 'account-refused', why: 'its vendor gives it no access' }
    case 404:
      return { kind: 'model-unknown' }
    case 408:
    case 425:
      return { kind: 'server-error' }
    case 429:
      return limitSignal(envelope, spent, nowMs)
    case 503:
    case 529:
      return { kind: 'overloaded' }
    default:
      return status >= 500 ? { kind: 'server-error' } : { kind: 'final' }
  }
}

/** A window where one is named, else about this request, else a short throttle: quota stays untouched. */
function limitSignal(envelope: Envelope, spent: SpentReader | null, nowMs: number): Signal {
  const { headers, message } = envelope
  const retryAfterMs = readRetryAfter(headers, message, nowMs)
  const marks = spent?.(envelope, retryAfterMs === null ? null : nowMs + retryAfterMs, nowMs) ?? []
  if (marks.length > 0) return { kind: 'window-spent', marks }
  if (saysExtraUsage(message) || message.startsWith('request too large')) return { kind: 'request-scoped' }
  return { kind: 'burst', retryAfterMs }
}
