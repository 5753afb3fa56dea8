/** `pointsman calls …`: the call log. */
import { Option } from 'commander'
import { callOutcomes } from '../../../../shared/contract/calls.ts'
import { hasReader, printJson } from '../print.ts'
import type { CommandLine } from './command-line.ts'
import { wholeNumber } from './options.ts'
import { facts, table } from './table.ts'
import { countText, durationText, timeText } from './words.ts'

/** `open`: still running; `stood-in`: another account served than was wanted. */
const outcomes = [...callOutcomes, 'open', 'stood-in'] as const

interface ListOptions {
  readonly limit: number
  readonly offset: number
  readonly source?: string
  readonly model?: string
  readonly key?: string
  readonly outcome?: (typeof outcomes)[number]
  readonly text?: string
}

export function addCalls(line: CommandLine): void {
  const group = line.program.command('calls').description('the call log')

  group
    .command('list')
    .option('--limit <count>', 'how many', wholeNumber, 20)
    .option('--offset <count>', 'how many newer ones to leave out', wholeNumber, 0)
    .option('--source <id>')
    .option('--model <model>')
    .option('--key <id>')
    .addOption(new Option('--outcome <outcome>').choices(outcomes))
    .option('--text <text>', 'part of a label, a model, the reason or the id')
    .description('the newest calls')
    .action(async ({ limit, offset, source, model, key, outcome, text }: ListOptions) => {
      const filter = { sourceId: source, model, keyId: key, outcome, text }
      line.show(await line.client.calls.page({ limit, offset, filter }), pageText)
    })
  group
    .command('show')
    .argument('<id>')
    .description('one call with every attempt and the whole decision')
    .action(async (id: string) => line.show(await line.client.calls.get({ id }), detailText))
  group
    .command('export')
    .option('--limit <count>', 'with --json: how many', wholeNumber)
    .option('--before <id>', 'only calls older than this one')
    .description('whole calls, newest first: a JSON line each, or with --json one page as one value')
    .action(async ({ limit, before }: { readonly limit?: number; readonly before?: string }) => {
      if (line.options.json === true) {
        printJson(await line.client.calls.export({ limit, before }))
        return
      }
      let left = limit ?? Number.POSITIVE_INFINITY
      for (let next: string | null | undefined = before; next !== null && left > 0 && hasReader(); ) {
        const page: Exported = await line.client.calls.export({ limit: Math.min(left, 500), before: next })
        for (const call of page.calls) printJson(call, 'one-line')
        left -= page.calls.length
        next = page.next
      }
    })
}

type Client = CommandLine['client']
type Exported = Awaited<ReturnType<Client['calls']['export']>>
type Page = Awaited<ReturnType<Client['calls']['page']>>
type Detail = Awaited<ReturnType<Client['calls']['get']>>
type Usage = Page['rows'][number]['usage']

const tokensText = (usage: Usage): string =>
  usage === null ? '–' : `${countText(usage.inputTokens)} → ${countText(usage.outputTokens)}`

function pageText({ rows, total }: Page): string {
  const columns = [
    { title: 'STARTED' },
    { title: 'OUTCOME' },
    { title: 'STATUS', align: 'right' },
    { title: 'MODEL' },
    { title: 'SERVED BY' },
    { title: 'TRIES', align: 'right' },
    { title: 'TOKENS', align: 'right' },
    { title: 'TIME', align: 'right' },
    { title: 'ID' },
  ] as const
  const cells = rows.map((row) => [
    timeText(row.startedMs),
    row.outcome ?? 'running',
    String(row.status ?? '–'),
    row.requestedModel ?? '–',
    row.stoodInFor === null ? (row.sourceLabel ?? '–') : `${row.sourceLabel}, not ${row.stoodInFor}`,
    String(row.attempts),
    tokensText(row.usage),
    durationText(row.totalMs),
    row.id,
  ])
  return `${table(columns, cells)}\n\n${rows.length} of ${total}`
}

function detailText({ call, executions, decision }: Detail): string {
  const blocks = [
    call.sentence,
    facts([
      ['Call', call.id],
      ['Started', timeText(call.startedMs)],
      ['Asked for', `${call.requestedModel ?? 'no model'} at /${call.providerId}, ${call.dialect} ${call.operation}`],
      ['Client', call.client ?? '–'],
      ['Served by', call.sourceLabel ?? '–'],
      ['Outcome', `${call.outcome ?? 'running'}, status ${call.status ?? '–'}`],
      ['Tokens', tokensText(call.usage)],
      ['Time', `first byte ${durationText(call.firstByteMs)}, total ${durationText(call.totalMs)}`],
    ]),
    table(
      [
        { title: 'ATTEMPT' },
        { title: 'OUTCOME' },
        { title: 'STATUS', align: 'right' },
        { title: 'TIME' },
        { title: 'WHY' },
      ],
      executions.map((one) => [
        one.backendId,
        one.outcome,
        String(one.status ?? '–'),
        durationText(one.totalMs),
        one.sentence,
      ]),
    ),
  ]
  if (decision !== null) {
    blocks.push(
      table(
        [{ title: 'SEAT' }, { title: 'WHY' }],
        [
          ...decision.seats.map((seat) => [`${seat.backendId}`, seat.because]),
          ...decision.excluded.map((one) => [one.backendId, one.sentence]),
        ],
      ),
      table(
        [{ title: 'STAGE' }, { title: 'DECISION' }, { title: 'WHY' }, { title: 'AT', align: 'right' }],
        decision.trail.map((step) => [step.stage, step.decision, step.because, durationText(step.elapsedMs)]),
      ),
    )
  }
  return blocks.join('\n\n')
}
