/** The options that say what an access key may do, for `keys create`, `keys set` and `keys preview`. */
import { type Command, Option } from 'commander'
import { type Limit, limitOf, moment, severalUnless, unless, wholeNumber } from './options.ts'
import { parseJson } from './stdin.ts'

const operations = ['generate', 'count', 'compact', 'list'] as const
type Operation = (typeof operations)[number]

export interface KeyOptions {
  readonly policy?: string
  readonly budget?: Limit<string>
  readonly expires?: Limit<number>
  readonly concurrency?: Limit<number>
  readonly address?: Limit<readonly string[]>
  readonly model?: Limit<readonly string[]>
  readonly operation?: readonly (Operation | 'all')[]
  readonly tier?: Limit<readonly string[]>
}

/** A word in place of a value takes the limit away. */
export const withKeyOptions = (command: Command): Command =>
  command
    .option('--policy <json>', 'such as {"mode":"strict","sources":["codex-work"]}; null refuses every call')
    .option('--budget <budget>', 'id or label, or none', unless('none', String))
    .option('--expires <day>', 'such as 2027-01-31 or "2027-01-31 18:00", or never', unless('never', moment))
    .option('--concurrency <count>', 'calls at once, or none', unless('none', wholeNumber))
    .option('--address <segment>', 'first part of the path, again for more, or all', severalUnless('all'))
    .option('--model <model>', 'again for more, or all', severalUnless('all'))
    .addOption(new Option('--operation <operation...>', 'or all').choices([...operations, 'all']))
    .option('--tier <tier>', 'service tier, again for more, or all', severalUnless('all'))

/** As the contract takes them; what isn't given stays. */
export function limitsOf({ policy, budget, expires, concurrency, address, model, operation, tier }: KeyOptions) {
  const copy = (limit: Limit<readonly string[]> | undefined): string[] | null | undefined =>
    limit === false ? null : limit && [...limit]
  return {
    policy: policy === undefined ? undefined : policyOf(policy),
    budgetId: limitOf(budget),
    expiresAtMs: limitOf(expires),
    concurrency: limitOf(concurrency),
    providers: copy(address),
    models: copy(model),
    operations: operation === undefined ? undefined : operationsOf(operation),
    serviceTiers: copy(tier),
  }
}

const operationsOf = (given: readonly (Operation | 'all')[]): Operation[] | null =>
  given.includes('all') ? null : given.filter((one): one is Operation => one !== 'all')

/** Its shape is the contract's to check. */
export const policyOf = (json: string): { mode: 'default' } => parseJson(json) as { mode: 'default' }
