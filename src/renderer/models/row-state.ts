/** How one backend stands, as the row says it: a badge, and one line with its reason; pure. */

import type { Texts } from '../text/en.ts'
import type { Format } from '../text/formatting.ts'
import type { Said } from '../text/said.ts'
import type { Tone } from '../ui/state-mark.tsx'
import type { Backend, Pool } from './pools.ts'

export type BadgeKind = 'now' | 'next' | 'ready' | 'resting' | 'spent' | 'skipped' | 'off'

export interface RowState {
  readonly badge: BadgeKind
  readonly tone: Tone
  readonly line: string
  /** The moment that `line` speaks of, for the tooltip. */
  readonly atMs: number | null
}

export interface Words {
  readonly texts: Texts['models']
  readonly said: Said
  readonly format: Format
}

/** From this share used on, what is left is told as a warning. */
const lowAtPercent = 90
const hourMs = 3_600_000

export function rowState(backend: Backend, serving: Pool['serving'], nowMs: number, words: Words): RowState {
  const { backendId, enabled, usable, because } = backend
  const turn = serving.order.indexOf(backendId)
  if (!enabled || because === 'disabled') return stopped(backend, 'off', 'off', words, nowMs)
  if (!usable) {
    const badge =
      turn === 0 ? 'now' : because.startsWith('exhausted:') ? 'spent' : isStop(because) ? 'skipped' : 'resting'
    return stopped(backend, badge, isStop(because) ? 'bad' : 'warn', words, nowMs)
  }
  if (turn < 0) return skipped(backend, serving, words)
  const badge = turn === 0 ? 'now' : turn === 1 ? 'next' : 'ready'
  const isLow = (backend.usedPercent ?? 0) >= lowAtPercent
  return { badge, tone: isLow ? 'warn' : 'good', ...remaining(backend, nowMs, words) }
}

/** What only the person can change. */
const isStop = (because: string): boolean => ['signed-out', 'locked', 'key-rejected', 'payment'].includes(because)

function stopped(backend: Backend, badge: BadgeKind, tone: Tone, words: Words, nowMs: number): RowState {
  const { because, sentence, untilMs } = backend
  const why = reason(because, sentence, words)
  if (untilMs === null || untilMs <= nowMs) return { badge, tone, line: why, atMs: null }
  return { badge, tone, line: `${why}${words.texts.join}${backAt(untilMs, nowMs, words)}`, atMs: untilMs }
}

/** Usable by its own client, but not by the one that this pool was asked for. */
function skipped({ backendId }: Backend, serving: Pool['serving'], words: Words): RowState {
  const found = serving.excluded.find((excluded) => excluded.backendId === backendId)
  // What is refused before anyone is looked at says nothing of this backend.
  const isRefused = serving.order.length === 0 && serving.excluded.length === 0
  const unnamed = isRefused ? plain(serving.sentence, words) : words.texts.notJoined(serving.address)
  const line = found === undefined ? unnamed : reason(found.because, found.sentence, words)
  return { badge: 'skipped', tone: 'off', line, atMs: null }
}

function remaining(backend: Backend, nowMs: number, words: Words): Pick<RowState, 'line' | 'atMs'> {
  const { usedPercent, tightest, sourceType, free } = backend
  const { texts, format } = words
  if (usedPercent === null) {
    const line = sourceType === 'subscription' ? texts.noQuota : free ? texts.free : texts.paid
    return { line, atMs: null }
  }
  const percent = format.number(Math.round(100 - Math.min(100, usedPercent)))
  if (tightest === null) return { line: texts.leftWhole(percent), atMs: null }
  const left = texts.left(percent, windowName(tightest, texts))
  const { resetAtMs } = tightest
  if (resetAtMs === null) return { line: left, atMs: null }
  return { line: `${left}${texts.join}${texts.renews(format.soon(resetAtMs, nowMs))}`, atMs: resetAtMs }
}

function windowName({ window, family }: NonNullable<Backend['tightest']>, texts: Texts['models']): string {
  const parts = window.split(':')
  const known = parts.map((part) => texts.windows[part]).find((name) => name !== undefined) ?? window
  return family === null ? known : texts.windowOf(known, family)
}

/** Under an hour a length of time is quicker to read than a clock. */
function backAt(untilMs: number, nowMs: number, { texts, format }: Words): string {
  const leftMs = untilMs - nowMs
  return leftMs < hourMs ? texts.backIn(format.duration(leftMs)) : texts.back(format.soon(untilMs, nowMs))
}

const reason = (because: string, sentence: string, words: Words): string =>
  words.texts.reasons[because] ?? plain(sentence, words)

/** A line of a row ends without a full stop. */
const plain = (sentence: string, { said }: Words): string => said.sentence(sentence).replace(/[.。]$/, '')
