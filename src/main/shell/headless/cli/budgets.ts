/** `pointsman budgets …`: amounts of money per cycle, and what was counted against them. */
import type { CommandLine } from './command-line.ts'
import { usage } from './command-line.ts'
import { table } from './table.ts'
import { timeText } from './words.ts'

const cycles = ['day', 'week', 'month', 'none'] as const

export function addBudgets(line: CommandLine): void {
  const group = line.program.command('budgets').description('soft amounts of money per cycle, for keys and profiles')

  group
    .command('list')
    .description('all budgets and what is left of them')
    .action(async () => line.show(await line.client.budgets.list(), listText))
  group
    .command('create')
    .requiredOption('--label <label>', 'what it is for')
    .requiredOption('--amount <usd>', 'US dollars per cycle')
    .option('--cycle <cycle>', 'day, week, month or none', 'month')
    .option('--time-zone <name>', 'such as Europe/Berlin; this machine’s when left out')
    .option('--tight', 'one call at a time: the worst overrun is one call')
    .description('make a budget; a soft limit, not a promise')
    .action(async ({ label, amount, cycle, timeZone, tight = false }: CreateOptions) => {
      const concurrency = tight ? 1 : null
      const made = { label, amount: nanoOf(amount), cycle: cycleOf(cycle), timeZone, concurrency }
      line.show(await line.client.budgets.create(made), (budget) => `The budget ${budget.label} is ${budget.id}.`)
    })
  group
    .command('ledger')
    .argument('<budget>', 'id or label')
    .description('what was counted, newest first')
    .action(async (id: string) => line.show(await line.client.budgets.ledger({ id }), ledgerText))
}

interface CreateOptions {
  readonly label: string
  readonly amount: string
  readonly cycle: string
  readonly timeZone?: string
  readonly tight?: boolean
}

function nanoOf(text: string): number {
  const nano = Math.round(Number(text) * 1e9)
  if (!/^\d+(\.\d{1,9})?$/.test(text) || !Number.isSafeInteger(nano)) throw usage(`${text} is no amount in US dollars`)
  return nano
}

function cycleOf(text: string): (typeof cycles)[number] {
  const found = cycles.find((cycle) => cycle === text)
  if (found === undefined) throw usage(`The cycle ${text} is none of ${cycles.join(', ')}`)
  return found
}

const dollars = (nano: number): string => `${nano < 0 ? '-' : ''}$${(Math.abs(nano) / 1e9).toFixed(4)}`

type Budget = Awaited<ReturnType<CommandLine['client']['budgets']['list']>>[number]
type Line = Awaited<ReturnType<CommandLine['client']['budgets']['ledger']>>[number]

const listText = (budgets: readonly Budget[]): string =>
  table(
    [
      { title: 'LABEL' },
      { title: 'LEFT' },
      { title: 'AMOUNT' },
      { title: 'CYCLE' },
      { title: 'RESETS' },
      { title: 'KEYS' },
      { title: 'ID' },
    ],
    budgets.map(({ label, left, amount, cycle, resetAtMs, enabled, keys, id }) => [
      enabled ? label : `${label} (off)`,
      dollars(left),
      dollars(amount),
      cycle,
      resetAtMs === null ? '–' : timeText(resetAtMs),
      keys.length === 0 ? '–' : keys.join(', '),
      id,
    ]),
  )

const ledgerText = (lines: readonly Line[]): string =>
  table(
    [{ title: 'TIME' }, { title: 'KIND' }, { title: 'AMOUNT' }, { title: 'LEFT' }, { title: 'EXECUTION' }],
    lines.map(({ atMs, kind, amount, balance, executionId }) => [
      timeText(atMs),
      kind,
      dollars(amount),
      dollars(balance),
      executionId ?? '–',
    ]),
  )
