/** What a failure of the connection leads to, as one pure table (routing §6). */
import type { ErrorCode } from '../../shared/errors.ts'
import type { Verdict } from './failure.ts'
import type { Operation } from './source.ts'

/** How an upstream connection can fail; the shape of `UpstreamFailure` in ports. */
export type TransportFailure =
  | { readonly kind: 'unreachable' | 'tls-untrusted' | 'malformed' | 'proxy' | 'no-room'; readonly why: string }
  | { readonly kind: 'lost' | 'silent' | 'cut' }

export interface TransportContext {
  readonly operation: Operation
  /** The setting: one retry of a request that the vendor may have worked on. */
  readonly retryAmbiguous: boolean
  /** This call has had its one ambiguous retry. */
  readonly alreadyAmbiguous: boolean
}

export interface TransportVerdict extends Verdict {
  /** The request may have been worked on: its execution is `unknown-outcome`. */
  readonly ambiguous: boolean
  /** Our own answer when no other candidate is left; null: passed on as a reset. */
  readonly code: ErrorCode | null
}

/** For failures before anything was passed on to the client; `why` is our own adapter's word, never the vendor's. */
export function failureOf(failure: TransportFailure, context: TransportContext): TransportVerdict {
  const plain = { waitMs: 0, counts: true, effect: null, marks: [], because: failure.kind, ambiguous: false } as const
  switch (failure.kind) {
    case 'unreachable': {
      const sentence = `The host could not be reached: ${failure.why}.`
      const effect = { kind: 'host-rests', sentence } as const
      return { ...plain, move: 'next', effect, sentence, code: 'upstream_unreachable' }
    }
    case 'tls-untrusted': {
      const sentence = `The certificate of the host is not trusted: ${failure.why}.`
      const effect = { kind: 'host-rests', sentence } as const
      return { ...plain, move: 'next', effect, sentence, code: 'tls_untrusted' }
    }
    case 'malformed': {
      const sentence = 'The host sent an answer that is not valid HTTP.'
      const effect = { kind: 'source-failed', sentence } as const
      return { ...plain, move: 'next', effect, sentence, code: 'upstream_malformed' }
    }
    case 'proxy': {
      // A configuration problem: another account would only hide it.
      const sentence = `The proxy can not be used: ${failure.why}.`
      return { ...plain, move: 'return', sentence, code: 'upstream_unreachable' }
    }
    case 'no-room': {
      // Of this machine, whatever the account (F47).
      const sentence = `No connection could be opened: ${failure.why}.`
      return { ...plain, move: 'return', sentence, code: 'local_busy' }
    }
    case 'lost':
      return ambiguous(context, 'lost', 'The connection was lost after the request was sent.', null)
    case 'cut':
      return ambiguous(context, 'cut', 'The answer was cut off before it began.', null)
    case 'silent':
      return ambiguous(context, 'silent', 'The host did not begin to answer in time.', 'upstream_silent')
  }
}

/**
 * One retry on the next candidate; never for `compact`, which is long and paid for. Nobody rests: after sleep or a
 * change of network every pooled connection is lost once (F24).
 */
function ambiguous(
  { operation, retryAmbiguous, alreadyAmbiguous }: TransportContext,
  because: string,
  sentence: string,
  code: ErrorCode | null,
): TransportVerdict {
  const again = retryAmbiguous && !alreadyAmbiguous && operation !== 'compact'
  const move = again ? 'next' : 'return'
  return { move, waitMs: 0, counts: true, effect: null, marks: [], because, sentence, ambiguous: true, code }
}
