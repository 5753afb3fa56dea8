/** What admission costs: the key found by its digest and checks 3 to 9 of access.md, in process, with 1,000 keys. */
import { randomBytes } from 'node:crypto'
import { systemChance, systemClock, systemDigest } from '../src/main/adapters/system.ts'
import { admit } from '../src/main/flow/20-admission.ts'
import { Announcer } from '../src/main/state/announcer.ts'
import { Budgets } from '../src/main/state/budgets.ts'
import { Keys } from '../src/main/state/keys.ts'
import { ask, viewOf } from '../test/flow/kit.ts'

const rounds = 200_000
const announcer = new Announcer()
const keys = new Keys(
  { keys: () => [], saveKey() {} },
  systemClock,
  systemChance,
  systemDigest(randomBytes(32)),
  announcer,
)
const store = { budgets: () => [], saveBudget() {}, balances: () => [] }
const budgets = new Budgets(store, { enter: () => true, sums: () => [] }, systemClock, systemChance, announcer)
const secrets = []
for (let n = 0; n < 1_000; n += 1) {
  const limits = { label: `budget-${n}`, amount: 1e12, cycle: 'week', timeZone: 'Europe/Berlin' }
  const budgetId = budgets.create(limits).id
  const scope = { providers: ['codex'], models: ['gpt-5.5'], operations: ['generate'] }
  secrets.push(keys.create(`key-${n}`, { budgetId, ...scope }).secret)
}
const base = { ...viewOf(), keys, budgets, nowMs: Date.now() }

function measure(act) {
  const took = new Float64Array(rounds)
  for (let n = 0; n < rounds; n += 1) {
    const began = performance.now()
    act(secrets[n % 1_000])
    took[n] = (performance.now() - began) * 1_000
  }
  took.sort()
  const at = (share) => Math.round(took[Math.floor(rounds * share)] * 100) / 100
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

const whole = (text) => {
  const key = keys.present(text)
  const admitted = admit(ask({ key }), base)
  if (!('value' in admitted)) throw new Error(admitted.problem.code)
}
const found = keys.all()
let next = 0
const checks = () => {
  next = (next + 1) % 1_000
  const admitted = admit(ask({ key: found[next] }), base)
  if (!('value' in admitted)) throw new Error(admitted.problem.code)
}
measure(whole)
measure(checks)
console.log(JSON.stringify({ keys: 1_000, unit: 'µs', admission: measure(checks), withKeyLookup: measure(whole) }))
