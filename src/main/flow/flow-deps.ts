/** What the acting stages of the flow use: ports and the owners of state, handed over by the composition root. */

import type { Problem } from '../../shared/errors.ts'
import type { SourceId } from '../../shared/ids.ts'
import type { GiveWay } from '../dialects/stretches.ts'
import type { Credential } from '../domain/credential.ts'
import type { Source } from '../domain/source.ts'
import type { Body, CallStore, Clock, Digest, Inflate, Log, Upstream } from '../ports.ts'
import type { HostOverrides } from '../providers/index.ts'
import type { Bindings } from '../state/bindings.ts'
import type { Conditions } from '../state/conditions.ts'
import type { Gates } from '../state/gates.ts'
import type { KeptThoughts } from '../state/kept-thoughts.ts'
import type { Lacking } from '../state/lacking.ts'
import type { Owners } from '../state/owners.ts'
import type { Rounds } from '../state/rounds.ts'
import type { Slots } from '../state/slots.ts'
import type { ResultsOf, Tasks, Work } from '../translate/whole-body.ts'
import type { KeyLookup } from './10-ingress.ts'
import type { Shadow } from './shadow.ts'
import type { SocketTurn } from './socket/socket-turn.ts'
import type { View } from './view.ts'

/** What a source is sent with: null for one that needs nothing. */
export type Given = Credential | Problem | null

export interface Credentials {
  /**
   * The credential to send now, null for a source that needs none. `rejected` is one the vendor just refused: then it
   * is renewed, or found renewed, first (routing §6, 401 rows). A promise only where something must be waited for.
   */
  credentialFor(source: Source, rejected: Credential | null): Given | Promise<Given>
}

export interface Translator {
  /** What takes a whole body; a long one is worked on beside the event loop. */
  work<W extends Work>(work: W, body: Body, task: Tasks[W]): Promise<ResultsOf<Uint8Array>[W]>
}

export interface FlowDeps {
  readonly translator: Translator
  readonly thoughts: KeptThoughts
  readonly notCounting: Lacking
  /** Cache marks may not say how long they are kept. */
  readonly notKeepingTtl: Lacking
  readonly clock: Clock
  readonly digest: Digest
  readonly giveWay: GiveWay
  readonly inflate: Inflate
  readonly upstream: Upstream
  readonly log: Log
  readonly calls: CallStore
  readonly hosts: HostOverrides
  readonly slots: Slots
  readonly bindings: Bindings
  readonly conditions: Conditions
  readonly rounds: Rounds
  readonly shadow: Shadow
  readonly gates: Gates
  readonly owners: Owners
  readonly credentials: Credentials
  readonly present: KeyLookup
  /** Only for a turn that came over a WebSocket. */
  readonly turn?: SocketTurn | undefined
  /** The program ends, and what still runs is being broken off (F50). */
  isBreakingOff(): boolean
  view(): View
  signedOut(sourceId: SourceId, because: string): void
}
