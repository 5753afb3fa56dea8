/** One sign-in under way: what it shows, and how it ends exactly once. */
import { type Problem, problem } from '../../shared/errors.ts'
import type { SourceId } from '../../shared/ids.ts'
import type { Clock } from '../ports.ts'
import type { Vendor } from './oauth-endpoints.ts'

/** `program`: the vendor's own makes a long-lived token; `program-login`: it signs in as it does for itself. */
export type SignInMethod = 'browser' | 'device' | 'paste' | 'program' | 'program-login'

/** Where it stands; nothing in it is secret but for who could open the page before the person does. */
export type SignInStep =
  | { readonly kind: 'starting' }
  /** The person signs in at `url`; the browser comes back by itself when `port` is set, else its address is pasted. */
  | {
      readonly kind: 'browser'
      readonly url: string
      readonly port: number | null
      /** Why it has to be pasted. */
      readonly because: string | null
      readonly endsAtMs: number
    }
  | { readonly kind: 'device'; readonly url: string; readonly userCode: string; readonly endsAtMs: number }
  /** The vendor's own program runs; `url` is the page that it asks to open, once it has said so. */
  | {
      readonly kind: 'program'
      readonly version: string
      readonly url: string | null
      /** It waits for the code that the page shows. */
      readonly wantsCode: boolean
      readonly endsAtMs: number
    }
  | { readonly kind: 'finishing' }
  | {
      readonly kind: 'done'
      readonly accountId: SourceId
      readonly label: string
      readonly isNew: boolean
      readonly warning: string | null
    }
  | { readonly kind: 'failed'; readonly because: SignInEnd; readonly sentence: string; readonly next: string }

export type SignInEnd = 'cancelled' | 'denied' | 'timeout' | 'failed'

export interface SignInView {
  readonly id: string
  readonly provider: Vendor
  readonly method: SignInMethod
  readonly startedAtMs: number
  readonly step: SignInStep
}

export const ends: Readonly<Record<Exclude<SignInEnd, 'failed'>, Problem>> = {
  cancelled: problem('sign_in_failed', { why: 'it was cancelled' }),
  denied: problem('sign_in_failed', { why: 'it was refused on the vendor’s page' }),
  timeout: problem('sign_in_failed', { why: 'its time ran out' }),
}

export interface AttemptStart {
  readonly id: string
  readonly provider: Vendor
  readonly method: SignInMethod
  readonly clock: Clock
  /** Called whenever `view` has changed. */
  changed(): void
}

/** What a flow works with; ends with its login, a failure, a cancel or a time-out, whichever comes first. */
export class Attempt {
  readonly #start: AttemptStart
  readonly #startedAtMs: number
  #step: SignInStep = { kind: 'starting' }
  #stop: (() => void) | null = null
  #cleanUps: (() => void)[] = []
  /** Takes what the person pastes, while the flow waits for it. */
  paste: ((text: string) => Problem | null) | null = null
  /** Resolves with the end that came from outside. */
  readonly stopped: Promise<Problem>
  #resolveStopped: (end: Problem) => void = () => {}

  constructor(start: AttemptStart) {
    this.#start = start
    this.#startedAtMs = start.clock.nowMs()
    this.stopped = new Promise((resolve) => {
      this.#resolveStopped = resolve
    })
  }

  get view(): SignInView {
    const { id, provider, method } = this.#start
    return { id, provider, method, startedAtMs: this.#startedAtMs, step: this.#step }
  }

  get isOver(): boolean {
    return this.#step.kind === 'done' || this.#step.kind === 'failed'
  }

  show(step: SignInStep): void {
    if (this.isOver) return
    this.#step = step
    if (this.isOver) this.#release()
    this.#start.changed()
  }

  /** Counts from now; returns when it ends, for showing. */
  endAfter(ms: number): number {
    const { clock } = this.#start
    this.#stop?.()
    this.#stop = clock.after(ms, () => this.end('timeout'))
    return clock.nowMs() + ms
  }

  /** Called when it is over, however it ends; at once when it is already. */
  onEnd(cleanUp: () => void): void {
    if (this.isOver) cleanUp()
    else this.#cleanUps.push(cleanUp)
  }

  end(because: Exclude<SignInEnd, 'failed'>): void {
    this.fail(ends[because], because)
  }

  fail({ sentence, next, ...rest }: Problem, because: SignInEnd = 'failed'): void {
    if (this.isOver) return
    this.#resolveStopped({ sentence, next, ...rest })
    this.show({ kind: 'failed', because, sentence, next })
  }

  #release(): void {
    this.#stop?.()
    this.paste = null
    for (const cleanUp of this.#cleanUps.splice(0)) cleanUp()
  }
}
