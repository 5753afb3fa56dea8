/** A process that claims the tokens named on its command line once it is told to, and prints which were its own. */
import { sharedHolders } from '../../../src/main/adapters/files/holders.ts'

const [folder = '', by = '', rounds = '0'] = process.argv.slice(2)
const holders = sharedHolders({ folder, by, nowMs: () => Date.now() })
process.stdin.once('data', async () => {
  const own: number[] = []
  for (let round = 0; round < Number(rounds); round += 1) {
    if ((await holders.claim(`token-${round}`)) === null) own.push(round)
  }
  process.stdout.write(JSON.stringify(own))
  process.exit(0)
})
process.stdout.write('ready\n')
