/** Clock, chance and digest of the real machine: the one home of Date.now, timers and randomness. */
import { createHmac, createSecretKey, hash, randomBytes } from 'node:crypto'
import type { Chance, Clock, Digest } from '../ports.ts'

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

export const systemChance: Chance = {
  unit: () => Math.random(),
  bytes: (length) => randomBytes(length),
}

/** `keySecret` is the content of the 0600 file that access keys are digested with (access.md). */
export function systemDigest(keySecret: Uint8Array): Digest {
  // Made once: from bare bytes each digest costs seven times as much, on every request.
  const secret = createSecretKey(keySecret)
  return {
    sha256: (text) => hash('sha256', text),
    keyDigest: (key) => createHmac('sha256', secret).update(key).digest('hex'),
  }
}
