/** `pointsman models …`: pools, their order, and who would serve a call now. */
import { Argument, Option } from 'commander'
import type { CommandLine } from './command-line.ts'
import { optionPair, type StrategyOptions } from './options.ts'
import { table } from './table.ts'
import { percentText } from './words.ts'

interface ExplainOptions {
  readonly provider: string
  readonly dialect?: 'messages' | 'responses' | 'chat'
  readonly session?: string
  readonly key?: string
  readonly client?: string
  readonly background?: boolean
}

/** Stands between two tiers. */
const divider = '/'

export function addModels(line: CommandLine): void {
  const group = line.program.command('models').description('models, and the order in which their backends serve')

  group
    .command('list')
    .description('every model with its backends in order')
    .action(async () => line.show(await line.client.models.pools(), poolsText))
  group
    .command('order')
    .argument('<model>')
    .argument('<backend...>', 'in order; a lone / begins the next tier')
    .description('put the backends of a model in order: `order gpt-5.5 a:gpt-5.5 / b:gpt-5.5`')
    .action(async (poolId: string, backends: readonly string[]) => {
      const pools = await line.client.models.pools()
      const basedOn = pools.find(({ id }) => id === poolId)?.revision ?? 0
      const pool = await line.client.models.setOrder({ poolId, tiers: tiersOf(backends), basedOn })
      line.show(pool, (changed) => poolsText([changed]))
    })
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    group
      .command(verb)
      .argument('<backend>', 'SOURCE:MODEL')
      .option('--pool <model>', 'only in this pool')
      .description(enabled ? 'let a backend serve again' : 'keep a backend from serving')
      .action(async (backendId: string, { pool }: { readonly pool?: string }) => {
        line.show(await line.client.models.setEnabled({ backendId, enabled, poolId: pool }), poolsText)
      })
  }
  group
    .command('strategy')
    .argument('<model>')
    .argument('<strategy>', 'its id, or default')
    .option('--option <name=percent>', 'an option of the strategy; those left out have their default', optionPair)
    .description('choose how the backends of one model are ordered; `pointsman rehearse --help` lists the strategies')
    .action(async (poolId: string, name: string, { option }: { readonly option?: StrategyOptions }) => {
      const strategy = name === 'default' ? null : name
      const pool = await line.client.models.setStrategy({ poolId, strategy, options: option })
      line.show(pool, (changed) => poolsText([changed]))
    })
  group
    .command('strict')
    .argument('<model>', 'or route:ID')
    .addArgument(new Argument('<strictness>').choices(['on', 'off', 'default']))
    .description('whether what a translation would leave out is refused for one model or route rule')
    .action(async (poolId: string, word: 'on' | 'off' | 'default') => {
      const strict = word === 'default' ? null : word === 'on'
      line.show(await line.client.models.setStrict({ poolId, strict }), ({ isStrict }) =>
        isStrict
          ? `${poolId}: what a translation would leave out is refused.`
          : `${poolId}: what a translation leaves out is left out with a note.`,
      )
    })
  group
    .command('small')
    .argument('[backend]', 'SOURCE:MODEL, or default; shown when left out')
    .description('who serves Claude Code’s small, fast model')
    .action(async (name: string | undefined) => {
      const { clients } = line.client
      const backendId = name === 'default' ? null : name
      const found = backendId === undefined ? await clients.smallModel() : await clients.setSmallModel({ backendId })
      line.show(found, (small) => `Claude Code’s small model is served by ${small.backendId ?? 'whoever has it'}.`)
    })
  group
    .command('routes')
    .description('rules that serve a model at an address in place of its own list')
    .action(async () => line.show(await line.client.models.routes(), routesText))
  group
    .command('test')
    .argument('<backend>', 'SOURCE:MODEL')
    .description('prove that a backend answers: an account by its lists, a key or a local model by a small request')
    .action(async (backendId: string) => line.show(await line.client.models.test({ backendId }), testText))
  group
    .command('losses')
    .argument('<backend>', 'SOURCE:MODEL')
    .description('what calls of other dialects lose at a backend')
    .action(async (backendId: string) => line.show(await line.client.models.losses({ backendId }), lossesText))
  group
    .command('explain')
    .argument('<model>')
    .option('--provider <id>', 'first part of the address: claude, codex, any or a source', 'any')
    .addOption(new Option('--dialect <dialect>').choices(['messages', 'responses', 'chat']))
    .option('--session <id>')
    .option('--key <key>', 'id or label')
    .option('--client <client>', 'claude-code, codex or another')
    .option('--background', 'a background session')
    .description('who would serve a call now, and why')
    .action(async (model: string, options: ExplainOptions) => {
      const { provider, session, key, client, background } = options
      const explained = await line.client.models.explain({
        providerId: provider,
        model,
        dialect: options.dialect ?? (provider === 'claude' ? 'messages' : 'responses'),
        sessionId: session,
        keyId: key,
        client,
        class: background === true ? 'background' : 'interactive',
      })
      line.show(explained, explainText)
    })
}

function tiersOf(backends: readonly string[]): string[][] {
  const tiers: string[][] = [[]]
  for (const backend of backends) {
    if (backend === divider) tiers.push([])
    else tiers.at(-1)?.push(backend)
  }
  return tiers
}

type Pool = Awaited<ReturnType<CommandLine['client']['models']['pools']>>[number]
type Explained = Awaited<ReturnType<CommandLine['client']['models']['explain']>>

type Rule = Awaited<ReturnType<CommandLine['client']['models']['routes']>>[number]

function routesText(rules: readonly Rule[]): string {
  if (rules.length === 0) return 'No route rule: each model is served by its own list.'
  return table(
    [
      { title: 'RULE' },
      { title: 'ADDRESS' },
      { title: 'MODEL' },
      { title: 'STYLE' },
      { title: 'STRATEGY' },
      { title: 'BACKENDS' },
    ],
    rules.map(({ id, enabled, providerId, matchModel, dialect, strategy, tiers }) => [
      enabled ? id : `${id} (off)`,
      providerId,
      matchModel,
      dialect ?? 'any',
      strategy ?? 'default',
      tiers
        .map((tier) => tier.map(({ backendId, exists }) => (exists ? backendId : `${backendId} (gone)`)).join(' '))
        .join(` ${divider} `),
    ]),
  )
}

type Tested = Awaited<ReturnType<CommandLine['client']['models']['test']>>

function testText({ sentence, elapsedMs, translations }: Tested): string {
  const others = translations.filter((one) => one.sentence !== sentence).map((one) => one.sentence)
  return [`${sentence} (${elapsedMs} ms)`, ...others].join('\n')
}

type Translations = Awaited<ReturnType<CommandLine['client']['models']['losses']>>

function lossesText(translations: Translations): string {
  if (translations.length === 0) return 'It serves clients of its own dialects only: nothing is translated.'
  return translations
    .map(({ from, to, losses }) => {
      const rows = losses.map(({ action, sentence }) => [action, sentence])
      return `${from} translated to ${to}\n\n${table([{ title: '' }, { title: 'LOSS' }], rows)}`
    })
    .join('\n\n')
}

/** What it speaks, then whose calls are translated for it. */
function dialectsText({ dialects, translates }: Pool['tiers'][number][number]): string {
  const from = translates.map((one) => one.from)
  return from.length === 0 ? dialects.join(', ') : `${dialects.join(', ')} (translated: ${from.join(', ')})`
}

const poolsText = (pools: readonly Pool[]): string =>
  table(
    [
      { title: 'MODEL' },
      { title: 'STRATEGY' },
      { title: 'TIER', align: 'right' },
      { title: 'BACKEND' },
      { title: 'STATE' },
      { title: 'USED', align: 'right' },
      { title: 'WHY' },
      { title: 'DIALECTS' },
    ],
    pools.flatMap(({ model, strategy, strategyServed, tiers }) =>
      tiers.flatMap((tier, at) =>
        tier.map((backend, position) => [
          at === 0 && position === 0 ? model : '',
          at === 0 && position === 0 ? `${strategy}${strategyServed ? '' : ' (unknown: your order)'}` : '',
          String(at + 1),
          backend.backendId,
          backend.because,
          percentText(backend.usedPercent),
          backend.sentence,
          dialectsText(backend),
        ]),
      ),
    ),
  )

function explainText({ sentence, order, excluded }: Explained): string {
  const rows = [
    ...order.map(({ backendId, because }, at) => [String(at + 1), backendId, because]),
    ...excluded.map(({ backendId, because }) => ['–', backendId, because]),
  ]
  const columns = [{ title: '', align: 'right' }, { title: 'BACKEND' }, { title: 'WHY' }] as const
  return `${sentence}\n\n${table(columns, rows)}`
}
