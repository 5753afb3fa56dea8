/** What a pool's strategies remember from one request to the next; owned by `state/rounds.ts`, changed by nobody. */

export interface RoundState {
  /** `rotate`: requests so far. */
  readonly turn: number
  /** `weighted`: each seat's balance in the smooth round. */
  readonly charges: ReadonlyMap<string, number>
  /** `weighted`: what the last pick was charged. */
  readonly charge: number
  /** `fill-first`: the seat it stays on. */
  readonly stays: string | null
  /** QR's three: when each seat was last sent a request only to learn what it has left. */
  readonly learntAtMs: ReadonlyMap<string, number>
  /** `latency`: a random number in [0, 1) for the next request, drawn by the owner. */
  readonly draw: number
}

export const freshRound: RoundState = {
  turn: 0,
  charges: new Map(),
  charge: 0,
  stays: null,
  learntAtMs: new Map(),
  draw: 1 - Number.EPSILON,
}
