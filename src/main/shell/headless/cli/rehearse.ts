/** `pointsman rehearse`: what the log's calls would have met under another strategy, as a table beside what was. */
import { strategies } from '../../../strategies/registry.ts'
import type { CommandLine } from './command-line.ts'
import { optionPair, percent, type StrategyOptions, span } from './options.ts'
import { table } from './table.ts'
import { countText, timeText } from './words.ts'

interface RehearseOptions {
  readonly strategy?: string
  readonly since: string
  readonly model?: string
  readonly option?: StrategyOptions
  readonly minRemaining?: number
}

export function addRehearse(line: CommandLine): void {
  line.program
    .command('rehearse')
    .description('replay past calls under another strategy: switches, cold starts, quota lost, calls refused, cost')
    .option('--strategy <strategy>', 'its id, from the list below; left out, the one that each call had')
    .option('--since <span>', 'like 12h, 7d or 2w', span, '7d')
    .option('--model <model>', 'only the calls of this pool may go elsewhere')
    .option('--option <name=percent>', 'an option of the strategy, like fiveHourSoftLimit=70', optionPair)
    .option('--min-remaining <percent>', 'new conversations skip accounts with less left', percent)
    .addHelpText('after', `\nStrategies:\n${strategyLines()}`)
    .action(async ({ strategy, since, model, option, minRemaining }: RehearseOptions) => {
      const result = await line.client.rehearsal.run({
        since,
        strategy,
        poolId: model,
        options: option,
        newSessionMinRemaining: minRemaining,
        offsetMs: -new Date().getTimezoneOffset() * 60_000,
      })
      line.show(result, rehearsalText)
    })
}

function strategyLines(): string {
  const width = Math.max(...strategies.map(({ id }) => id.length))
  return strategies.map(({ id, sentence }) => `  ${id.padEnd(width)}  ${sentence}`).join('\n')
}

type Result = Awaited<ReturnType<CommandLine['client']['rehearsal']['run']>>

function rehearsalText(result: Result): string {
  const { actual, would, calls, free, moved, fromMs, toMs, strategy, windows, sources, unknowns } = result
  if (toMs === null) return `No call since ${timeText(fromMs)} tells about routing.`
  const rows = [
    ['calls served', whole(actual.served), whole(would.served)],
    ['calls refused', whole(actual.refused), whole(would.refused)],
    ['switches', whole(actual.switches), whole(would.switches)],
    ['cold starts', whole(actual.coldStarts), whole(would.coldStarts)],
    ...windows.map(({ window, actualLostPercent, wouldLostPercent, actualEnded, wouldEnded }) => [
      `lost per ${window} reset`,
      lostText(actualLostPercent, actualEnded),
      lostText(wouldLostPercent, wouldEnded),
    ]),
    ...(actual.cost + would.cost === 0 ? [] : [['cost', moneyText(actual.cost), moneyText(would.cost)]]),
  ]
  const heading = strategy ?? 'rehearsed'
  const perSource = sources.map((source) => [
    source.label,
    whole(source.actualCalls),
    whole(source.wouldCalls),
    countText(source.actualTokens),
    countText(source.wouldTokens),
  ])
  return [
    `${whole(calls)} calls from ${timeText(fromMs)} to ${timeText(toMs)}; ${whole(free)} could have gone elsewhere, ${whole(moved)} would have.`,
    table([{ title: '' }, { title: 'WAS', align: 'right' }, { title: heading.toUpperCase(), align: 'right' }], rows),
    table(
      [
        { title: 'SOURCE' },
        { title: 'CALLS', align: 'right' },
        { title: 'WOULD', align: 'right' },
        { title: 'TOKENS', align: 'right' },
        { title: 'WOULD', align: 'right' },
      ],
      perSource,
    ),
    `What the log can not tell:\n${unknowns.map((sentence) => `  ${sentence}`).join('\n')}`,
  ].join('\n\n')
}

const whole = (count: number): string => count.toLocaleString('en')
const lostText = (percentLost: number | null, ended: number): string =>
  percentLost === null ? 'none ended' : `${percentLost.toFixed(1)} % (${ended})`
const moneyText = (nanoUsd: number): string => `$${(nanoUsd / 1e9).toFixed(2)}`
