/** A keychain that exists only in memory, behind the real adapter: small, late, forgetful or stubborn on demand. */
import type { HelperProcess, StartHelper } from '../../../src/main/adapters/vault/helper-process.ts'
import type { KeychainAnswer, KeychainQuestion } from '../../../src/main/adapters/vault/keychain-question.ts'

export interface Simulated {
  readonly items: Map<string, string>
  readonly startHelper: StartHelper
  /** Questions that wait for `release`; filled while `holding`. */
  holding: boolean
  release(): void
  asked(): number
  killed(): number
}

export interface SimulationOptions {
  /** As Windows' credential store: 2,560 bytes, text counted as UTF-16. */
  readonly largestBytes?: number
  /** What `find` gives for an item that is there: a store that lags or lies. */
  readonly given?: (value: string) => string | null
}

export function simulatedKeychain({
  largestBytes = Infinity,
  given = (value) => value,
}: SimulationOptions = {}): Simulated {
  const items = new Map<string, string>()
  const held: (() => void)[] = []
  let asked = 0
  let killed = 0
  const answer = (question: KeychainQuestion): KeychainAnswer => {
    switch (question.act) {
      case 'read-login':
      case 'find': {
        const value = items.get(question.account)
        const back = value === undefined ? null : given(value)
        return back === null ? { kind: 'absent' } : { kind: 'value', value: back }
      }
      case 'keep-login':
      case 'keep':
        if (question.value.length * 2 > largestBytes)
          return { kind: 'failed', call: 'set', text: 'stub data too large' }
        items.set(question.account, question.value)
        return { kind: 'done' }
      case 'forget':
        items.delete(question.account)
        return { kind: 'done' }
    }
  }
  const simulated: Simulated = {
    items,
    holding: false,
    release() {
      for (const go of held.splice(0)) go()
    },
    asked: () => asked,
    killed: () => killed,
    startHelper: (): HelperProcess => ({
      async ask(text) {
        asked += 1
        if (simulated.holding) await new Promise<void>((resolve) => held.push(resolve))
        return JSON.stringify(answer(JSON.parse(text) as KeychainQuestion))
      },
      kill() {
        killed += 1
      },
    }),
  }
  return simulated
}
