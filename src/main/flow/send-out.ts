/** Sends one attempt; a client that leaves before anything is known of its answer ends it at once. */
import type { Exchange } from '../ports.ts'
import type { FlowDeps } from './flow-deps.ts'
import { Incoming } from './incoming.ts'
import type { Outbound } from './outbound.ts'

/** Whoever awaits the arrival of what is returned takes `abort` off `io.gone` then. */
export function sendOut(
  { request, aggregate, dialect }: Outbound,
  holdMs: number,
  io: Exchange,
  { upstream, clock, inflate }: FlowDeps,
): Incoming {
  const incoming = new Incoming({ dialect, holdMs, whole: aggregate, clock, inflate })
  incoming.attach(upstream.send(request, incoming))
  io.gone.addEventListener('abort', incoming.abort)
  return incoming
}
