/** `pointsman connect claude|codex|sdk`: shows the exact lines first, changes only our own keys, takes them back exactly. */
import { resolve } from 'node:path'
import { Argument, Option } from 'commander'
import { type CommandLine, usage } from './command-line.ts'

type Clients = CommandLine['client']['clients']
type Preview = Awaited<ReturnType<Clients['preview']>>
type Status = Awaited<ReturnType<Clients['connect']>>
type Place = Parameters<Clients['restore']>[0]
type Aim = Parameters<Clients['connect']>[0]
type Shell = Parameters<Clients['sdk']>[0]['shell']
type Name = Status['client'] | 'sdk'

interface Options {
  readonly dryRun?: boolean
  readonly undo?: boolean
  readonly keepSignIn?: boolean
  readonly folder?: string
  readonly shell?: Shell
}

export function addConnect(line: CommandLine): void {
  const clients = ['claude', 'codex', 'sdk']
  line.program
    .command('connect')
    .addArgument(new Argument('[client]', 'the client; all are shown when left out').choices(clients))
    .option('--dry-run', 'show the lines, write nothing')
    .option('--undo', 'take the change back and revoke the client’s key')
    .option('--keep-sign-in', 'Codex: keep its own provider and ChatGPT sign-in, set its address only')
    .option('--folder <folder>', 'Claude: this folder’s local settings, with a key of its own')
    .addOption(new Option('--shell <shell>', 'sdk: how the lines are written').choices(['posix', 'fish', 'powershell']))
    .description('point Claude Code, the Codex CLI or the vendors’ SDKs at Pointsman')
    .action(async (client: Name | undefined, options: Options) => {
      const { clients } = line.client
      if (client === undefined) line.show(await clients.status(), (all) => all.map(statusText).join('\n'))
      else if (client === 'sdk') await showLines(line, options)
      else if (options.dryRun === true) line.show(await clients.preview(aimOf(client, options)), previewText)
      else if (options.undo === true) line.show(await clients.restore(placeOf(client, options)), statusText)
      else await connect(line, aimOf(client, options))
    })
}

/** For `eval "$(pointsman connect sdk)"`: stdout has the lines alone. */
async function showLines(line: CommandLine, { dryRun, undo, shell = 'posix' }: Options): Promise<void> {
  if (undo === true) throw usage('Nothing was written for the SDKs; revoke their key with `pointsman keys revoke SDK`')
  const { clients } = line.client
  const shown = dryRun === true ? clients.sdkPreview({ shell }) : clients.sdk({ shell })
  line.show(await shown, ({ lines }: { readonly lines: readonly string[] }) => lines.join('\n'))
}

const placeOf = (client: Status['client'], { folder }: Options): Place => ({
  client,
  ...(folder === undefined ? {} : { folder: resolve(folder) }),
})

const aimOf = (client: Status['client'], options: Options): Aim => ({
  ...placeOf(client, options),
  ...(options.keepSignIn === true ? { way: 'base-url' as const } : {}),
})

async function connect(line: CommandLine, aim: Aim): Promise<void> {
  const { clients } = line.client
  const preview = await clients.preview(aim)
  const status = await clients.connect(aim)
  const folder = aim.folder === undefined ? '' : ` --folder '${aim.folder}'`
  const care = aim.folder === undefined ? '' : '\nThe file holds a key: keep it out of the repository.'
  line.show(
    status,
    () =>
      `${previewText(preview)}\n\n${statusText(status)}${care}\nTake it back with \`pointsman connect ${aim.client}${folder} --undo\`.`,
  )
}

const previewText = ({ path, isNew, lines }: Preview): string =>
  [
    `${path}${isNew ? ' (new)' : ''}`,
    ...lines.map(({ line, kind, text }) => `${kind === 'added' ? '+' : '-'} ${String(line).padStart(3)}  ${text}`),
  ].join('\n')

const names: Readonly<Record<Status['client'], string>> = { claude: 'Claude Code', codex: 'Codex CLI' }

const states: Readonly<Record<Status['state'], string>> = {
  'not-connected': 'is not connected',
  connected: 'is connected',
  changed: 'is connected; its file was edited since',
  elsewhere: 'points here already, by another hand',
}

function statusText({ client, folder, state, way, path, keyLabel }: Status): string {
  const where = folder === null ? '' : ` in ${folder}`
  const how = way === 'base-url' ? ', keeping its own sign-in' : ''
  const key = keyLabel === null ? '' : `, with the key ${keyLabel}`
  return `${names[client]}${where} ${states[state]}${how}${key} (${path}).`
}
