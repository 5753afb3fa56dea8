/** A gate lets in only a few requests at a time until one of them has shown that the account answers (routing §5). */

export interface Gate {
  readonly limit: number
  /** From then on it is open, whatever has been learnt. Null: until a reading or an answer arrives. */
  readonly untilMs: number | null
  readonly because: 'learning' | 'reset-pending' | 'failed-over'
}

export const gateRules = {
  learners: 1,
  failedOver: 2,
  /** A first answer that takes longer proves nothing; the others are not kept waiting for it. */
  failedOverMs: 30_000,
  /** Who answered this recently needs no proof. */
  provenMs: 5 * 60_000,
} as const

/** `pending`: requests that were sent and not yet answered. */
export const isShut = (gate: Gate, pending: number, nowMs: number): boolean =>
  pending >= gate.limit && (gate.untilMs === null || gate.untilMs > nowMs)
