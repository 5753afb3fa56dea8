/** Simulated upstreams for practice mode and tests: starts them, seeds them, lets others script, break and watch them. */
import type { Credential } from '../domain/credential.ts'
import type { Clock } from '../ports.ts'
import { arrival } from './arrival.ts'
import type { Behaviour, OriginName } from './behaviour.ts'
import { claudeAccounts, claudeKeys } from './claude.ts'
import { codexAccounts } from './codex.ts'
import { codexUpgrade } from './codex-socket.ts'
import { setFault, settle } from './faults.ts'
import { Grants, type Issued, type TokenCounts } from './grants.ts'
import { type Desk, signIn } from './oauth.ts'
import { ollama } from './ollama.ts'
import { openaiKeys } from './openai.ts'
import { type Received, ReceivedLog, type SeenFilter } from './received.ts'
import { isOrigin, Script } from './script.ts'
import { type NewAccount, newAccount, seedLocal } from './seeds.ts'
import { type Origin, type OriginParts, openOrigin } from './server.ts'
import { noSeeds, oauthCredential, type Seeds, sow } from './sow.ts'
import type { Vendor } from './vendor.ts'
import type { PracticeWindow } from './windows.ts'
import { type Fault, type PracticeAccount, type PracticeKey, type PracticeSource, World, windowsNow } from './world.ts'

export type {
  Behaviour,
  Content,
  ErrorName,
  OriginName,
  ToolCall,
} from './behaviour.ts'
export type { Issued, TokenCounts } from './grants.ts'
export { malformedNames } from './malformed.ts'
export type { Received, SeenFilter } from './received.ts'
export { fiveHour, type NewAccount, weekly } from './seeds.ts'
export type { Seeds } from './sow.ts'
export { startTraffic, type Traffic } from './traffic.ts'
export type { PracticeWindow } from './windows.ts'
export type { Fault, PracticeAccount } from './world.ts'

export interface PracticeOptions {
  readonly clock: Clock
  /** Between the events of a stream; 0 in tests. */
  readonly eventDelayMs?: number
  /** 0, the default, takes any free port. */
  readonly ports?: Partial<Record<OriginName, number>>
  /** How long access tokens live. */
  readonly accessTokenLifeMs?: { readonly claude: number; readonly codex: number }
  /** False: no accounts and no keys to begin with. */
  readonly seeded?: boolean
}

/** One source as `practice.state` shows it. */
export interface PracticeState {
  readonly sourceId: string
  readonly label: string
  readonly fault: Fault
  readonly windows: readonly PracticeWindow[]
}

export interface Practice {
  readonly origins: Readonly<Record<OriginName, string>>
  /** As `HostOverrides` wants them. */
  readonly hosts: {
    readonly claude: string
    readonly claudeAuth: string
    readonly codex: string
    readonly codexAuth: string
  }
  readonly seeds: Seeds

  /** Queues behaviours for the next requests of a source id or at an origin, one each. */
  script(target: string, ...behaviours: readonly Behaviour[]): void
  /** Sets what happens when nothing is queued; null takes it away. */
  usually(target: string, behaviour: Behaviour | null): void
  /** Forgets scripts and defaults, of one target or of all. */
  unscript(target?: string): void
  /** Queued behaviours not used yet. */
  queued(target: string): number

  fault(sourceId: string, fault: Fault, options?: { readonly minutes?: number }): void
  state(): readonly PracticeState[]

  seen(filter?: SeenFilter): readonly Received[]
  waitFor(fits: (request: Received) => boolean, boundMs?: number): Promise<Received>
  forgetSeen(): void
  openSockets(origin?: OriginName): number
  dropIdleSockets(origin: OriginName): void

  addAccount(facts: NewAccount): PracticeAccount
  addKey(origin: 'anthropicApi' | 'openaiApi', id: string, key: string): void
  account(id: string): PracticeAccount
  setWindows(id: string, windows: readonly PracticeWindow[]): void
  /** A new sign-in of the account, as its own client would do; `setupToken` makes the long-lived kind. */
  signIn(id: string, how?: { readonly setupToken?: boolean }): Issued
  credential(id: string): Credential
  /** Who comes next through the authorize page or a device code; null: whoever is revoked, else somebody new. */
  expectSignIn(provider: 'claude' | 'codex', id: string | null): void
  /** Approves waiting device codes, as opening the vendor's page does. */
  approveDevices(): void
  /** Makes live access tokens fail as expired. */
  expireTokens(id: string): void
  tokens(id: string): TokenCounts
  close(): Promise<void>
}

const defaultLifeMs = { claude: 8 * 3_600_000, codex: 10 * 24 * 3_600_000 }
const exhaustMinutes = 5

export async function startPractice(options: PracticeOptions): Promise<Practice> {
  const { clock } = options
  const world = new World()
  const grants = new Grants(options.accessTokenLifeMs ?? defaultLifeMs)
  const script = new Script()
  const log = new ReceivedLog()
  const expected = new Map<'claude' | 'codex', string>()
  const desk: Desk = {
    grants,
    devices: new Map(),
    arrival: (provider) => arrival(world, provider, expected, clock.nowMs()),
  }

  const open = (name: OriginName, vendor: Vendor, upgrade?: OriginParts['upgrade']): Promise<Origin> =>
    openOrigin({ ...partsOf(name, vendor), ...(upgrade === undefined ? {} : { upgrade }) })
  const partsOf = (name: OriginName, vendor: Vendor): OriginParts => ({
    name,
    vendor,
    script,
    log,
    clock,
    eventDelayMs: options.eventDelayMs ?? 0,
    port: options.ports?.[name] ?? 0,
  })
  const codex = codexAccounts(world, grants)
  const opened = {
    claude: await open('claude', claudeAccounts(world, grants)),
    claudeAuth: await open('claudeAuth', signIn('claude', desk)),
    codex: await open('codex', codex, codexUpgrade(partsOf('codex', codex), codex)),
    codexAuth: await open('codexAuth', signIn('codex', desk)),
    anthropicApi: await open('anthropicApi', claudeKeys(world)),
    openaiApi: await open('openaiApi', openaiKeys(world)),
    ollamaHost: await open('ollamaHost', ollama(world)),
  } satisfies Record<OriginName, Origin>
  const all = Object.values(opened)
  const origins = Object.fromEntries(all.map((origin) => [origin.name, origin.url])) as Record<OriginName, string>
  world.add(seedLocal())
  const seeds = options.seeded === false ? noSeeds : sow(world, grants, origins, clock.nowMs())
  const { claude, claudeAuth, codexAuth } = origins

  return {
    origins,
    hosts: { claude, claudeAuth, codex: origins.codex, codexAuth },
    seeds,
    script: (target, ...behaviours) => script.next(known(world, target), behaviours),
    usually: (target, behaviour) => script.always(known(world, target), behaviour),
    unscript: (target) => script.clear(target),
    queued: (target) => script.left(target),
    fault(id, fault, { minutes = exhaustMinutes } = {}) {
      const source = world.find(id)
      if (source === null) throw new Error(`no practice source ${id}`)
      setFault(source, fault, { script, grants, nowMs: clock.nowMs(), minutes })
    },
    state: () => world.all().map((source) => stateOf(source, clock.nowMs())),
    seen: (filter) => log.seen(filter),
    waitFor: (fits, boundMs) => log.waitFor(fits, boundMs),
    forgetSeen: () => log.clear(),
    openSockets: (name) =>
      all.reduce((sum, origin) => sum + (name === undefined || origin.name === name ? origin.sockets.size : 0), 0),
    dropIdleSockets: (name) => opened[name].dropIdle(),
    addAccount: (facts) => world.add(newAccount(facts, clock.nowMs())),
    addKey(origin, id, key) {
      const added: PracticeKey = {
        kind: 'key',
        id,
        label: id,
        origin,
        key,
        refusal: null,
        fault: 'none',
        warm: new Map(),
      }
      world.add(added)
    },
    account: (id) => world.account(id),
    setWindows(id, windows) {
      world.account(id).windows = windows
    },
    signIn: (id, how) => newSignIn(world.account(id), grants, clock.nowMs(), how?.setupToken === true),
    credential(id) {
      const account = world.account(id)
      return oauthCredential(account, newSignIn(account, grants, clock.nowMs(), false), clock.nowMs())
    },
    expectSignIn(provider, id) {
      if (id === null) expected.delete(provider)
      else expected.set(provider, world.account(id).id)
    },
    approveDevices() {
      for (const device of desk.devices.values()) device.approved = true
    },
    expireTokens: (id) => grants.expire(world.account(id)),
    tokens: (id) => grants.counts(id),
    async close() {
      await Promise.all(all.map((origin) => origin.close()))
    },
  }
}

function stateOf(source: PracticeSource, nowMs: number): PracticeState {
  settle(source, nowMs)
  const { id, label, fault } = source
  return { sourceId: id, label, fault, windows: source.kind === 'account' ? windowsNow(source, nowMs) : [] }
}

const setupTokenLifeMs = 365 * 24 * 3_600_000

function newSignIn(account: PracticeAccount, grants: Grants, nowMs: number, setupToken: boolean): Issued {
  return setupToken ? grants.issue(account, nowMs, ['user:inference'], setupTokenLifeMs) : grants.issue(account, nowMs)
}

function known(world: World, target: string): string {
  if (world.find(target) === null && !isOrigin(target)) throw new Error(`no practice source or origin ${target}`)
  return target
}
