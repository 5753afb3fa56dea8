/** Two built programs of one person hold the same login and find its token expired at the same moment (F61, F66). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Practice, startPractice } from '../../src/main/practice/practice.ts'
import { codexCli, response } from './asks.ts'
import { send } from './client.ts'
import { type Program, startProgram } from './run-program.ts'
import { wallClock } from './start-core.ts'

export interface TwoHolders {
  readonly rounds: number
  readonly refreshes: number
  readonly reuses: number
  /** Rounds in which the first, or the second program renewed. */
  readonly by: readonly [number, number]
  /** What went wrong, in words; must be empty. */
  readonly wrong: readonly string[]
}

const who = 'shared'
const mostWrong = 20

interface Account {
  readonly id: string
  readonly state: string
  readonly because: string
}

export async function twoHolders(rounds: number): Promise<TwoHolders> {
  const home = mkdtempSync(join(tmpdir(), 'pointsman-two-'))
  const practice = await startPractice({ clock: wallClock })
  practice.addAccount({ id: who, provider: 'codex', windows: [] })
  const started = await Promise.all(['one', 'two'].map((name) => start(join(home, name), home, practice)))
  const [first, second] = started
  const wrong: string[] = []
  const by: [number, number] = [0, 0]
  try {
    if (first === undefined || second === undefined) throw new Error('two programs are needed')
    for (let round = 0; round < rounds && wrong.length < mostWrong; round += 1) {
      const login = loginOf(practice)
      for (const program of started) await program.rpc('accounts.import', { ...login, replaces: await known(program) })
      const before = practice.tokens(who)
      practice.expireTokens(who)
      // Neither is always the first to be asked.
      const order = round % 2 === 0 ? [first, second] : [second, first]
      await Promise.all(order.map(ask))
      const after = practice.tokens(who)
      const sent = after.tokenRequests - before.tokenRequests
      if (sent !== 1 || after.reuses !== before.reuses)
        wrong.push(`round ${round}: ${sent} token requests, ${after.reuses - before.reuses} of a spent token`)
      const [one, two] = await Promise.all([accountIn(first), accountIn(second)])
      const winner = one.state === 'ready' ? 0 : 1
      by[winner] += 1
      const states = [one, two].map(({ state }) => state)
      if (states.filter((state) => state === 'ready').length !== 1) wrong.push(`round ${round}: ${states.join(', ')}`)
      const loser = winner === 0 ? two : one
      const named = started[winner]?.dataDir ?? ''
      if (!loser.because.includes(named)) wrong.push(`round ${round}: ${loser.because}`)
    }
    const { refreshes, reuses } = practice.tokens(who)
    return { rounds, refreshes, reuses, by, wrong }
  } finally {
    await Promise.all(started.map((program) => program.stop()))
    await practice.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

function start(dataDir: string, home: string, practice: Practice): Promise<Program> {
  return startProgram({
    dataDir,
    practice: false,
    args: ['--vault', 'memory'],
    environment: {
      HOME: home,
      POINTSMAN_UPSTREAM_CODEX: practice.hosts.codex,
      POINTSMAN_UPSTREAM_CODEX_AUTH: practice.hosts.codexAuth,
    },
  })
}

const loginOf = (practice: Practice) => {
  const { accessToken, refreshToken, idToken } = practice.signIn(who)
  const tokens = { access_token: accessToken, refresh_token: refreshToken, id_token: idToken }
  return { provider: 'codex', label: 'Shared', credential: { auth_mode: 'chatgpt', tokens } }
}

const known = async (program: Program): Promise<string | undefined> =>
  (await program.rpc<readonly Account[]>('accounts.list'))[0]?.id

async function accountIn(program: Program): Promise<Account> {
  const [account] = await program.rpc<readonly Account[]>('accounts.list')
  if (account === undefined) throw new Error('the account is gone')
  return account
}

const ask = (program: Program) =>
  send({
    port: Number(new URL(program.address).port),
    path: '/codex/v1/responses',
    method: 'POST',
    headers: { authorization: `Bearer ${program.key()}`, ...codexCli().headers },
    body: JSON.stringify(response()),
  })
