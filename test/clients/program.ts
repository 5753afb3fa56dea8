/** The built program over a simulated world, with taps on all its sides; fresh for each test, gone with it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { CallDetail } from '../../src/main/ports.ts'
import { type Practice, startPractice } from '../../src/main/practice/practice.ts'
import { type Program as Built, startProgram as startBuilt } from '../program/run-program.ts'
import { addSource } from './sources.ts'
import { openTap, type Tap } from './tap.ts'

export const tappedOrigins = ['claude', 'codex', 'anthropicApi', 'openaiApi'] as const
export type Taps = Readonly<Record<(typeof tappedOrigins)[number], Tap>>

export interface Program {
  readonly practice: Practice
  /** What clients are given: the tap in front of Pointsman. */
  readonly address: string
  readonly key: string
  readonly dataDir: string
  /** Home of the client. */
  readonly folder: string
  /** Between client and Pointsman, and between Pointsman and each host. */
  readonly taps: Taps & { readonly client: Tap }
  rpc: Built['rpc']
  /** Finished model calls, oldest first, once there are so many. */
  calls(count: number): Promise<readonly CallDetail[]>
}

type Environment = Readonly<Record<string, string>>

/** `order` names the seeded sources that exist, in the order of the models that the clients ask for. */
export async function startProgram(
  order: readonly string[],
  environment: Environment | ((world: Pick<Program, 'practice' | 'folder'>) => Promise<Environment>) = {},
): Promise<Program> {
  const undo: (() => unknown)[] = []
  onTestFinished(async () => {
    for (const step of undo.reverse()) await step()
  })
  const folder = mkdtempSync(join(tmpdir(), 'pointsman-client-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const practice = await startPractice({ clock: wallClock })
  undo.push(() => practice.close())
  const tapped = await Promise.all(
    tappedOrigins.map(async (name) => [name, await openTap(practice.origins[name])] as const),
  )
  undo.push(() => Promise.all(tapped.map(([, tap]) => tap.close())))
  const taps = Object.fromEntries(tapped) as unknown as Taps
  const built = await startBuilt({
    practice: false,
    args: ['--vault', 'memory', '--no-ui'],
    environment: {
      ...(typeof environment === 'function' ? await environment({ practice, folder }) : environment),
      POINTSMAN_UPSTREAM_CLAUDE: taps.claude.url,
      POINTSMAN_UPSTREAM_CLAUDE_AUTH: practice.hosts.claudeAuth,
      POINTSMAN_UPSTREAM_CODEX: taps.codex.url,
      POINTSMAN_UPSTREAM_CODEX_AUTH: practice.hosts.codexAuth,
    },
  })
  undo.push(() => built.stop())
  for (const id of order) await addSource(id, practice, taps, built.rpc)
  await arrange(order, built.rpc)
  const client = await openTap(built.address)
  undo.push(() => client.close())
  // What the program asked while it was set up is none of the clients' doing.
  practice.forgetSeen()
  for (const [, tap] of tapped) tap.forget()
  return {
    practice,
    address: client.url,
    key: built.key(),
    dataDir: built.dataDir,
    folder,
    taps: { client, ...taps },
    rpc: built.rpc,
    calls: (count) => callsOf(built.rpc, count),
  }
}

const wallClock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs: number, act: () => void) {
    const timer = setTimeout(act, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

interface Pool {
  readonly id: string
  readonly revision: number
  readonly tiers: readonly (readonly { readonly backendId: string; readonly sourceId: string }[])[]
}

async function arrange(order: readonly string[], rpc: Built['rpc']): Promise<void> {
  for (const { id, revision, tiers } of await rpc<readonly Pool[]>('models.pools')) {
    const backends = tiers.flat()
    const tier = order.flatMap((source) => backends.filter(({ sourceId }) => sourceId === source))
    const named = tier.map(({ backendId }) => backendId)
    await rpc('models.setOrder', { poolId: id, tiers: [named], basedOn: revision })
  }
}

const roundMs = 50
const mostRounds = 200

async function callsOf(rpc: Built['rpc'], count: number): Promise<readonly CallDetail[]> {
  for (let round = 0; round < mostRounds; round += 1) {
    const { rows } = await rpc<{ readonly rows: readonly CallDetail['call'][] }>('calls.page', { limit: 100 })
    const finished = rows.filter(({ operation, outcome }) => operation === 'generate' && outcome !== null)
    if (finished.length >= count) {
      return Promise.all(finished.reverse().map(({ id }) => rpc<CallDetail>('calls.get', { id })))
    }
    await new Promise((resolve) => setTimeout(resolve, roundMs))
  }
  throw new Error(`the call log did not reach ${count} finished calls`)
}
