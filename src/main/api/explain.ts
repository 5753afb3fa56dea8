/** `models.explain`: who would serve a described call, and what it would cost to leave the account it is on. */

import { explain } from '../flow/explain.ts'
import { askOf, type DescribedCall } from '../flow/explain-ask.ts'
import type { ApiDeps } from './api-deps.ts'
import { anyKey } from './stand.ts'

export interface ExplainInput extends DescribedCall {
  readonly keyId?: string | undefined
}

export function explainFor({ keyId, ...call }: ExplainInput, deps: ApiDeps) {
  const key = keyId === undefined ? anyKey : deps.keys.find(keyId)
  const ask = askOf(call, key, deps.digest)
  const explained = explain(ask, deps.view())
  const bound = ask.session === null ? undefined : deps.bindings.get(ask.session)
  const leaves = bound !== undefined && explained.order[0]?.backendId.startsWith(`${bound.sourceId}:`) !== true
  const switchCostTokens = leaves && ask.session !== null ? deps.calls.sizeOf(ask.session) : null
  return { ...explained, switchCostTokens }
}
