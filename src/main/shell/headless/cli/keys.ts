/** `pointsman keys …`: access keys. */
import type { CommandLine } from './command-line.ts'
import { addFolders } from './key-folders.ts'
import { type KeyOptions, limitsOf, withKeyOptions } from './key-options.ts'
import { table } from './table.ts'
import { timeText } from './words.ts'

export function addKeys(line: CommandLine): void {
  const group = line.program.command('keys').description('access keys: what clients present')

  group
    .command('list')
    .description('all keys with their state; never the keys themselves')
    .action(async () => line.show(await line.client.keys.list(), listText))
  withKeyOptions(group.command('create'))
    .requiredOption('--label <label>', 'what it is for')
    .description('make a key and show it once')
    .action(async ({ label, ...options }: KeyOptions & { readonly label: string }) =>
      line.show(await line.client.keys.create({ label, ...limitsOf(options) }), secretText),
    )
  withKeyOptions(group.command('set'))
    .argument('<key>', 'id or label')
    .option('--label <label>', 'another name')
    .description('change what is given, keep the rest')
    .action(async (id: string, { label, ...options }: KeyOptions & { readonly label?: string }) => {
      const changed = await line.client.keys.setPolicy({ id, label, ...limitsOf(options) })
      line.show(changed, (key) => listText([key]))
    })
  withKeyOptions(group.command('preview'))
    .argument('<key>', 'id or label')
    .description('what such a change would have meant for the calls of the last seven days; nothing is saved')
    .action(async (id: string, options: KeyOptions) => {
      const seen = await line.client.keys.preview({ kind: 'key', id, ...limitsOf(options) })
      line.show(seen, ({ sentence }) => sentence)
    })
  addFolders(line, group)
  group
    .command('rotate')
    .argument('<key>', 'id or label')
    .description('give a key a new secret and show it once; the old one stops at once')
    .action(async (id: string) => line.show(await line.client.keys.rotate({ id }), secretText))
  for (const [verb, state, description] of [
    ['disable', 'disabled', 'refuse this key from the next request on'],
    ['enable', 'active', 'accept this key again'],
    ['revoke', 'revoked', 'end this key for ever'],
  ] as const) {
    group
      .command(verb)
      .argument('<key>', 'id or label')
      .description(description)
      .action(async (id: string) => {
        const key = await line.client.keys.setState({ id, state })
        line.show(key, ({ label }) => `The key ${label} is ${key.state}.`)
      })
  }
}

type Key = Awaited<ReturnType<CommandLine['client']['keys']['list']>>[number]

const secretText = ({ label, id, secret }: Key & { readonly secret: string }): string =>
  `The key ${label} (${id}), shown only now:\n\n  ${secret}`

function limitsText({ providers, models, operations, serviceTiers, expiresAtMs, concurrency, folders }: Key): string {
  const parts = [
    ...(providers === null ? [] : [`addresses ${providers.join(', ')}`]),
    ...(models === null ? [] : [`models ${models.join(', ')}`]),
    ...(operations === null ? [] : [`operations ${operations.join(', ')}`]),
    ...(serviceTiers === null ? [] : [`tiers ${serviceTiers.join(', ')}`]),
    ...(folders.length === 0 ? [] : [`${folders.length} folders`]),
    ...(concurrency === null ? [] : [`${concurrency} at once`]),
    ...(expiresAtMs === null ? [] : [`until ${timeText(expiresAtMs)}`]),
  ]
  return parts.length === 0 ? '–' : parts.join('; ')
}

const policyText = ({ policy }: Key): string => {
  if (policy === null) return 'none: refuses every call'
  return policy.sources === undefined ? policy.mode : `${policy.mode} ${policy.sources.join(', ')}`
}

const listText = (keys: readonly Key[]): string =>
  table(
    [
      { title: 'LABEL' },
      { title: 'KEY' },
      { title: 'STATE' },
      { title: 'POLICY' },
      { title: 'LIMITS' },
      { title: 'ID' },
    ],
    keys.map((key) => [key.label, key.preview, key.state, policyText(key), limitsText(key), key.id]),
  )
