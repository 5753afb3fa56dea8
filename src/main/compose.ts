/** The composition root: builds every adapter, hands them to the core, and takes them down again in order. */
import { existsSync, readFileSync } from 'node:fs'
import { Refresher } from './accounts/refresh.ts'
import { watchVendorClock } from './accounts/vendor-clock.ts'
import { defaultKeyPath, keySecret, writePrivate } from './adapters/files/data-folder.ts'
import { vendorFiles } from './adapters/files/vendor-files.ts'
import { inflate } from './adapters/http/inflate.ts'
import { systemAddresses, systemChance, systemClock, systemDigest, systemGiveWay } from './adapters/system.ts'
import { ownWeb } from './adapters/upstream/own-web.ts'
import { proxyChooser, proxyEnvironment } from './adapters/upstream/proxy.ts'
import { openUpstream } from './adapters/upstream/undici-upstream.ts'
import { openVault } from './adapters/vault/open-vault.ts'
import type { AskPassphrase } from './adapters/vault/passphrase.ts'
import type { ApiDeps } from './api/api-deps.ts'
import { type Router, routerOf } from './api/router.ts'
import type { Config, Host } from './composition/config.ts'
import { connectClients } from './composition/connect-clients.ts'
import { knownHosts } from './composition/known-hosts.ts'
import { openDesk, openHolders } from './composition/open-desk.ts'
import { openListener } from './composition/open-listener.ts'
import { openSignIns } from './composition/open-sign-ins.ts'
import { openStores } from './composition/open-stores.ts'
import { openTranslation } from './composition/open-translator.ts'
import { plantPractice } from './composition/plant-practice.ts'
import { vaultOptions } from './composition/vault-options.ts'
import { viewOf } from './composition/view-of.ts'
import { dialectsOf, type Source } from './domain/source.ts'
import type { FlowDeps } from './flow/flow-deps.ts'
import { startPractice, startTraffic, type Traffic } from './practice/practice.ts'
import { type HostOverrides, providerOf } from './providers/index.ts'
import { startUpkeep } from './quota/upkeep.ts'
import { Announcer } from './state/announcer.ts'
import { Bindings } from './state/bindings.ts'
import { Budgets } from './state/budgets.ts'
import { FinishedCalls } from './state/finished-calls.ts'
import { Gates } from './state/gates.ts'
import { Keys } from './state/keys.ts'
import { RecentUse } from './state/recent-use.ts'
import { openRemembered } from './state/remembered.ts'
import { Rounds } from './state/rounds.ts'
import { Slots } from './state/slots.ts'
import { Sources } from './state/sources.ts'
import { withoutRows } from './state/without-rows.ts'

/** What a shell gives its host. */
export { nodeHelper } from './adapters/vault/helper-process.ts'
export { passphraseFrom } from './adapters/vault/passphrase-input.ts'
export type { Config, Host } from './composition/config.ts'

export interface Core {
  readonly port: number
  readonly api: ApiDeps
  /** The contract over this core, for every transport. */
  readonly router: Router
  /** The default access key: only on the very first start of this data folder. */
  readonly firstKey: string | null
  readonly keyFile: string
  /** After a sleep: pooled connections are dead, tokens may be due (F23, F67). */
  wake(): void
  stop(): Promise<void>
}

const drainMs = 5_000

export async function compose(config: Config, host: Host): Promise<Core> {
  const undo: (() => void | Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return await build(config, host, undo, close)
  } catch (cause) {
    await close()
    throw cause
  }
}

async function build(
  config: Config,
  host: Host,
  undo: (() => void | Promise<void>)[],
  close: () => Promise<void>,
): Promise<Core> {
  const { dataDir, version } = config
  const clock = systemClock
  const chance = systemChance
  const announcer = new Announcer()
  const opened = openStores(dataDir, clock, host.callsReaderUrl, (area) => announcer.changed(area))
  undo.push(() => opened.close())
  const { log, store, calls, reader } = opened
  const digest = systemDigest(keySecret(dataDir))

  const practice = config.practice ? await startPractice({ clock, eventDelayMs: 40 }) : null
  if (practice !== null) undo.push(() => practice.close())
  const hosts: HostOverrides = practice?.hosts ?? config.hosts

  const originOf = (source: Source): string =>
    providerOf(source).target(source, dialectsOf(source)[0] ?? 'responses', 'generate', '', hosts)?.origin ?? ''
  const sources = new Sources(store, clock, announcer, originOf)
  const keys = new Keys(store, clock, chance, digest, announcer)
  const budgets = new Budgets(store, calls, clock, chance, announcer)
  const remembered = openRemembered(store, clock, chance, announcer, log, budgets)
  const { bindings, conditions, history, owners } = remembered
  undo.push(() => remembered.close())
  const gates = new Gates(clock)

  let offered: Uint8Array | null = null
  const askPassphrase: AskPassphrase = async () => {
    const given = offered
    offered = null
    return given ?? host.askPassphrase()
  }
  const vault = await openVault(vaultOptions(config, { ...host, askPassphrase }, opened, announcer))
  undo.push(() => vault.close())
  if (practice !== null) await plantPractice(practice.seeds, sources, vault)

  let port = 0
  const reachable = knownHosts(hosts, () => sources.picture)
  const proxyFor = proxyChooser(() => proxyEnvironment(host.environment), reachable.has)
  const upstream = openUpstream({ proxyFor, ownPort: () => port })
  undo.push(() => upstream.close())
  const { web, clockSkew } = watchVendorClock(ownWeb(upstream, version), clock, hosts, (vendorMs, isNews) => {
    opened.time.isAt(vendorMs)
    if (isNews) announcer.changed('app')
  })
  const holders = openHolders(dataDir, host.holdersFolder, config.practice, clock)
  const parts = { vault, files: vendorFiles, web, clock, chance, digest, log, hosts, sources, holders }
  const refresher = new Refresher(parts)
  refresher.start()
  undo.push(() => refresher.close())
  const own = { clock, chance, log, web, hosts, conditions, sources }
  const tokenFor = async (source: Source) => refresher.tokenFor(source)
  const wake = (): void => {
    upstream.refresh()
    void refresher.renewDue()
  }
  const vaultOpen = (): boolean => vault.state().state === 'open'
  const upkeep = startUpkeep({ ...own, tokenFor, vaultOpen, addresses: systemAddresses }, wake)
  undo.push(() => upkeep.close())
  const desk = openDesk({ ...own, vault, digest, refresher, host, enterHost: reachable.enter })
  const signIns = openSignIns({ ...own, ...host, digest, dataDir, desk, announcer })
  undo.push(() => signIns.close())

  const translation = openTranslation(host.translationWorkerUrl ?? null, clock, log)
  undo.push(translation.close)
  const rounds = new Rounds(chance)
  const recent = new RecentUse()
  const finished = new FinishedCalls(calls, announcer, recent, budgets)
  const view = viewOf({
    ...{ bindings, gates, owners, rounds, recent, keys, budgets },
    nowMs: () => clock.nowMs(),
    settings: () => opened.settings,
    picture: () => sources.picture,
    health: () => conditions.health,
    quota: () => conditions.quota,
    vaultOpen,
  })
  let isBreakingOff = false
  const deps: FlowDeps = {
    clock,
    digest,
    giveWay: systemGiveWay,
    inflate,
    upstream,
    log,
    calls: config.withoutRows ? withoutRows(calls) : finished,
    hosts,
    slots: new Slots(clock),
    gates,
    owners,
    ...translation.deps,
    shadow: { bindings: new Bindings([], clock.nowMs()), rounds: new Rounds(chance) },
    bindings,
    conditions,
    rounds,
    credentials: {
      credentialFor: (source, rejected) =>
        refresher.tokenFor(source, rejected?.kind === 'oauth' ? { force: rejected.accessToken } : {}),
    },
    present: (text) => keys.present(text),
    isBreakingOff: () => isBreakingOff,
    view,
    signedOut: (id, because) => sources.signedOut(id, because),
  }

  const firstKey = keys.all().length === 0 ? keys.create('default').secret : null
  const keyFile = defaultKeyPath(dataDir)
  if (firstKey !== null) writePrivate(keyFile, firstKey)

  // Once, on the first start; later only when it is asked for.
  if (firstKey !== null && practice === null) await desk.adopt()

  const server = await openListener(config.port ?? opened.settings.proxyPort, deps, proxyFor, upstream)
  port = server.port
  undo.push(() => server.close(drainMs, () => (isBreakingOff = true)))
  let traffic: Traffic | null = null
  if (config.traffic && existsSync(keyFile)) {
    traffic = startTraffic({
      address: `http://127.0.0.1:${port}`,
      key: firstKey ?? readFileSync(keyFile, 'utf8'),
      clock,
    })
    undo.push(() => traffic?.stop())
  }

  const address = (): string => `http://127.0.0.1:${port}`
  const api: ApiDeps = {
    version,
    port,
    dataDir,
    practice,
    clock,
    digest,
    log,
    announcer,
    sources,
    keys,
    budgets,
    bindings,
    conditions,
    gates,
    owners,
    history,
    quotaLog: store,
    calls: finished,
    reader,
    vault,
    desk,
    signIns,
    refresher,
    poller: upkeep.poller,
    web,
    hosts,
    clients: connectClients({ environment: host.environment, vault, store, keys, clock, digest, log, address }),
    repaired: () => opened.repaired,
    clockSkew,
    keepsOldCalls: () => opened.time.isDoubted,
    view,
    settings: () => opened.settings,
    changeSettings(next) {
      opened.changeSettings(next)
      announcer.changed('app')
    },
    offerPassphrase(text) {
      offered = new TextEncoder().encode(text)
    },
    saveDefaultKey: (secret) => writePrivate(keyFile, secret),
    windowLink: host.windowLink ?? (() => null),
  }
  log.info('started', { version, practice: config.practice })
  return {
    port,
    api,
    router: routerOf(api),
    firstKey,
    keyFile,
    wake,
    async stop() {
      log.info('stopping')
      await close()
    },
  }
}
