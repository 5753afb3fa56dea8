/**
 * A process of its own that opens a vault and does as its one argument says, so that a test can let it be killed at
 * a chosen step, run it under strace, or on a small disk.
 */
import type { SaveStep } from '../../../src/main/adapters/vault/durable-file.ts'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import type { RotationStep } from '../../../src/main/adapters/vault/stored-vault.ts'
import type { Credential } from '../../../src/main/domain/credential.ts'
import { credentialRef, sourceId } from '../../../src/shared/ids.ts'

export type Step = SaveStep | RotationStep

export interface Order {
  readonly folder: string
  readonly keyFile: string
  /** How many times `write` writes; each round renews both accounts. */
  readonly rounds: number
  readonly rotate: boolean
  readonly umask?: number
  /** Ends the process when this step comes for the `nth` time. */
  readonly killAt?: { readonly step: Step; readonly nth: number }
}

const order = JSON.parse(process.argv[2] ?? '') as Order
if (order.umask !== undefined) process.umask(order.umask)

let left = order.killAt?.nth ?? 0
const vault = await openVault({
  kind: 'file',
  folder: order.folder,
  keyFile: order.keyFile,
  clock: { nowMs: () => 1, after: () => () => {} },
  log: { info: () => {} },
  onStep(step) {
    if (step !== order.killAt?.step) return
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  },
})
process.stdout.write(`state ${vault.state().state}\n`)

const renewed = (name: string, round: number): Credential => ({ kind: 'api-key', key: `canary-${name}-${round}` })

for (let round = 1; round <= order.rounds; round += 1) {
  const written = ['a', 'b'].map((name) => vault.write(credentialRef(sourceId(name)), renewed(name, round)))
  await Promise.all(written)
  process.stdout.write(`saved ${round}\n`)
}
if (order.rotate) {
  await vault.rotateKey()
  process.stdout.write('rotated\n')
}
await vault.close()
