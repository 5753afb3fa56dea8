/** `docs/strategies.md`: what each strategy does, and what the simulated month says of it. */
import { strategies } from '../../src/main/strategies/registry.ts'
import type { Strategy } from '../../src/main/strategies/strategy.ts'
import { loads, type Month, plots, seed, simulate } from './month.ts'

const days = 30

export function page(): string {
  return `${[intro, listOf(), options(), adding, method(), ...loads.map(tableOf), reading].join('\n\n')}\n`
}

const intro = `# Strategies

Read this before choosing a strategy for a pool, or changing one. This page is written by \`node scripts/simulate-month.mjs\`; edit \`test/simulation/page.ts\` instead.

A strategy orders the accounts and keys of one tier for a *new* conversation. A conversation that is bound to an account stays there while that can serve, whatever the strategy; resting accounts are tried last, and a lower tier only when everything above it is unavailable. An order that is no permutation, or a strategy that fails, leaves your own order.`

const listOf = (): string =>
  [
    '| strategy | what it does |',
    '|---|---|',
    ...strategies.map(({ id, sentence }) => `| \`${id}\` | ${sentence} |`),
  ].join('\n')

function options(): string {
  const rows = strategies.flatMap((strategy) => strategy.options.map((rule) => ({ strategy, rule })))
  const names = [...new Set(rows.map(({ rule }) => rule.name))]
  const lines = names.map((name) => {
    const found = rows.filter(({ rule }) => rule.name === name)
    const rule = found[0]?.rule
    const users = found.map(({ strategy }) => `\`${strategy.id}\``).join(', ')
    return `| \`${name}\` | ${users} | ${rule?.sentence} | ${rule?.fallback} |`
  })
  return [
    '## Options\n\nSet per pool, in percent: `models.setStrategy {poolId, strategy, options}`.\n',
    '| option | strategies | meaning | default |',
    '|---|---|---|---|',
    ...lines,
  ].join('\n')
}

const adding = `## Adding one

A strategy is one file in \`src/main/strategies\` and one line in its \`registry.ts\`. \`order(pool, seats, nowMs, state, options)\` is pure: it gives a permutation of the seats' indexes and the state after this request. The program commits that state once per client request, also for one that a binding keeps elsewhere, and never for an explanation, a forecast, a rehearsal or a retry; the weighted round is then charged to whoever really served. What a seat says is in \`src/main/domain/seat.ts\`; how it is read from measured windows, in \`allowance.ts\` beside it. Resting seats are marked, not left out: they go last whatever the order says. Randomness comes in as \`state.draw\`.`

function method(): string {
  const accounts = plots.map(({ id, weekly, phaseHours }) => {
    const phase = phaseHours === null ? 'begins with its first use' : `renews at fixed times (hour ${phaseHours})`
    return `| ${id} | ${weekly.toLocaleString('en')} k | ${phase} |`
  })
  return `## A simulated month

Thirty days of one person's work over six accounts, decided by the program's own stages with bindings, readings, polls and rounds under a clock set by hand; only the vendors are made up. Seed ${seed}. Conversations begin by office hours with a lunch dip, bursts of three times as many, quiet nights and weekends; their context grows call by call, with breaks. The pattern of calls is the same at every load; only their size is scaled, to 60, 90, 100 and 120 % of the sum of all weekly grants.

| account | week | week's window |
|---|---|---|
${accounts.join('\n')}

Each week is worth six full five-hour windows; a five-hour window begins with its first use. The accounts are listed in this order, weighted by the size of their week.

* **quota lost**: of the weekly windows that ended, the share that nobody had used. Some is lost at any strategy when the load is below the capacity.
* **refused**: calls that no account could serve. A full five-hour window refuses as a full week does, so bursts are refused at loads below 100 %, too.
* **switches**: a conversation went on with another account than before.
* **cold starts**: the account had not served the conversation within the last hour, so its cache was not there; the first call of each conversation is one.

In every window of every run, granted = used + lost + left (\`test/simulation/month.test.ts\`).`
}

function tableOf(load: number): string {
  const rows = strategies.map((strategy) => rowOf(strategy, simulate(strategy.id, load, days)))
  const calls = simulate('ordered', load, days).calls
  return [
    `### At ${load} % of capacity (${calls.toLocaleString('en')} calls)\n`,
    '| strategy | quota lost | refused | switches | cold starts |',
    '|---|---:|---:|---:|---:|',
    ...rows,
  ].join('\n')
}

function rowOf({ id }: Strategy, month: Month): string {
  const ended = [...month.books.values()].flat().filter(({ window, left, lost, used, granted }) => {
    return window === 'weekly' && left === 0 && lost + used === granted
  })
  const sum = (pick: 'lost' | 'granted'): number => ended.reduce((total, entry) => total + entry[pick], 0)
  const lost = ((100 * sum('lost')) / sum('granted')).toFixed(1)
  const figures = [month.refused, month.switches, month.coldStarts].map((figure) => figure.toLocaleString('en'))
  return `| \`${id}\` | ${lost} % | ${figures.join(' | ')} |`
}

const reading = `## How to read this

One month with one seed and one person's habits: it shows how the strategies differ in kind, not by how much they will differ for you, and it ranks nobody. Here nothing fails, nothing is free and every account answers about as fast, so \`healthiest\` and \`free-first\` act as \`ordered\` does, and \`latency\` mostly follows made-up answer times. \`pointsman rehearse --strategy S --since 7d\` asks the same of your own log.`
