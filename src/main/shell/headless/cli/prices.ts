/** `pointsman prices …`: what counts for each model, and the person's own prices. */
import type { CommandLine } from './command-line.ts'
import { usage } from './command-line.ts'
import { type Factors, factor, moment, rate, wholeNumber } from './options.ts'
import { table } from './table.ts'
import { timeText } from './words.ts'

interface PriceOptions {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly cacheWriteLong?: number
  readonly longAbove?: number
  readonly longInput?: number
  readonly longOutput?: number
  readonly longCacheRead?: number
  readonly longCacheWrite?: number
  readonly tier?: Factors
  readonly from?: number
}

export function addPrices(line: CommandLine): void {
  const group = line.program.command('prices').description('what calls cost: the built-in list and your own prices')

  group
    .command('list')
    .description('what counts now for every model, in USD per million tokens')
    .action(async () => line.show(await line.client.budgets.prices(), countingText))
  group
    .command('own')
    .description('your own prices with the day from which each counts')
    .action(async () => line.show((await line.client.settings.get()).prices, ownText))
  group
    .command('set')
    .argument('<model>', 'as it is sent upstream')
    .requiredOption('--input <usd>', 'per million tokens', rate)
    .requiredOption('--output <usd>', 'per million tokens', rate)
    .option('--cache-read <usd>', 'that of plain input when left out', rate)
    .option('--cache-write <usd>', 'that of plain input when left out', rate)
    .option('--cache-write-long <usd>', 'kept for an hour; that of a plain write when left out', rate)
    .option('--long-above <tokens>', 'beyond so many input tokens the whole call by the long rates', wholeNumber)
    .option('--long-input <usd>', 'per million tokens of such a call', rate)
    .option('--long-output <usd>', 'per million tokens of such a call', rate)
    .option('--long-cache-read <usd>', 'that of its plain input when left out', rate)
    .option('--long-cache-write <usd>', 'that of its plain input when left out', rate)
    .option('--tier <name=factor>', 'a service tier on every rate, such as flex=0.5; again for more', factor)
    .option('--from <day>', 'counts from this day on, such as 2027-01-31; always when left out', moment)
    .description('set a price of your own; it stands before the built-in list')
    .action(async (model: string, options: PriceOptions) => {
      const price = {
        model,
        fromMs: options.from ?? 0,
        ...ratesOf(options),
        long: longOf(options),
        tiers: options.tier ?? {},
      }
      const others = (await ownPrices(line)).filter((one) => one.model !== model || one.fromMs !== price.fromMs)
      line.show((await line.client.settings.set({ prices: [...others, price] })).prices, ownText)
    })
  group
    .command('remove')
    .argument('<model>')
    .option('--from <day>', 'only the one of this day; all of them when left out', moment)
    .description('remove prices of your own; the built-in list counts again')
    .action(async (model: string, { from }: { readonly from?: number }) => {
      const own = await ownPrices(line)
      const left = own.filter((one) => one.model !== model || (from !== undefined && one.fromMs !== from))
      if (left.length === own.length) throw usage(`There is no such price of ${model}`)
      line.show((await line.client.settings.set({ prices: left })).prices, ownText)
    })
}

type GivenRates = Pick<PriceOptions, 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'cacheWriteLong'>

function ratesOf({ input, output, cacheRead = input, cacheWrite = input, cacheWriteLong = cacheWrite }: GivenRates) {
  return { input, cacheRead, cacheWrite, cacheWriteLong, output }
}

function longOf({ longAbove, longInput, longOutput, longCacheRead, longCacheWrite }: PriceOptions): Price['long'] {
  const given = [longAbove, longInput, longOutput, longCacheRead, longCacheWrite]
  if (given.every((option) => option === undefined)) return null
  if (longAbove === undefined || longInput === undefined || longOutput === undefined) {
    throw usage('Rates of long prompts need --long-above, --long-input and --long-output')
  }
  const cache = { cacheRead: longCacheRead ?? longInput, cacheWrite: longCacheWrite ?? longInput }
  return { ...ratesOf({ input: longInput, output: longOutput, ...cache }), aboveTokens: longAbove }
}

type Price = Awaited<ReturnType<CommandLine['client']['settings']['get']>>['prices'][number]
type Counting = Awaited<ReturnType<CommandLine['client']['budgets']['prices']>>[number]

/** As `settings.set` takes them. */
async function ownPrices({ client }: CommandLine) {
  const { prices } = await client.settings.get()
  return prices.map((price) => ({ ...price, tiers: { ...price.tiers } }))
}

const rates = (price: Price | null): readonly string[] =>
  price === null
    ? ['–', '–', '–', '–']
    : [price.input, price.cacheRead, price.cacheWrite, price.output].map((nano) => String(nano / 1_000))

const rateTitles = ['INPUT', 'CACHE READ', 'CACHE WRITE', 'OUTPUT'].map((title) => ({ title, align: 'right' as const }))

const countingText = (prices: readonly Counting[]): string =>
  table(
    [{ title: 'MODEL' }, ...rateTitles, { title: 'WHOSE' }],
    prices.map(({ model, counts, price }) => [model, ...rates(price), counts]),
  )

const ownText = (prices: readonly Price[]): string =>
  prices.length === 0
    ? 'There are no prices of your own; the built-in list counts.'
    : table(
        [{ title: 'MODEL' }, ...rateTitles, { title: 'FROM' }],
        prices.map((price) => [price.model, ...rates(price), price.fromMs === 0 ? 'always' : timeText(price.fromMs)]),
      )
