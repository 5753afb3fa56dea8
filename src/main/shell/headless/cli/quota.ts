/** `pointsman quota …`: the accounts' windows, each value with its source and its age. */
import type { CommandLine } from './command-line.ts'
import { table } from './table.ts'
import { percentText, spanText, timeText } from './words.ts'

export function addQuota(line: CommandLine): void {
  line.program
    .command('quota')
    .description('quota windows')
    .command('show')
    .argument('[account]', 'its id; all when left out')
    .description('what is used of each window, as measured')
    .action(async (sourceId: string | undefined) => {
      line.show(await line.client.quota.windows({ sourceId }), windowsTable)
    })
}

type Window = Awaited<ReturnType<CommandLine['client']['quota']['windows']>>[number]

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
