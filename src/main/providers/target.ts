/** Where a request goes: fixed hosts for subscriptions, the stored base URL for everything else. */
import { type Dialect, dialectsOf, type Operation, type Source } from '../domain/source.ts'
import type { Target } from './provider.ts'

/** Scheme and authority of a URL, without path, query or final slash. */
export function originOf(url: string): string {
  const scheme = url.indexOf('://')
  if (scheme < 0) return url
  const end = url.slice(scheme + 3).search(/[/?#]/)
  return end < 0 ? url : url.slice(0, scheme + 3 + end)
}

/** What stands after the version segment, by dialect and operation; null where the upstream kind has nothing. */
export type Paths = (dialect: Dialect, operation: Operation) => string | null

export const openPaths: Paths = (dialect, operation) => {
  switch (operation) {
    case 'list':
      return '/models'
    case 'count':
      return { messages: '/messages/count_tokens', responses: '/responses/input_tokens', chat: null }[dialect]
    case 'compact':
      return dialect === 'responses' ? '/responses/compact' : null
    case 'generate':
      return { messages: '/messages', responses: '/responses', chat: '/chat/completions' }[dialect]
  }
}

/**
 * Base URL plus path. A base that already ends in a version keeps it: `/v1` for every kind; with `anyVersion` also
 * others (`/api/paas/v4`), as clients of the OpenAI style expect. Nothing for a dialect that the source doesn't speak;
 * the model list has no dialect.
 */
export function keyedTarget(
  source: Source,
  dialect: Dialect,
  operation: Operation,
  query: string,
  paths: Paths,
  anyVersion: boolean,
): Target | null {
  if (source.type === 'subscription') return null
  if (operation !== 'list' && !dialectsOf(source).includes(dialect)) return null
  const path = paths(dialect, operation)
  if (path === null) return null
  const origin = originOf(source.baseUrl)
  const prefix = (source.baseUrl.slice(origin.length).split(/[?#]/, 1)[0] ?? '').replace(/\/+$/, '')
  const versioned = anyVersion ? /\/v\d+[a-z0-9]*$/.test(prefix) : prefix.endsWith('/v1')
  return { origin, path: `${prefix}${versioned ? '' : '/v1'}${path}${query}` }
}
