/** `pointsman accounts …`: subscription accounts. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Argument } from 'commander'
import { printError } from '../print.ts'
import { type CommandLine, pick, usage } from './command-line.ts'
import { addSignIn } from './sign-in.ts'
import { parseJson, readSecret, readStdin } from './stdin.ts'
import { table } from './table.ts'
import { windowsText } from './words.ts'

interface ImportOptions {
  readonly label: string
  readonly path?: string
  readonly keyring?: string | true
  readonly setupToken?: string
}

export function addAccounts(line: CommandLine): void {
  const group = line.program.command('accounts').description('subscription accounts')
  const find = async (name: string) => pick(await line.client.accounts.list(), name, 'account')

  group
    .command('list')
    .description('all accounts with their state and windows')
    .action(async () => line.show(await line.client.accounts.list(), listText))
  group
    .command('import')
    .description('take over an existing login: `import codex --label Work - < auth.json`')
    .addArgument(new Argument('<provider>').choices(['claude', 'codex']))
    .argument('[credential]', '- reads the vendor’s own file from stdin (a copy)')
    .requiredOption('--label <label>', 'its name')
    .option('--path <file>', 'the vendor’s own file, read anew for each use and never changed')
    .option(
      '--keyring [folder]',
      'Codex: the login its CLI keeps in the keychain; CODEX_HOME or ~/.codex when left out',
    )
    .option('--setup-token <->', '- reads a Claude setup-token from stdin')
    .action(async (provider: 'claude' | 'codex', credential: string | undefined, options: ImportOptions) => {
      const login = await loginOf(credential, options, line.environment.variables)
      const { label } = options
      const imported = await line.client.accounts.import({ provider, label, ...login })
      line.show(imported, ({ id, isNew }) => (isNew ? `Imported as ${id}.` : `Signed ${id} in again.`))
      if (imported.warning !== null && line.options.json !== true) printError(imported.warning)
    })
  addSignIn(group, line)
  group
    .command('adopt')
    .description('take over what clovapi left on this machine; its files stay as they are')
    .option('--dry-run', 'only say what would be taken over')
    .action(async ({ dryRun }: { readonly dryRun?: boolean }) => {
      const { accounts } = line.client
      line.show(await (dryRun === true ? accounts.adoptPreview() : accounts.adopt()), adoptedText)
    })
  for (const verb of ['hand-over', 'hand-back'] as const) {
    group
      .command(verb)
      .argument('<account>', 'id or label')
      .description(
        verb === 'hand-over'
          ? 'renew a login here that the vendor’s program held'
          : 'give such a login back to the vendor’s program',
      )
      .action(async (name: string) => {
        const { id } = await find(name)
        const { accounts } = line.client
        const changed = verb === 'hand-over' ? await accounts.handOver({ id }) : await accounts.handBack({ id })
        line.show(
          changed,
          ({ label, holder }) => `${label} is held by ${holder === 'cli' ? 'its own program' : 'Pointsman'}.`,
        )
        const warning = 'warning' in changed ? changed.warning : null
        if (typeof warning === 'string' && line.options.json !== true) printError(warning)
      })
  }
  group
    .command('rename')
    .argument('<account>', 'id or label')
    .argument('<label>')
    .description('give an account another label; its id stays')
    .action(async (name: string, label: string) => {
      const { id } = await find(name)
      line.show(await line.client.accounts.rename({ id, label }), () => `${id} is now ${label}.`)
    })
  for (const [verb, active, said] of [
    ['activate', true, 'takes part again'],
    ['deactivate', false, 'is left out from now on'],
  ] as const) {
    group
      .command(verb)
      .argument('<account>', 'id or label')
      .description(active ? 'let an account take part again' : 'leave an account out')
      .action(async (name: string) => {
        const { id } = await find(name)
        line.show(await line.client.accounts.setActive({ id, active }), ({ label }) => `${label} ${said}.`)
      })
  }
  group
    .command('sign-out')
    .argument('<account>', 'id or label')
    .description('forget the login, keep the account')
    .action(async (name: string) => {
      const { id } = await find(name)
      line.show(await line.client.accounts.signOut({ id }), ({ label }) => `${label} is signed out.`)
    })
  group
    .command('remove')
    .argument('<account>', 'id or label')
    .description('remove an account and its login; its calls stay in the log')
    .action(async (name: string) => {
      const { id, label } = await find(name)
      line.show(await line.client.accounts.remove({ id }), () => `${label} is removed.`)
    })
  group
    .command('refresh')
    .argument('[account]', 'id or label; all when left out')
    .description('read the models of an account anew')
    .action(async (name: string | undefined) => {
      if (name !== undefined) {
        const { id } = await find(name)
        line.show(await line.client.accounts.refreshModels({ id }), (account) => listText([account]))
        return
      }
      const refreshed: Account[] = []
      for (const { id } of await line.client.accounts.list()) {
        refreshed.push(await line.client.accounts.refreshModels({ id }))
      }
      line.show(refreshed, listText)
    })
}

type Account = Awaited<ReturnType<CommandLine['client']['accounts']['list']>>[number]

async function loginOf(
  credential: string | undefined,
  { path, keyring, setupToken }: ImportOptions,
  { CODEX_HOME: codexHome, HOME: home = homedir() }: Readonly<Record<string, string | undefined>>,
) {
  const given = [credential, path, keyring, setupToken].filter((part) => part !== undefined)
  if (given.length !== 1) throw usage('Give one of -, --path FILE, --keyring and --setup-token -')
  if (path !== undefined) return { path: resolve(path) }
  if (keyring !== undefined)
    return { keyringOf: resolve(keyring === true ? codexHome || join(home, '.codex') : keyring) }
  if (setupToken !== undefined) return { setupToken: await readSecret('--setup-token', setupToken) }
  if (credential !== '-') throw usage('The credential is read from stdin: give - in its place')
  return { credential: parseJson(await readStdin()) }
}

type Adoption = Awaited<ReturnType<CommandLine['client']['accounts']['adopt']>>[number]

const adoptedText = (all: readonly Adoption[]): string =>
  all.length === 0
    ? 'Nothing was found.'
    : table(
        [{ title: 'FILE' }, { title: '' }, { title: 'ID' }, { title: 'WHY' }],
        all.map(({ path, outcome, id, why }) => [path, outcome, id ?? '–', why ?? '']),
      )

const listText = (accounts: readonly Account[]): string =>
  table(
    [
      { title: 'ID' },
      { title: 'LABEL' },
      { title: 'PROVIDER' },
      { title: 'PLAN' },
      { title: 'STATE' },
      { title: 'MODELS', align: 'right' },
      { title: 'USED' },
      { title: 'WHY' },
    ],
    accounts.map(({ id, label, provider, plan, state, models, windows, because }) => [
      id,
      label,
      provider,
      plan ?? '–',
      state,
      String(models.length),
      windowsText(windows),
      because,
    ]),
  )
