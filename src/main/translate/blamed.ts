/** What a vendor refuses a request for and can be sent it again without: it is asked once more, and is not blamed. */
import type { Dialect } from '../domain/source.ts'
import { rejectsTtl, withoutTtl } from './cache-ttl.ts'
import { blamesHistory, withoutForeign } from './strip-foreign.ts'

/** `thoughts`: that it did not make; `ttl`: how long a cache mark is kept. */
export type Blamed = 'thoughts' | 'ttl'

export const blamedIn = (status: number, body: string): Blamed | null =>
  blamesHistory(status, body) ? 'thoughts' : rejectsTtl(status, body) ? 'ttl' : null

/** The body without them, or null when it holds none. */
export function withoutBlamed(dialect: Dialect, text: string, blamed: readonly Blamed[]): string | null {
  const bare = blamed.includes('thoughts') ? withoutForeign(dialect, text) : null
  const plain = blamed.includes('ttl') && dialect === 'messages' ? withoutTtl(bare ?? text) : null
  return plain ?? bare
}
