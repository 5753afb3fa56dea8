/** Rehearsal: the stored log replayed under another order, strategy or threshold, beside how it was (routing §8). */
import type { CallId } from '../../shared/ids.ts'
import type { CallDetail } from '../domain/call-log.ts'
import type { CallReader } from '../ports.ts'
import { Costs } from './costs.ts'
import { type LoggedCall, loggedCall, sourceOf } from './logged-call.ts'
import { type Present, RehearsedUse } from './rehearsed-use.ts'
import { Replay, type Variation } from './replay.ts'
import { Tally, type Totals } from './tally.ts'
import { unknowns } from './unknowns.ts'
import { UseRates } from './use-rates.ts'
import { type LostAtReset, WindowBooks } from './window-books.ts'

export interface RehearsalAsk extends Variation {
  readonly fromMs: number
  /** Local time minus UTC. */
  readonly offsetMs: number
}

export interface Rehearsal {
  readonly fromMs: number
  /** When the last call looked at began; null when there was none. */
  readonly toMs: number | null
  /** Calls that tell about routing, of those those that were free to go elsewhere, and those that would have. */
  readonly calls: number
  readonly free: number
  readonly moved: number
  /** Calls in the log that tell nothing about routing. */
  readonly skipped: number
  readonly actual: Totals
  readonly would: Totals
  readonly windows: readonly LostAtReset[]
  readonly sources: readonly {
    readonly sourceId: string
    readonly label: string
    readonly actualCalls: number
    readonly wouldCalls: number
    readonly actualTokens: number
    readonly wouldTokens: number
  }[]
  readonly days: readonly { readonly dayMs: number; readonly actual: Totals; readonly would: Totals }[]
  /** What the log can't tell, as sentences. */
  readonly unknowns: readonly string[]
}

/** Small pages: between two of them everything else on this thread goes on. */
const pageLength = 20
export const mostCalls = 200_000

interface Left {
  readonly aborted: boolean
}

export async function rehearse(
  ask: RehearsalAsk,
  reader: Pick<CallReader, 'older'>,
  present: Present,
  left: Left = { aborted: false },
): Promise<Rehearsal> {
  const rates = new UseRates()
  const costs = new Costs(present.cost)
  const back = await readBack(ask.fromMs, reader, left, (detail) => {
    const call = loggedCall(detail)
    if (call === null) return
    rates.learn(call)
    costs.learn(call)
  })
  const stage = new Stage(ask, rates, costs, present)
  for (const before of back.pages.toReversed()) {
    if (left.aborted) break
    const page = await reader.older(before, pageLength)
    for (const detail of page.toReversed()) if (detail.call.startedMs >= ask.fromMs) stage.take(detail)
  }
  return stage.result(back.cutShort)
}

/** Reads the log from its newest call back, and remembers where each page begins for reading it forward again. */
async function readBack(
  fromMs: number,
  reader: Pick<CallReader, 'older'>,
  left: Left,
  take: (detail: CallDetail) => void,
): Promise<{ readonly pages: readonly CallId[]; readonly cutShort: boolean }> {
  const pages: CallId[] = []
  let before: CallId | null = null
  while (!left.aborted) {
    const page: readonly CallDetail[] = await reader.older(before, pageLength)
    const [newest] = page
    if (newest === undefined) break
    // Calls that end meanwhile don't move the pages: each begins just after its newest call.
    pages.push(before ?? (String(Number(newest.call.id) + 1) as CallId))
    for (const detail of page) if (detail.call.startedMs >= fromMs) take(detail)
    const oldest = page.at(-1)
    if (oldest === undefined || oldest.call.startedMs < fromMs || page.length < pageLength) break
    if (pages.length * pageLength >= mostCalls) return { pages, cutShort: true }
    before = oldest.call.id
  }
  return { pages, cutShort: false }
}

/** Takes the calls in order of time and serves each twice: as it was, and as it would have been. */
class Stage {
  readonly #ask: RehearsalAsk
  readonly #costs: Costs
  readonly #books: WindowBooks
  readonly #use: RehearsedUse
  readonly #replay: Replay
  readonly #actual: Tally
  readonly #would: Tally
  readonly #labels = new Map<string, string>()
  #counts = { calls: 0, free: 0, moved: 0, skipped: 0, inherited: 0, withoutNumbers: 0 }
  #toMs: number | null = null

  constructor(ask: RehearsalAsk, rates: UseRates, costs: Costs, present: Present) {
    this.#ask = ask
    this.#costs = costs
    this.#books = new WindowBooks(rates)
    this.#use = new RehearsedUse(present)
    this.#replay = new Replay(ask, this.#books, this.#use)
    this.#actual = new Tally(ask.offsetMs)
    this.#would = new Tally(ask.offsetMs)
  }

  take(detail: CallDetail): void {
    const call = loggedCall(detail)
    if (call === null) {
      this.#counts.skipped += 1
      return
    }
    this.#toMs = call.atMs
    this.#books.passTo(call.atMs)
    for (const { sourceId, windows, place, label } of call.seats) {
      this.#labels.set(sourceId, label)
      if (place !== null) this.#books.saw(sourceId, windows)
    }
    const would = this.#serve(call)
    this.#use.note(detail, would)
    if (call.tokens !== null) {
      this.#books.sent(nameOf(call.served), nameOf(would), call.tokens, call.atMs)
    }
  }

  #serve(call: LoggedCall): string | null {
    const { atMs, session, tokens, served } = call
    const free = this.#replay.isFree(call)
    const would = free ? this.#replay.choose(call) : served
    if (!free && !call.fixed && served !== null) this.#replay.served(call, sourceOf(served))
    const counts = this.#counts
    counts.calls += 1
    if (free) counts.free += 1
    if (would !== served) counts.moved += 1
    if (free && call.inherited) counts.inherited += 1
    if (free && call.seats.some(({ numbers, state }) => numbers === null && state !== 'exhausted')) {
      counts.withoutNumbers += 1
    }
    this.#actual.take({ atMs, session, backendId: served, tokens, cost: call.cost })
    this.#would.take({ atMs, session, backendId: would, tokens, cost: this.#costs.of(call, would) })
    return would
  }

  result(cutShort: boolean): Rehearsal {
    const { calls, free, moved, skipped, inherited, withoutNumbers } = this.#counts
    const unrated = this.#books.unrated()
    const [actual, would] = [this.#actual.totals, this.#would.totals]
    return {
      fromMs: this.#ask.fromMs,
      toMs: this.#toMs,
      ...{ calls, free, moved, skipped, actual, would },
      windows: this.#books.lost(),
      sources: [...this.#labels].map(([sourceId, label]) => ({
        sourceId,
        label,
        actualCalls: this.#actual.source(sourceId).calls,
        wouldCalls: this.#would.source(sourceId).calls,
        actualTokens: this.#actual.source(sourceId).tokens,
        wouldTokens: this.#would.source(sourceId).tokens,
      })),
      days: [...new Set([...this.#actual.days(), ...this.#would.days()])]
        .sort((a, b) => a - b)
        .map((dayMs) => ({ dayMs, actual: this.#actual.day(dayMs), would: this.#would.day(dayMs) })),
      unknowns: unknowns({
        ...{ cutShort, inherited, withoutNumbers, moved, unrated },
        refused: actual.refused,
        costUnknown: would.costUnknown,
      }),
    }
  }
}

const nameOf = (backendId: string | null): string | null => (backendId === null ? null : sourceOf(backendId))
