/** Run on a small disk of its own: fills it, and reports how the vault fares (F37). */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import { PointsmanError } from '../../../src/shared/errors.ts'
import { credentialRef, sourceId } from '../../../src/shared/ids.ts'

const [, , folder = '', keyFile = ''] = process.argv
const work = credentialRef(sourceId('work'))
const waiting = new Set<() => void>()
const clock = {
  nowMs: () => 1,
  after: (_delayMs: number, act: () => void) => {
    waiting.add(act)
    return () => void waiting.delete(act)
  },
}
const options = { kind: 'file', folder, keyFile, clock, log: { info: () => {} } } as const
const vault = await openVault(options)
const reserve = () => existsSync(join(folder, 'vault.reserve'))
const key = (round: number) => ({ kind: 'api-key', key: `${round} ${'k'.repeat(20_000)}` }) as const
const roundOf = (opened: typeof vault) => {
  const found = opened.read(work)
  return found?.kind === 'api-key' ? Number.parseInt(found.key, 10) : null
}

/** Takes every block that is left. */
const fill = (name: string) => {
  for (let size = 65_536, n = 0; size >= 1; n += 1) {
    try {
      writeFileSync(join(folder, `${name}-${n}`), Buffer.alloc(size), { flag: 'wx' })
    } catch {
      rmSync(join(folder, `${name}-${n}`), { force: true })
      size = Math.floor(size / 2)
    }
    if (size < 4096) break
  }
}
const turn = async () => {
  const due = [...waiting]
  waiting.clear()
  for (const act of due) act()
  // The retried save ends when the vault takes the next one; a read of its state needs that.
  await vault.write(work, key(3)).catch(() => {})
}

await vault.write(work, key(1))
const before = { reserve: reserve() }
fill('ballast')
await vault.write(work, key(2))
const savedFromReserve = { state: vault.state(), reserve: reserve() }
fill('more')
const code = await vault.write(work, key(3)).then(
  () => 'saved',
  (error: unknown) => (error instanceof PointsmanError ? error.problem.code : String(error)),
)
const refused = { code, state: vault.state(), round: roundOf(vault) }
await turn()
const stillRefused = { state: vault.state(), waiting: waiting.size }
for (const name of readdirSync(folder)) if (/^(ballast|more)-/.test(name)) rmSync(join(folder, name))
await turn()
const afterSpace = { state: vault.state(), reserve: reserve(), waiting: waiting.size }
await vault.close()
const again = await openVault(options)
const reopened = roundOf(again)
await again.close()
const leftovers = readdirSync(folder).filter((name) => name.endsWith('.tmp'))
process.stdout.write(
  JSON.stringify({ before, savedFromReserve, refused, stillRefused, afterSpace, reopened, leftovers }),
)
