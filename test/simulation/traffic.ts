/** A working month's conversations: office hours with a lunch dip, bursts, quiet nights and weekends; seeded. */
import { random } from '../strategies/kit.ts'
import { dayMs, hourMs } from './vendor.ts'

export interface SimulatedCall {
  readonly atMs: number
  readonly session: string
  readonly tokens: number
}

/** Conversations begun per hour of a working day, by UTC hour. */
const workday = [0, 0, 0, 0, 0, 0, 0, 0.5, 3, 5, 6, 5, 2, 4, 6, 6, 5, 3, 1, 0.5, 0.5, 0.3, 0, 0]
const restDay = 0.15

export interface TrafficOptions {
  readonly seed: number
  readonly startMs: number
  readonly days: number
  /** Sum of the tokens of all calls. */
  readonly tokens: number
}

/** Calls in order of time. The pattern depends on the seed alone; `tokens` scales each call's size. */
export function traffic({ seed, startMs, days, tokens }: TrafficOptions): readonly SimulatedCall[] {
  const next = random(seed)
  const raw: SimulatedCall[] = []
  let conversations = 0
  for (let hour = 0; hour < days * 24; hour += 1) {
    const beganMs = startMs + hour * hourMs
    const weekday = new Date(beganMs).getUTCDay()
    const isRest = weekday === 0 || weekday === 6
    // One working hour in eight is a burst: many agents at once.
    const burst = next() < 0.125 ? 3 : 1
    const expected = (workday[hour % 24] ?? 0) * (isRest ? restDay : 1) * burst
    const begun = Math.floor(expected) + (next() < expected % 1 ? 1 : 0)
    for (let n = 0; n < begun; n += 1) {
      conversations += 1
      raw.push(...conversation(`c${conversations}`, beganMs + next() * hourMs, next))
    }
  }
  const endMs = startMs + days * dayMs
  const calls = raw.filter(({ atMs }) => atMs < endMs).sort((a, b) => a.atMs - b.atMs)
  const factor = tokens / calls.reduce((sum, call) => sum + call.tokens, 0)
  return calls.map((call) => ({ ...call, tokens: Math.max(1, Math.round(call.tokens * factor)) }))
}

/** A context that grows call by call; most answers come within seconds, now and then somebody goes for a coffee. */
function conversation(session: string, beganMs: number, next: () => number): readonly SimulatedCall[] {
  const calls: SimulatedCall[] = []
  const length = 2 + Math.floor(18 * next() ** 2)
  let atMs = Math.round(beganMs)
  let context = 10 + 20 * next()
  for (let n = 0; n < length; n += 1) {
    calls.push({ atMs, session, tokens: context })
    context += 1 + 6 * next()
    atMs += Math.round(next() < 0.08 ? 90 * 60_000 * next() : (10 + 170 * next()) * 1_000)
  }
  return calls
}
