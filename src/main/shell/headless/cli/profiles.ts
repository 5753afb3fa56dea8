/** `pointsman profiles …`: API profiles and local providers. */
import { type Command, Option } from 'commander'
import { type CommandLine, pick, usage } from './command-line.ts'
import { type Limit, limitOf, unless } from './options.ts'
import { readSecret } from './stdin.ts'
import { table } from './table.ts'

interface ProfileOptions {
  readonly kind?: 'api' | 'local'
  readonly label?: string
  readonly baseUrl?: string
  readonly dialect?: readonly ('messages' | 'responses' | 'chat')[]
  readonly model?: readonly string[]
  readonly joins?: readonly string[]
  readonly apiKey?: string
  readonly budget?: Limit<string>
  readonly program?: 'ollama' | 'openai-compatible'
}

interface AddOptions extends ProfileOptions {
  readonly discover?: boolean
}

interface EditOptions extends ProfileOptions {
  readonly activate?: boolean
  readonly deactivate?: boolean
}

export function addProfiles(line: CommandLine): void {
  const group = line.program.command('profiles').description('API profiles and local providers')
  const find = async (name: string) => pick(await line.client.profiles.list(), name, 'profile')

  group
    .command('list')
    .description('all profiles with their state')
    .action(async () => line.show(await line.client.profiles.list(), listText))
  withFields(group.command('add'))
    .description('add a profile: --label L --base-url URL --dialect chat --model M --api-key -')
    .addOption(new Option('--kind <kind>').choices(['api', 'local']).default('api'))
    .option('--discover', 'take all the models that the host lists')
    .action(async (options: AddOptions) => {
      const { kind = 'api', label = '', baseUrl = '', dialect = [], discover, ...rest } = options
      const { models = [], ...fields } = await fieldsOf(rest)
      const place = { kind, baseUrl, dialects: [...dialect], provider: fields.provider, apiKey: fields.apiKey }
      const found = discover === true ? await line.client.profiles.discoverModels(place) : []
      const all = [...models, ...found.filter(({ id }) => models.every((model) => model.id !== id))]
      const profile = {
        kind,
        label,
        baseUrl,
        dialects: [...dialect],
        ...fields,
        models: all.map(({ id, upstreamModel }) => ({ id, upstreamModel })),
      }
      line.show(await line.client.profiles.create(profile), ({ id }) => `Added as ${id}.`)
    })
  withFields(group.command('edit'))
    .option('--activate', 'let it take part again')
    .option('--deactivate', 'leave it out')
    .argument('<profile>', 'id or label')
    .description('change what is given, keep the rest')
    .action(async (name: string, { label, baseUrl, dialect, activate, deactivate, ...rest }: EditOptions) => {
      if (activate === true && deactivate === true) throw usage('Give --activate or --deactivate, not both')
      const { id } = await find(name)
      const fields = await fieldsOf(rest)
      const changed = await line.client.profiles.update({
        id,
        label,
        baseUrl,
        dialects: dialect === undefined ? undefined : [...dialect],
        active: activate ?? (deactivate === true ? false : undefined),
        ...fields,
      })
      line.show(changed, () => `${id} is changed.`)
    })
  group
    .command('remove')
    .argument('<profile>', 'id or label')
    .description('remove a profile and its key; its calls stay in the log')
    .action(async (name: string) => {
      const { id, label } = await find(name)
      line.show(await line.client.profiles.remove({ id }), () => `${label} is removed.`)
    })
}

const withFields = (command: Command): Command =>
  command
    .option('--label <label>')
    .option('--base-url <url>', 'scheme, host and path before /v1')
    .addOption(new Option('--dialect <dialect...>').choices(['messages', 'responses', 'chat']))
    .option('--model <model...>', 'ID or ID=NAME-SENT-UPSTREAM')
    .option('--joins <provider...>', 'provider ids that fall over to it, such as claude or codex')
    .option('--budget <budget>', 'its own cap: id or label, or none', unless('none', String))
    .option('--api-key <->', '- reads the key from stdin')
    .addOption(
      new Option('--program <program>', 'of a local one; ollama when left out').choices([
        'ollama',
        'openai-compatible',
      ]),
    )

async function fieldsOf({ model, joins, apiKey, program, budget }: ProfileOptions) {
  return {
    ...(budget === undefined ? {} : { budgetId: limitOf(budget) }),
    ...(program === undefined ? {} : { provider: program }),
    ...(model === undefined ? {} : { models: model.map(modelOf) }),
    ...(joins === undefined ? {} : { joins: [...joins] }),
    ...(apiKey === undefined ? {} : { apiKey: await readSecret('--api-key', apiKey) }),
  }
}

function modelOf(text: string): { id: string; upstreamModel?: string } {
  const at = text.indexOf('=')
  return at < 0 ? { id: text } : { id: text.slice(0, at), upstreamModel: text.slice(at + 1) }
}

type Profile = Awaited<ReturnType<CommandLine['client']['profiles']['list']>>[number]

const listText = (profiles: readonly Profile[]): string =>
  table(
    [
      { title: 'ID' },
      { title: 'LABEL' },
      { title: 'KIND' },
      { title: 'BASE URL' },
      { title: 'KEY' },
      { title: 'STATE' },
      { title: 'MODELS', align: 'right' },
      { title: 'WHY' },
    ],
    profiles.map(({ id, label, kind, baseUrl, keyPreview, state, models, because }) => [
      id,
      label,
      kind,
      baseUrl,
      keyPreview ?? '–',
      state,
      String(models.length),
      because,
    ]),
  )
