/** Many calls find an account's token expired at the same moment, account after account: one renewal each (F8, F61). */
import { credentialRef, sourceId } from '../../src/shared/ids.ts'
import { codexCli, response } from './asks.ts'
import { type Rig, startRig } from './start-core.ts'

export interface RefreshFigures {
  readonly rounds: number
  readonly calls: number
  readonly refreshes: number
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

const mostWrong = 20

/** A new account each round: one that is refused right after its renewal is signed out, not renewed again (F65). */
export async function refreshRounds(rounds: number, callers: number): Promise<RefreshFigures> {
  const rig = await startRig({ sources: ['codex-team'] })
  const wrong: string[] = []
  let calls = 0
  let refreshes = 0
  try {
    for (let round = 0; round < rounds && wrong.length < mostWrong; round += 1) {
      const account = `round-${round}`
      await addAccount(rig, account)
      rig.practice.expireTokens(account)
      const ask = (caller: number) => rig.call(`/${account}/v1/responses`, response(), codexCli(`${round} ${caller}`))
      const answers = await Promise.all(Array.from({ length: callers }, (_, caller) => ask(caller)))
      calls += callers
      const served = answers.filter(({ end, text }) => end === 'whole' && text.includes('response.completed')).length
      const tokens = rig.practice.tokens(account)
      refreshes += tokens.refreshes
      if (served !== callers) wrong.push(`round ${round}: ${served} of ${callers} were served`)
      if (tokens.tokenRequests !== 1) wrong.push(`round ${round}: ${tokens.tokenRequests} token requests`)
      if (tokens.reuses !== 0) wrong.push(`round ${round}: a refresh token was used twice`)
      rig.core.api.sources.remove(sourceId(account))
      rig.practice.forgetSeen()
    }
    return { rounds, calls, refreshes, wrong }
  } finally {
    await rig.close()
  }
}

async function addAccount({ core, practice }: Rig, id: string): Promise<void> {
  const seed = core.api.sources.get(sourceId('codex-team'))
  if (seed?.type !== 'subscription') throw new Error('the seeded account is gone')
  practice.addAccount({ id, provider: 'codex', windows: [] })
  const ref = credentialRef(sourceId(id))
  await core.api.vault.write(ref, practice.credential(id))
  core.api.sources.save({ ...seed, id: sourceId(id), label: id, credentialRef: ref })
}
