/** Who comes through a simulated sign-in page next. */
import { newAccount } from './seeds.ts'
import type { PracticeAccount, World } from './world.ts'

/** The expected one, else whoever has been revoked (so that a drill can be finished), else somebody new. */
export function arrival(
  world: World,
  provider: 'claude' | 'codex',
  expected: Map<string, string>,
  nowMs: number,
): PracticeAccount {
  const id = expected.get(provider)
  if (id !== undefined) return world.account(id)
  const accounts = world.all().filter((source) => source.kind === 'account' && source.provider === provider)
  const revoked = accounts.find((account) => account.fault === 'revoke')
  if (revoked !== undefined) {
    revoked.fault = 'none'
    return world.account(revoked.id)
  }
  const name = provider === 'claude' ? 'Claude' : 'Codex'
  let number = accounts.length + 1
  while (world.find(`${provider}-new-${number}`) !== null) number += 1
  return world.add(newAccount({ id: `${provider}-new-${number}`, label: `${name}, new ${number}`, provider }, nowMs))
}
