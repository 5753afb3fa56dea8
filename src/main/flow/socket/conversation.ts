/** Which conversation a turn's head names, for remembering how it is best served. Pure. */
import { HeaderList } from '../../dialects/headers.ts'
import { sessionOf } from '../../dialects/session.ts'
import type { RequestHead } from '../../ports.ts'
import type { AdmittedHead } from '../10-ingress.ts'

/** Null when the head names none. */
export function conversationOf({ rawHeaders }: RequestHead, { key }: AdmittedHead): string | null {
  const session = sessionOf(new HeaderList(rawHeaders).get, { metadata: null, promptCacheKey: null })
  return session === null ? null : `${key.id}\n${session.key}`
}
