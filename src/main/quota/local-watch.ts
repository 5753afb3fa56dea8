/**
 * Looks whether local servers run, so that one that doesn't rests before a call finds out, and serves again as soon as it
 * is back: a small GET each minute, every few seconds while it is away; no model is asked (codex §8).
 */
import { backendId } from '../../shared/ids.ts'
import { isResting } from '../domain/health.ts'
import type { LocalProvider } from '../domain/source.ts'
import type { Clock, Web } from '../ports.ts'
import { originOf } from '../providers/target.ts'
import type { Conditions } from '../state/conditions.ts'
import type { Sources } from '../state/sources.ts'

export interface LocalWatchDeps {
  readonly clock: Clock
  readonly web: Web
  readonly sources: Pick<Sources, 'all'>
  readonly conditions: Pick<Conditions, 'health' | 'apply'>
}

export const localWatchRules = {
  tickMs: 5_000,
  /** While it answers. */
  calmMs: 60_000,
  timeoutMs: 3_000,
} as const

export class LocalWatch {
  readonly #deps: LocalWatchDeps
  readonly #lookedMs = new Map<string, number>()
  #cancel: () => void = () => {}
  #isClosed = false

  constructor(deps: LocalWatchDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#cancel = this.#deps.clock.after(localWatchRules.tickMs, () => {
      void this.#round().finally(() => {
        if (!this.#isClosed) this.start()
      })
    })
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  async #round(): Promise<void> {
    const local = this.#deps.sources.all().filter((source) => source.type === 'local')
    await Promise.all(
      local.filter((source) => source.active && this.#isDue(source)).map((source) => this.#look(source)),
    )
  }

  #isDue({ id, baseUrl }: LocalProvider): boolean {
    const { clock, conditions } = this.#deps
    const nowMs = clock.nowMs()
    const isAway =
      conditions.health.sources.get(id)?.because === 'unreachable' ||
      isResting(conditions.health.hosts.get(originOf(baseUrl)), nowMs)
    const lookedMs = this.#lookedMs.get(id)
    return isAway || lookedMs === undefined || Math.abs(nowMs - lookedMs) >= localWatchRules.calmMs
  }

  /** Any answer will do; only where no connection comes about is nothing running. */
  async #look(source: LocalProvider): Promise<void> {
    const { clock, web, conditions } = this.#deps
    this.#lookedMs.set(source.id, clock.nowMs())
    const url = `${source.baseUrl}${source.provider === 'ollama' ? '/api/version' : '/v1/models'}`
    const { timeoutMs } = localWatchRules
    const found = await web.fetch({ url, method: 'GET', headers: [], body: null, proxy: source.proxy, timeoutMs })
    const host = originOf(source.baseUrl)
    const subject = { sourceId: source.id, backendId: backendId(source.id, ''), host }
    const isAway = conditions.health.sources.get(source.id)?.because === 'unreachable'
    if ('status' in found) {
      if (isAway) conditions.apply(subject, { kind: 'runs-again' })
    } else if (found.kind === 'unreachable' && !isAway) {
      const sentence = `Nothing answers at ${host}: ${found.why}.`
      conditions.apply(subject, { kind: 'source-rests', because: 'unreachable', untilMs: null, sentence })
    }
  }
}
