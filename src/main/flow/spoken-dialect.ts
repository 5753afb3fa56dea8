/** Which dialect a request goes out in: the client's own where the source speaks it, else the one that loses least (bridge §4). Pure. */
import { type Dialect, dialectsOf, type Source } from '../domain/source.ts'
import type { Ask } from './view.ts'

/** The others, the one that can say most first. */
const others: Readonly<Record<Dialect, readonly Dialect[]>> = {
  messages: ['responses', 'chat'],
  responses: ['messages', 'chat'],
  chat: ['responses', 'messages'],
}

/**
 * Null when nothing it speaks will do. A Claude subscription serves genuine Claude Code's own bytes and nothing else;
 * compaction is the vendor's own and can't be translated.
 */
export function spokenDialect(
  source: Source,
  { dialect, operation }: Pick<Ask, 'dialect' | 'operation'>,
): Dialect | null {
  const spoken = dialectsOf(source)
  if (spoken.includes(dialect)) return dialect
  if (operation === 'list' || operation === 'compact') return null
  if (source.type === 'subscription' && source.provider === 'claude') return null
  return others[dialect].find((other) => spoken.includes(other)) ?? null
}

/** For the person. */
export const dialectNames: Readonly<Record<Dialect, string>> = {
  messages: 'Messages',
  responses: 'Responses',
  chat: 'Chat Completions',
}

/** For the person: `Translated from Messages to Responses.` */
export const translatedWords = (from: Dialect, to: Dialect): string =>
  `Translated from ${dialectNames[from]} to ${dialectNames[to]}.`
