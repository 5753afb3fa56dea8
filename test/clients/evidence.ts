/** What passed through the taps, in forms that can be compared whole. */
import { createHash } from 'node:crypto'
import type { CallDetail } from '../../src/main/ports.ts'
import type { Program } from './program.ts'
import type { Passed, Tap } from './tap.ts'

/** The model calls among everything that passed. */
export const posts = (tap: Tap): readonly Passed[] =>
  tap.passed().filter(({ request }) => request.first.startsWith('POST '))

/** `POST /codex/v1/responses 200`, without queries and without the key of a path. */
export function lines(tap: Tap): readonly string[] {
  return tap.passed().map(({ request, answer }) => {
    const [method = '', target = ''] = request.first.split(' ')
    const path = target.replace(/\?.*$/, '').replace(/^\/k\/[^/]+/, '/k/KEY')
    return `${method} ${path} ${answer?.first.split(' ')[1] ?? 'none'}`
  })
}

export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Bodies of all model calls at these taps, as digests. */
export function bodies(side: 'request' | 'answer', ...taps: readonly Tap[]): readonly string[] {
  return taps.flatMap(posts).flatMap((passed) => (passed[side] === null ? [] : [digest(passed[side].body)]))
}

/** Name and value of each header but those named, sorted; names as written. */
export function pairs(rawHeaders: readonly string[], except: readonly string[]): readonly string[] {
  const out: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!except.includes(name.toLowerCase())) out.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  return out.sort()
}

/** All bytes that ever reached an upstream, as one text to look for secrets in. */
export function everythingSent({ practice }: Program): string {
  return practice
    .seen()
    .map(
      ({ path, rawHeaders, body }) =>
        `${path}\n${rawHeaders.join('\n')}\n${Buffer.from(body ?? []).toString('latin1')}`,
    )
    .join('\n')
}

/** Who was tried, how it went and why: one line per attempt. */
export const attempts = ({ executions }: CallDetail): readonly string[] =>
  executions.map(({ sourceId, status, outcome, because }) => `${sourceId} ${status ?? 'none'} ${outcome} ${because}`)
