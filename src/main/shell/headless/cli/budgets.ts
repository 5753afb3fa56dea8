/** `pointsman budgets …`: amounts of money per cycle, and what was counted against them. */
import { type Command, Option } from 'commander'
import type { CommandLine } from './command-line.ts'
import { usage } from './command-line.ts'
import { dollars, type Limit, limitOf, signedDollars, unless, wholeNumber } from './options.ts'
import { table } from './table.ts'
import { timeText, usdText } from './words.ts'

const cycles = ['day', 'week', 'month', 'none'] as const

interface BudgetOptions {
  readonly label?: string
  readonly amount?: number
  readonly cycle?: (typeof cycles)[number]
  readonly timeZone?: string
  readonly concurrency?: Limit<number>
  readonly tight?: boolean
}

interface UpdateOptions extends BudgetOptions {
  readonly enable?: boolean
  readonly disable?: boolean
}

export function addBudgets(line: CommandLine): void {
  const group = line.program.command('budgets').description('soft amounts of money per cycle, for keys and profiles')

  group
    .command('list')
    .description('all budgets and what is left of them')
    .action(async () => line.show(await line.client.budgets.list(), listText))
  withFields(group.command('create'))
    .description('make a budget: --label L --amount USD; a soft limit, not a promise')
    .action(async ({ label, amount, cycle = 'month', ...rest }: BudgetOptions) => {
      if (label === undefined || amount === undefined) throw usage('A budget needs --label and --amount')
      const made = { label, amount, cycle, timeZone: rest.timeZone, concurrency: capOf(rest) }
      line.show(await line.client.budgets.create(made), (budget) => `The budget ${budget.label} is ${budget.id}.`)
    })
  withFields(group.command('update'))
    .argument('<budget>', 'id or label')
    .option('--enable', 'let its keys through again')
    .option('--disable', 'refuse its keys')
    .description('change what is given, keep the rest; another cycle or time zone begins a new count')
    .action(async (id: string, { label, amount, cycle, timeZone, enable, disable, ...rest }: UpdateOptions) => {
      if (enable === true && disable === true) throw usage('Give --enable or --disable, not both')
      const enabled = enable ?? (disable === true ? false : undefined)
      const change = { id, label, amount, cycle, timeZone, enabled, concurrency: capOf(rest) }
      line.show(await line.client.budgets.update(change), changedText)
    })
  group
    .command('adjust')
    .argument('<budget>', 'id or label')
    .requiredOption('--amount <usd>', 'US dollars to give, or with a minus to take', signedDollars)
    .requiredOption('--reason <text>', 'stands in the ledger')
    .description('correct the balance by hand; the ledger keeps it for ever')
    .action(async (id: string, { amount, reason }: { readonly amount: number; readonly reason: string }) =>
      line.show(await line.client.budgets.adjust({ id, amount, note: reason }), changedText),
    )
  group
    .command('refund')
    .argument('<budget>', 'id or label')
    .requiredOption('--execution <call#attempt>', 'as the ledger names it')
    .requiredOption('--reason <text>', 'stands in the ledger')
    .option('--amount <usd>', 'US dollars to give back; all that it cost when left out', dollars)
    .description('give back what a call cost, once')
    .action(async (id: string, { execution, reason, amount }: RefundOptions) => {
      const all = amount ?? (await costOf(line, id, execution))
      const given = { id, kind: 'refund', amount: all, executionId: execution, note: reason } as const
      line.show(await line.client.budgets.adjust(given), changedText)
    })
  group
    .command('ledger')
    .argument('<budget>', 'id or label')
    .option('--limit <count>', 'how many lines', wholeNumber, 500)
    .description('what was counted, newest first')
    .action(async (id: string, { limit }: { readonly limit: number }) =>
      line.show(await line.client.budgets.ledger({ id, limit }), ledgerText),
    )
}

interface RefundOptions {
  readonly execution: string
  readonly reason: string
  readonly amount?: number
}

const withFields = (command: Command): Command =>
  command
    .option('--label <label>', 'what it is for')
    .option('--amount <usd>', 'US dollars per cycle', dollars)
    .addOption(new Option('--cycle <cycle>', 'month when left out').choices(cycles))
    .option('--time-zone <name>', 'such as Europe/Berlin; this machine’s when left out')
    .option('--concurrency <count>', 'calls at once over all its keys, or none', unless('none', wholeNumber))
    .option('--tight', 'one call at a time: the worst overrun is one call')

function capOf({ concurrency, tight = false }: BudgetOptions): number | null | undefined {
  if (tight && concurrency !== undefined) throw usage('Give --tight or --concurrency, not both')
  return tight ? 1 : limitOf(concurrency)
}

/** Lines that are looked through for a call. */
const mostLines = 10_000

async function costOf({ client }: CommandLine, id: string, execution: string): Promise<number> {
  const lines = await client.budgets.ledger({ id, limit: mostLines })
  const settled = lines.find(({ kind, executionId }) => kind === 'settle' && executionId === execution)
  if (settled === undefined) throw usage(`The ledger has no call ${execution}`)
  return -settled.amount
}

type Budget = Awaited<ReturnType<CommandLine['client']['budgets']['list']>>[number]
type Line = Awaited<ReturnType<CommandLine['client']['budgets']['ledger']>>[number]

const changedText = ({ label, left, amount }: Budget): string =>
  `The budget ${label} has ${usdText(left)} left of ${usdText(amount)}.`

const listText = (budgets: readonly Budget[]): string =>
  table(
    [
      { title: 'LABEL' },
      { title: 'LEFT' },
      { title: 'AMOUNT' },
      { title: 'CYCLE' },
      { title: 'RESETS' },
      { title: 'USED BY' },
      { title: 'ID' },
    ],
    budgets.map(({ label, left, amount, cycle, resetAtMs, enabled, keys, sources, id }) => [
      enabled ? label : `${label} (off)`,
      usdText(left),
      usdText(amount),
      cycle,
      resetAtMs === null ? '–' : timeText(resetAtMs),
      keys.length + sources.length === 0 ? '–' : [...keys, ...sources].join(', '),
      id,
    ]),
  )

const ledgerText = (lines: readonly Line[]): string =>
  table(
    [
      { title: 'TIME' },
      { title: 'KIND' },
      { title: 'AMOUNT' },
      { title: 'LEFT' },
      { title: 'EXECUTION' },
      { title: 'REASON' },
    ],
    lines.map(({ atMs, kind, amount, balance, executionId, note }) => [
      timeText(atMs),
      kind,
      usdText(amount),
      usdText(balance),
      executionId ?? '–',
      note ?? '–',
    ]),
  )
