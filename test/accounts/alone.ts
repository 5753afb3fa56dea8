/** No other Pointsman on this machine. */
import type { Holders } from '../../src/main/sign-in-ports.ts'

export const alone: Holders = { claim: async () => null, release: async () => {} }
