/** What the client is told when no vendor answer can be passed on. Pure. */
import type { ErrorCode } from '../../shared/errors.ts'
import type { Credential } from '../domain/credential.ts'
import type { ExcludedRecord } from '../domain/decision.ts'
import type { UpstreamFailure } from '../ports.ts'
import type { Call } from './10-ingress.ts'
import type { Plan } from './50-order.ts'
import { Refusal } from './trail.ts'

type Excluded = readonly ExcludedRecord[]

/** Verdicts on our account, not on the client's request. */
export const causedByAccount: ReadonlySet<string> = new Set([
  'unauthorised',
  'signed-out',
  'key-rejected',
  'account-refused',
])

export const holdsSecret = (text: string, credential: Credential): boolean =>
  text.includes(credential.kind === 'oauth' ? credential.accessToken : credential.key)

/** Why nothing was sent to a candidate, for the trail. */
export function whyNotSent({ problem }: Refusal): string {
  if (problem.code === 'state_elsewhere') return 'state-elsewhere'
  return problem.code === 'not_translatable' ? 'not-translatable' : 'operation-unsupported'
}

/** Everything planned was lost before its turn; a strict key hears of its account (access.md). */
export function nothingTried({ ask, policy, excluded }: Plan): Refusal {
  const why = 'it was switched off or removed meanwhile'
  if (policy.mode === 'strict') return new Refusal('upstream_binding_unavailable', { why }, { excluded })
  return new Refusal('none_available', { model: ask.model ?? '', why: 'nothing was tried' }, { excluded })
}

/** A 401 or 403 that our account caused is never passed on as such: the client would drop its own login. */
export function accountRefusal(because: string, label: string, excluded: Excluded): Refusal {
  switch (because) {
    case 'key-rejected':
      return new Refusal('key_rejected', { label }, { excluded })
    case 'account-refused':
      return new Refusal('account_refused', { label, why: 'it has no access to this service' }, { excluded })
    case 'credential-echoed':
      return new Refusal('account_refused', { label, why: 'its answer repeated the credential' }, { excluded })
    default:
      return new Refusal('needs_sign_in', { label, why: 'its vendor no longer accepts the login' }, { excluded })
  }
}

/** A redirect is never followed and never passed on: it would carry the credential elsewhere (T6.1). */
export const redirectRefusal = (host: string, excluded: Excluded): Refusal =>
  new Refusal('upstream_redirected', { host }, { excluded })

export function transportRefusal(
  code: ErrorCode,
  failure: UpstreamFailure,
  host: string,
  call: Call,
  excluded: Excluded,
): Refusal {
  const minutes = call.operation === 'compact' ? 20 : 10
  return new Refusal(code, { host, why: 'why' in failure ? failure.why : '', minutes }, { excluded })
}

/** For instance `count_tokens` on a source that has none. */
export function operationRefusal(call: Call, label: string, excluded: Excluded): Refusal {
  const why = `${label} has no operation ${call.operation}`
  return new Refusal('none_available', { model: call.model ?? 'this request', why }, { excluded })
}
