/** Sends one attempt and waits until something is known of its answer; a client that leaves ends it at once. */
import type { Exchange } from '../ports.ts'
import type { FlowDeps } from './flow-deps.ts'
import { type Arrival, Incoming } from './incoming.ts'
import type { Outbound } from './outbound.ts'

export async function sendOut(
  { request, aggregate, dialect }: Outbound,
  holdMs: number,
  io: Exchange,
  { upstream, clock, inflate }: FlowDeps,
): Promise<{ readonly incoming: Incoming; readonly arrival: Arrival }> {
  const incoming = new Incoming({ dialect, holdMs, whole: aggregate, clock, inflate })
  incoming.attach(upstream.send(request, incoming))
  const leave = (): void => incoming.abort()
  io.gone.addEventListener('abort', leave)
  const arrival = await incoming.arrival
  io.gone.removeEventListener('abort', leave)
  return { incoming, arrival }
}
