// Measures what picking costs: stages 20 to 50 in-process, among 10 and 1,000 backends, with 100,000 bindings held.
// Targets: at most 20 µs at the median among 10, at most 2 ms among 1,000. `--json` prints the figures as JSON.
import { plan } from '../src/main/flow/explain.ts'
import { Bindings } from '../src/main/state/bindings.ts'
import { RecentUse } from '../src/main/state/recent-use.ts'
import { Rounds } from '../src/main/state/rounds.ts'
import { strategies } from '../src/main/strategies/registry.ts'
import { account, arrangement, ask, reading, session, snapshot, viewOf } from '../test/flow/picture.ts'
import { random } from '../test/strategies/kit.ts'

const hourMs = 3_600_000
const nowMs = Date.UTC(2026, 10, 25, 9)
const bindingsHeld = 100_000
const targetUs = { 10: 20, 1000: 2_000 }

const chance = random(1)
const rows = []
for (const backends of [10, 1_000]) {
  const sources = Array.from({ length: backends }, (_, index) => account(`account-${index}`))
  const stored = Array.from({ length: bindingsHeld }, (_, index) => ({
    session: session(`session-${index}`),
    sourceId: sources[index % backends].id,
    boundAtMs: nowMs,
    lastUsedMs: nowMs,
  }))
  const bindings = new Bindings(stored, nowMs)
  const quota = new Map(
    sources.map(({ id }) => [
      id,
      snapshot(
        reading('five-hour', Math.floor(chance() * 95), nowMs + chance() * 5 * hourMs, nowMs),
        reading('weekly', Math.floor(chance() * 95), nowMs + chance() * 168 * hourMs, nowMs),
      ),
    ]),
  )
  for (const { id } of strategies) {
    const rounds = new Rounds({ unit: chance })
    const view = viewOf(sources, [arrangement([sources.map((source) => source.id)], id)], {
      nowMs,
      quota,
      bindings,
      rounds,
      recent: new RecentUse(),
    })
    for (const bound of [false, true]) {
      let asked = 0
      const times = measure(backends === 10 ? 20_000 : 300, () => {
        asked += 1
        const found = plan(ask({ session: session(bound ? `session-${asked % bindingsHeld}` : `new-${asked}`) }), view)
        if (found.turn) rounds.commit(found.turn)
      })
      rows.push({ backends, strategy: id, bound, ...times, targetUs: targetUs[backends] })
    }
  }
}

if (process.argv.includes('--json')) console.log(JSON.stringify(rows, null, 2))
else print(rows)

/** Microseconds at the median and the 99th percentile, after as many runs for warming up. */
function measure(runs, act) {
  for (let n = 0; n < runs; n += 1) act()
  const times = new Float64Array(runs)
  for (let n = 0; n < runs; n += 1) {
    const began = process.hrtime.bigint()
    act()
    times[n] = Number(process.hrtime.bigint() - began) / 1_000
  }
  times.sort()
  return { p50: times[Math.floor(runs * 0.5)], p99: times[Math.floor(runs * 0.99)] }
}

function print(all) {
  console.log('backends  strategy        conversation   p50 µs    p99 µs   target')
  for (const { backends, strategy, bound, p50, p99, targetUs: target } of all) {
    const cells = [
      String(backends).padStart(8),
      strategy.padEnd(14),
      (bound ? 'bound' : 'new').padEnd(12),
      p50.toFixed(1).padStart(8),
      p99.toFixed(1).padStart(9),
      (p50 <= target ? 'reached' : 'missed').padStart(8),
    ]
    console.log(cells.join('  '))
  }
}
