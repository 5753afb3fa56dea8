/** `pointsman quota …`: the accounts' windows, each value with its source and its age, and what will become of them. */
import type { CommandLine } from './command-line.ts'
import { table } from './table.ts'
import { percentText, spanText, timeText } from './words.ts'

export function addQuota(line: CommandLine): void {
  const group = line.program.command('quota').description('quota windows')

  group
    .command('show')
    .argument('[account]', 'its id; all when left out')
    .description('what is used of each window, as measured')
    .action(async (sourceId: string | undefined) => {
      line.show(await line.client.quota.windows({ sourceId }), windowsTable)
    })
  group
    .command('refresh')
    .argument('[account]', 'its id; all when left out')
    .description('read the usage now: once a minute for each account')
    .action(async (sourceId: string | undefined) => {
      const chosen = sourceId === undefined ? (await line.client.accounts.list()).map(({ id }) => id) : [sourceId]
      for (const id of chosen) await line.client.accounts.refreshQuota({ id })
      line.show(await line.client.quota.windows({ sourceId }), windowsTable)
    })
  group
    .command('forecast')
    .option('--pool <model>', 'for one model')
    .description('when each account runs out at the pace of the last hour, and who follows')
    .action(async ({ pool }: { readonly pool?: string }) => {
      line.show(await line.client.quota.forecast({ poolId: pool }), forecastTable)
    })
  group
    .command('calendar')
    .description('when each window renews')
    .action(async () => line.show(await line.client.quota.calendar(), calendarTable))
  group
    .command('waste')
    .description('what was left of windows when they renewed, by week')
    .action(async () => line.show(await line.client.quota.waste({}), wasteTable))
}

type Quota = CommandLine['client']['quota']
type Window = Awaited<ReturnType<Quota['windows']>>[number]
type Forecast = Awaited<ReturnType<Quota['forecast']>>[number]
type Entry = Awaited<ReturnType<Quota['calendar']>>[number]
type Waste = Awaited<ReturnType<Quota['waste']>>

const windowsTable = (windows: readonly Window[]): string =>
  table(
    [
      { title: 'ACCOUNT' },
      { title: 'WINDOW' },
      { title: 'USED', align: 'right' },
      { title: 'STATE' },
      { title: 'RESETS' },
      { title: 'FROM' },
      { title: 'AGE' },
    ],
    windows.map(({ sourceId, window, usedPercent, state, resetAtMs, source, ageMs }) => [
      sourceId,
      window,
      percentText(usedPercent),
      state,
      resetAtMs === null ? '–' : timeText(resetAtMs),
      source,
      spanText(ageMs),
    ]),
  )

const forecastTable = (accounts: readonly Forecast[]): string =>
  table(
    [
      { title: 'ACCOUNT' },
      { title: 'WINDOW' },
      { title: 'LEFT', align: 'right' },
      { title: 'PER HOUR', align: 'right' },
      { title: 'RUNS OUT' },
      { title: 'THEN' },
    ],
    accounts.flatMap(({ sourceId, windows, follower }) =>
      windows.map((window, at) => [
        at === 0 ? sourceId : '',
        window.window,
        percentText(window.leftPercent),
        window.percentPerHour === null ? 'not known' : percentText(window.percentPerHour),
        window.runsOutAtMs === null
          ? window.aboutToBeWasted
            ? 'about to be wasted'
            : '–'
          : timeText(window.runsOutAtMs),
        at === 0 ? (follower?.label ?? 'nobody') : '',
      ]),
    ),
  )

const calendarTable = (entries: readonly Entry[]): string =>
  table(
    [
      { title: 'RENEWS' },
      { title: 'ACCOUNT' },
      { title: 'WINDOW' },
      { title: 'USED', align: 'right' },
      { title: 'STATE' },
    ],
    entries.map(({ resetAtMs, sourceId, window, usedPercent, state }) => [
      timeText(resetAtMs),
      sourceId,
      window,
      percentText(usedPercent),
      state,
    ]),
  )

const wasteTable = ({ weeks }: Waste): string =>
  table(
    [
      { title: 'WEEK OF' },
      { title: 'ACCOUNT' },
      { title: 'WINDOW' },
      { title: 'RESETS', align: 'right' },
      { title: 'LOST', align: 'right' },
      { title: 'WORTH', align: 'right' },
    ],
    weeks.map(({ weekMs, sourceId, window, resets, lostPercent, money }) => [
      new Date(weekMs).toISOString().slice(0, 10),
      sourceId,
      window,
      String(resets),
      percentText(lostPercent),
      money === null ? '–' : `${(money / 1e9).toFixed(2)} USD`,
    ]),
  )
