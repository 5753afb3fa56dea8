/** Who is refused, as far as it is known by then: before the body is read, the path and the headers tell. Pure. */
import { HeaderList } from '../dialects/headers.ts'
import { readRoute } from '../dialects/route.ts'
import { isCodexClient } from '../dialects/session.ts'
import type { RequestHead } from '../ports.ts'
import type { AdmittedHead, Call } from './10-ingress.ts'
import { beforeKey, type Caller } from './refusal-answer.ts'
import type { Refusal } from './trail.ts'

export interface Reached {
  /** Null while its key, path or body isn't admitted. */
  readonly head: AdmittedHead | null
  readonly call: Call | null
  readonly callId: string
}

export function callerOf({ problem }: Refusal, head: RequestHead, { head: admitted, call, callId }: Reached): Caller {
  const authenticated = admitted !== null || !beforeKey.has(problem.code)
  if (!authenticated) return { authenticated, dialect: null, stream: false, callId }
  const headers = new HeaderList(head.rawHeaders)
  const route = admitted?.route ?? readRoute(head.method, head.target)
  const isServed = 'dialect' in route && route.operation !== 'list'
  return {
    authenticated,
    dialect: isServed ? route.dialect : null,
    stream: call?.stream ?? asksForStream(headers),
    isCodex: isCodexClient(headers.get),
    callId,
  }
}

/** The Codex CLI names it in `accept` with every turn (codex §2.1), and reads no other refusal without trying again. */
const asksForStream = (headers: HeaderList): boolean => headers.get('accept')?.includes('text/event-stream') === true
