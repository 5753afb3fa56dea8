/**
 * MAG's strategies once more, written from its documentation alone and in another way: the next seat is chosen again
 * and again by asking whether one must come before another, instead of sorting by a comparison.
 */
import type { Seat } from '../../src/main/domain/seat.ts'

/** Must `a` be tried before `b`, by what the text says? */
type Before = (a: Seat, b: Seat) => boolean

/** Chooses the first seat that nobody left has to precede; among those it is the earliest listed. */
function choose(seats: readonly Seat[], before: Before): number[] {
  const left = new Set(seats.keys())
  const order: number[] = []
  while (left.size > 0) {
    const next = [...left].find((i) => ![...left].some((j) => before(seats[j]!, seats[i]!)))!
    order.push(next)
    left.delete(next)
  }
  return order
}

type Level = 'fine' | 'low' | 'spent'
const levels: readonly Level[] = ['fine', 'low', 'spent']
const levelOf = ({ used }: Seat): Level => (used >= 98 ? 'spent' : used >= 90 ? 'low' : 'fine')
const isBetterLevel = (a: Seat, b: Seat): boolean => levels.indexOf(levelOf(a)) < levels.indexOf(levelOf(b))
const sameLevel = (a: Seat, b: Seat): boolean => levelOf(a) === levelOf(b)

/** Whole hours since the epoch for each window, as text so that hours are compared as what they are: names of hours. */
const hours = ({ soonMs }: Seat): string[] => soonMs.map((at) => new Date(at).toISOString().slice(0, 13))

function renewsBefore(a: Seat, b: Seat): boolean {
  const [x, y] = [hours(a), hours(b)]
  const k = Array.from({ length: Math.max(x.length, y.length) }, (_, i) => i).find((i) => x[i] !== y[i])
  if (k === undefined) return false
  if (x[k] === undefined || y[k] === undefined) return y[k] === undefined
  return x[k]! < y[k]!
}

export const smart = (seats: readonly Seat[]): number[] =>
  choose(seats, (a, b) => {
    if (!sameLevel(a, b)) return isBetterLevel(a, b)
    if (levelOf(a) === 'low') return a.used < b.used
    if (levelOf(a) === 'spent') return a.credits !== b.credits ? a.credits : a.used < b.used
    if (a.learns !== b.learns) return a.learns
    return renewsBefore(a, b)
  })

export const leastUsed = (seats: readonly Seat[]): number[] =>
  choose(seats, (a, b) => {
    if (levelOf(a) === 'spent' && levelOf(b) === 'spent' && a.credits !== b.credits) return a.credits
    return a.used !== b.used ? a.used < b.used : a.tokens < b.tokens
  })

/** Takes the highest pace left, and with it everything within a tenth of it: one band. */
function bands(seats: readonly Seat[]): Map<Seat, number> {
  const band = new Map<Seat, number>()
  let left = seats.filter((seat) => levelOf(seat) === 'fine' && !seat.learns)
  for (let number = 0; left.length > 0; number += 1) {
    const top = Math.max(...left.map(({ pace }) => pace))
    const alike = left.filter(({ pace }) => !(pace < 0.9 * top))
    for (const seat of alike) band.set(seat, number)
    left = left.filter((seat) => !alike.includes(seat))
  }
  return band
}

export function pace(seats: readonly Seat[]): number[] {
  const band = bands(seats)
  return choose(seats, (a, b) => {
    if (!sameLevel(a, b)) return isBetterLevel(a, b)
    if (levelOf(a) === 'spent' && a.credits !== b.credits) return a.credits
    if (levelOf(a) !== 'fine') return a.used !== b.used ? a.used < b.used : a.tokens < b.tokens
    if (a.learns !== b.learns) return a.learns
    const [x, y] = [band.get(a) ?? 0, band.get(b) ?? 0]
    return x !== y ? x < y : a.tokens < b.tokens
  })
}

export const freeFirst = (seats: readonly Seat[]): number[] => choose(seats, (a, b) => a.free && !b.free)

export const ordered = (seats: readonly Seat[]): number[] => choose(seats, () => false)

/** Counts turns by itself, as MAG keeps them. */
export class Rotation {
  #asked = 0
  order(seats: readonly Seat[]): number[] {
    const order = seats.map((_, i) => (i + this.#asked) % seats.length)
    this.#asked += 1
    return order
  }
}

/**
 * The smooth round by its definition over time: everyone awake earns its weight, the richest is picked and pays for
 * all. Kept as plain wealth by key.
 */
export class Round {
  readonly #wealth: Record<string, number> = {}
  order(seats: readonly Seat[]): number[] {
    const awake = seats.filter(({ resting }) => !resting)
    for (const { key, weight } of awake) this.#wealth[key] = this.wealth(key) + Math.max(weight, 1)
    const richest = Math.max(...awake.map(({ key }) => this.wealth(key)))
    const picked = seats.findIndex(({ key, resting }) => !resting && this.wealth(key) === richest)
    if (picked < 0) return seats.map((_, i) => i)
    const prices = awake.map(({ weight }) => Math.max(weight, 1))
    this.#wealth[seats[picked]!.key] = richest - prices.reduce((sum, price) => sum + price, 0)
    return [picked, ...seats.map((_, i) => i).filter((i) => i !== picked)]
  }
  wealth(key: string): number {
    return this.#wealth[key] ?? 0
  }
  /** `kept` took the request that `picked` was charged for. */
  move(picked: string, kept: string, price: number): void {
    this.#wealth[picked] = this.wealth(picked) + price
    this.#wealth[kept] = this.wealth(kept) - price
  }
}
