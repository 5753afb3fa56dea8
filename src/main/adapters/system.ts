/** Clock, chance and digest of the real machine: the one home of Date.now, timers and randomness. */
import { createHmac, createSecretKey, hash, randomBytes } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { setImmediate } from 'node:timers/promises'
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

/** Whatever else the event loop has to do comes first. */
export const systemGiveWay = (): Promise<void> => setImmediate()

/** Every address of the machine, as one text; empty where they can't be read. */
export function systemAddresses(): string {
  try {
    const all = Object.entries(networkInterfaces()).flatMap(([name, found]) =>
      (found ?? []).map(({ address }) => `${name} ${address}`),
    )
    return all.sort().join('\n')
  } catch {
    return ''
  }
}

/** A client brings the same key with every request; strangers' guesses must not fill the memory. */
const mostKnownKeys = 1_000

/** `keySecret` is the content of the 0600 file that access keys are digested with (access.md). */
export function systemDigest(keySecret: Uint8Array): Digest {
  // Made once: from bare bytes each digest costs seven times as much.
  const secret = createSecretKey(keySecret)
  const sha256 = (text: string): string => hash('sha256', text)
  // By the key's hash, never by the key: 32 random bytes can't be found again from it.
  const known = new Map<string, string>()
  return {
    sha256,
    keyDigest(key) {
      const name = sha256(key)
      const remembered = known.get(name)
      if (remembered !== undefined) return remembered
      if (known.size >= mostKnownKeys) known.clear()
      const digest = createHmac('sha256', secret).update(key).digest('hex')
      known.set(name, digest)
      return digest
    },
  }
}
