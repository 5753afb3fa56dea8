/**
 * Keys, policies and budgets as a state machine: random steps with calls in flight, faults and clock jumps; after each
 * one nothing may have been let through that should not have been. POINTSMAN_ACCESS_STEPS sets the length.
 */
import { expect, test } from 'vitest'
import type { StoredBalance } from '../../src/main/budget-ports.ts'
import { keyState, type RoutePolicy } from '../../src/main/domain/access-key.ts'
import type { Budget, LedgerEntry } from '../../src/main/domain/budget.ts'
import { cycleStart } from '../../src/main/domain/budget.ts'
import type { Execution } from '../../src/main/domain/call.ts'
import { settlements } from '../../src/main/domain/charges.ts'
import type { Plan } from '../../src/main/flow/50-order.ts'
import { candidateLost, keyLost } from '../../src/main/flow/second-look.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import type { View } from '../../src/main/flow/view.ts'
import type { ConfigStore } from '../../src/main/ports.ts'
import { Announcer } from '../../src/main/state/announcer.ts'
import { Budgets } from '../../src/main/state/budgets.ts'
import { Keys } from '../../src/main/state/keys.ts'
import { type BudgetId, callId, type KeyId, sourceId } from '../../src/shared/ids.ts'
import { account, ask, nowMs, planFor, viewOf } from '../flow/kit.ts'

const steps = Number(process.env.POINTSMAN_ACCESS_STEPS ?? 5_000)
const dayMs = 86_400_000

/** Repeatable chance. */
function dice(seed: number) {
  let state = seed
  const unit = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return { unit, below: (limit: number) => Math.floor(unit() * limit) }
}

interface Running {
  readonly plan: Plan
  readonly number: number
  readonly budgetId: BudgetId | null
  readonly cycleMs: number | null
}

class World {
  readonly #dice: ReturnType<typeof dice>
  #nowMs = nowMs
  readonly #sources = ['a', 'b', 'c'].map((id) => ({ ...account(id), active: true }))
  /** The file, as the tables keep it: an execution once per budget. */
  readonly ledger: LedgerEntry[] = []
  readonly #once = new Set<string>()
  #refuses = false
  #stored = new Map<string, StoredBalance>()
  /** The one that each key answers to. */
  readonly #secrets = new Map<KeyId, string>()
  readonly #storedBudgets = new Map<BudgetId, Budget>()
  readonly keys: Keys
  budgets: Budgets
  readonly running: Running[] = []
  readonly counts = { served: 0, refused: 0, settled: 0, lost: 0 }
  #calls = 0

  constructor(seed: number) {
    this.#dice = dice(seed)
    const { clock, chance } = this
    const saveKey = (): void => {
      if (this.#refuses) throw new Error('disk full')
    }
    const store = { keys: () => [], saveKey } as unknown as ConfigStore
    const digest = { sha256: (text: string) => text, keyDigest: (text: string) => text }
    this.keys = new Keys(store, clock, chance, digest, new Announcer())
    this.budgets = this.#open()
    for (const label of ['one', 'two', 'three']) {
      const { key, secret } = this.keys.create(label)
      this.#secrets.set(key.id, secret)
    }
    for (const [label, cycle] of [
      ['daily', 'day'],
      ['weekly', 'week'],
      ['ever', 'none'],
    ] as const) {
      this.budgets.create({ label, cycle, amount: 2_000_000, timeZone: 'America/Sao_Paulo' })
    }
  }

  readonly clock = { nowMs: () => this.#nowMs, elapsedMs: () => 0, after: () => () => {} }
  readonly chance = {
    unit: () => this.#dice.unit(),
    bytes: (length: number) => Uint8Array.from({ length }, () => this.#dice.below(256)),
  }

  /** As a start does: balances from the one file, sums from the other. */
  #open(): Budgets {
    const store = {
      budgets: () => [...this.#storedBudgets.values()],
      saveBudget: (budget: Budget) => void this.#storedBudgets.set(budget.id, budget),
      balances: () => [...this.#stored.values()],
    }
    const ledger = { enter: (entry: LedgerEntry) => this.#enter(entry), sums: () => this.sums() }
    return new Budgets(store, ledger, this.clock, this.chance, new Announcer())
  }

  #enter(entry: LedgerEntry): boolean {
    if (this.#refuses) throw new Error('disk full')
    const name = `${entry.budgetId} ${entry.executionId} ${entry.kind}`
    if (entry.executionId !== null && this.#once.has(name)) return false
    if (entry.executionId !== null) this.#once.add(name)
    this.ledger.push(entry)
    return true
  }

  sums(): readonly StoredBalance[] {
    const found = new Map<string, StoredBalance>()
    for (const { budgetId, cycleMs, amount } of this.ledger) {
      const name = `${budgetId} ${cycleMs}`
      const { sum, entries } = found.get(name) ?? { sum: 0, entries: 0 }
      found.set(name, { budgetId, cycleMs, sum: sum + amount, entries: entries + 1 })
    }
    return [...found.values()]
  }

  view(): View {
    const base = viewOf({ sources: this.#sources.filter(({ active }) => active) })
    return { ...base, nowMs: this.#nowMs, keys: this.keys, budgets: this.budgets }
  }

  #anyKey(): KeyId {
    const all = this.keys.all()
    return (all[this.#dice.below(all.length)] ?? this.keys.find('one')).id
  }

  #anyBudget(): Budget {
    const all = [...this.budgets.all.values()]
    return all[this.#dice.below(all.length)] as Budget
  }

  #anyPolicy(): RoutePolicy | null {
    const one = [sourceId('abc'[this.#dice.below(3)] ?? 'a')]
    const policies = [
      { mode: 'default' },
      { mode: 'strict', sources: one },
      { mode: 'pool', sources: [...one, sourceId('a')], strategy: 'ordered' },
      { mode: 'preferred', sources: one, fallback: 'none' },
      { mode: 'preferred', sources: one, fallback: 'default' },
      null,
    ] as const
    return policies[this.#dice.below(policies.length)] ?? null
  }

  step(): void {
    const roll = this.#dice.below(100)
    if (roll < 33) this.#begin()
    else if (roll < 62) this.#end()
    else if (roll < 64) this.#rotate()
    else if (roll < 66) this.#changeSeveral()
    else if (roll < 73) this.#change(() => this.keys.change(this.#anyKey(), { policy: this.#anyPolicy() }))
    else if (roll < 79) {
      const budgetId = this.#dice.below(3) === 0 ? null : this.#anyBudget().id
      this.#change(() => this.keys.change(this.#anyKey(), { budgetId }))
    } else if (roll < 84) this.#move()
    else if (roll < 87) this.budgets.change(this.#anyBudget().id, { enabled: this.#dice.below(4) > 0 })
    else if (roll < 90) this.#adjust()
    else if (roll < 94) this.#nowMs += Math.round((this.#dice.unit() - 0.35) * 2 * dayMs)
    else if (roll < 97) this.#switchSource()
    else if (roll < 98) this.keys.change(this.#anyKey(), { expiresAtMs: this.#nowMs + this.#dice.below(dayMs) })
    else this.#restart()
  }

  /** The disk may refuse it: then every key is as it was. Either way each key answers to its secret. */
  #change(act: () => void): void {
    this.#refuses = this.#dice.below(6) === 0
    const before = this.keys.all()
    try {
      act()
    } catch (cause) {
      if (!this.#refuses) throw cause
      expect(this.keys.all()).toEqual(before)
    }
    this.#refuses = false
    for (const [id, secret] of this.#secrets) expect(this.keys.present(secret)?.id).toBe(id)
  }

  #rotate(): void {
    const id = this.#anyKey()
    const old = this.#secrets.get(id) ?? ''
    this.#change(() => {
      const { secret } = this.keys.rotate(id)
      this.#secrets.set(id, secret)
      expect(this.keys.present(old)).toBeUndefined()
    })
  }

  /** All of them or none. */
  #changeSeveral(): void {
    const ids = [...this.#secrets.keys()].slice(0, 2 + this.#dice.below(2))
    const policy = this.#anyPolicy()
    const state = this.#dice.below(4) === 0 ? ('disabled' as const) : undefined
    this.#change(() => {
      this.keys.changeAll(ids.map((id) => [id, { policy, state }]))
      for (const id of ids) expect(this.keys.get(id)?.policy).toEqual(policy)
    })
  }

  #move(): void {
    const key = this.keys.get(this.#anyKey())
    if (key === undefined || key.state === 'revoked') return
    if (key.expiresAtMs !== null && key.expiresAtMs <= this.#nowMs) this.keys.change(key.id, { expiresAtMs: null })
    this.keys.setState(key.id, keyState(key, this.#nowMs) === 'active' ? 'disabled' : 'active')
  }

  #switchSource(): void {
    const source = this.#sources[this.#dice.below(3)]
    if (source !== undefined) source.active = !source.active
  }

  #adjust(): void {
    this.#refuses = this.#dice.below(5) === 0
    const budget = this.#anyBudget()
    const before = this.budgets.left(budget, this.#nowMs)
    const amount = this.#dice.below(3_000_000) - 500_000
    try {
      this.budgets.enter(budget.id, { kind: 'adjust', amount, executionId: null, note: null })
      expect(this.budgets.left(budget, this.#nowMs)).toBe(before + amount)
    } catch (cause) {
      if (!this.#refuses) throw cause
      expect(this.budgets.left(budget, this.#nowMs)).toBe(before)
    }
    this.#refuses = false
  }

  /** Killed without a last save, or ended with one. */
  #restart(): void {
    if (this.#dice.below(2) === 0) {
      for (const one of this.budgets.takeChanges()) this.#stored.set(`${one.budgetId} ${one.cycleMs}`, one)
    }
    this.budgets = this.#open()
  }

  #begin(): void {
    const view = this.view()
    const key = this.keys.get(this.#anyKey())
    if (key === undefined) return
    const planned = planFor(ask({ key }), view)
    const budget = key.budgetId === null ? null : (this.budgets.all.get(key.budgetId) ?? null)
    const shut =
      keyState(key, this.#nowMs) !== 'active' ||
      key.policy === null ||
      (key.budgetId !== null && budget?.enabled !== true) ||
      (budget !== null && this.budgets.left(budget, this.#nowMs) <= 0)
    if (shut) expect(planned).toBeInstanceOf(Refusal)
    if (planned instanceof Refusal) {
      this.counts.refused += 1
      return
    }
    this.#calls += 1
    const cycleMs = budget === null ? null : cycleStart(budget, this.#nowMs)
    this.running.push({ plan: planned, number: this.#calls, budgetId: key.budgetId, cycleMs })
  }

  /** One of those in flight is sent and ends, perhaps after a failed attempt, perhaps reported twice. */
  #end(): void {
    const [call] = this.running.splice(this.#dice.below(Math.max(1, this.running.length)), 1)
    if (call === undefined) return
    const { plan, number } = call
    const view = this.view()
    if (keyLost(plan.ask.key, view) !== null) {
      this.counts.lost += 1
      return
    }
    const open = plan.order.filter((candidate) => candidateLost(candidate, plan, view) === null)
    for (const { backend } of open) expect(mayServe(plan.policy, backend.source.id)).toBe(true)
    if (open.length === 0) {
      this.counts.lost += 1
      return
    }
    this.counts.served += 1
    const usage = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 }
    const executions = open.slice(0, 1 + this.#dice.below(2)).map(({ backend }) => ({
      backendId: backend.id,
      startedMs: this.#nowMs,
      usage: this.#dice.below(4) === 0 ? null : { ...usage, inputTokens: this.#dice.below(200), outputTokens: 5 },
    })) as unknown as readonly Execution[]
    const backendOf = ({ backendId }: Execution) => plan.order.find(({ backend }) => backend.id === backendId)?.backend
    const identity = { id: callId(String(number)), serviceTier: null }
    const entries = settlements(plan.charges, identity, executions, backendOf)
    const expected = call.budgetId === null ? 0 : executions.filter((one) => one.usage !== null).length
    expect(entries).toHaveLength(expected)
    for (const entry of entries) expect([entry.budgetId, entry.cycleMs]).toEqual([call.budgetId, call.cycleMs])
    for (let times = 1 + this.#dice.below(2); times > 0; times -= 1) {
      for (const entry of entries) this.#enter(entry)
      this.budgets.settle(entries)
    }
    this.counts.settled += entries.length
  }

  /** The balance is the sum of the ledger, in the cycle that runs now. */
  check(): void {
    for (const budget of this.budgets.all.values()) {
      const cycleMs = cycleStart(budget, this.#nowMs)
      const lines = this.ledger.filter((entry) => entry.budgetId === budget.id && entry.cycleMs === cycleMs)
      const sum = lines.reduce((total, { amount }) => total + amount, 0)
      expect(this.budgets.left(budget, this.#nowMs)).toBe(budget.amount + sum)
    }
  }
}

const mayServe = (policy: RoutePolicy, id: string): boolean =>
  policy.mode === 'default' ||
  policy.sources.some((source) => source === id) ||
  (policy.mode === 'preferred' && policy.fallback === 'default')

test(
  `${steps} steps: nothing outside its policy, each balance the sum of its ledger, nothing settled twice`,
  () => {
    const world = new World(7)
    for (let step = 0; step < steps; step += 1) {
      world.step()
      if (step % 20 === 0) world.check()
    }
    world.check()
    const settled = world.ledger.filter(({ kind }) => kind === 'settle')
    const names = settled.map(({ budgetId, executionId }) => `${budgetId} ${executionId}`)
    expect(new Set(names).size).toBe(names.length)
    expect(settled).toHaveLength(world.counts.settled)
    for (const count of Object.values(world.counts)) expect(count).toBeGreaterThan(steps / 200)
  },
  Math.max(20_000, steps * 3),
)
