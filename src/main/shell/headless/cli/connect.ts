/** `pointsman connect claude|codex`: shows the exact lines first, changes only our own keys, takes them back exactly. */
import { Argument } from 'commander'
import type { CommandLine } from './command-line.ts'

type Clients = CommandLine['client']['clients']
type Preview = Awaited<ReturnType<Clients['preview']>>
type Status = Awaited<ReturnType<Clients['connect']>>
type Name = Status['client']

interface Options {
  readonly dryRun?: boolean
  readonly undo?: boolean
}

export function addConnect(line: CommandLine): void {
  line.program
    .command('connect')
    .addArgument(new Argument('[client]', 'the client; all are shown when left out').choices(['claude', 'codex']))
    .option('--dry-run', 'show the lines, write nothing')
    .option('--undo', 'take the change back and revoke the client’s key')
    .description('point Claude Code or the Codex CLI at Pointsman')
    .action(async (client: Name | undefined, { dryRun, undo }: Options) => {
      const { clients } = line.client
      if (client === undefined) line.show(await clients.status(), (all) => all.map(statusText).join('\n'))
      else if (dryRun === true) line.show(await clients.preview({ client }), previewText)
      else if (undo === true) line.show(await clients.restore({ client }), statusText)
      else await connect(line, client)
    })
}

async function connect(line: CommandLine, client: Name): Promise<void> {
  const { clients } = line.client
  const preview = await clients.preview({ client })
  const status = await clients.connect({ client })
  line.show(
    status,
    () => `${previewText(preview)}\n\n${statusText(status)}\nTake it back with \`pointsman connect ${client} --undo\`.`,
  )
}

const previewText = ({ path, isNew, lines }: Preview): string =>
  [
    `${path}${isNew ? ' (new)' : ''}`,
    ...lines.map(({ line, kind, text }) => `${kind === 'added' ? '+' : '-'} ${String(line).padStart(3)}  ${text}`),
  ].join('\n')

const names: Readonly<Record<Name, string>> = { claude: 'Claude Code', codex: 'Codex CLI' }

const states: Readonly<Record<Status['state'], string>> = {
  'not-connected': 'is not connected',
  connected: 'is connected',
  changed: 'is connected; its file was edited since',
  elsewhere: 'points here already, by another hand',
}

const statusText = ({ client, state, path, keyLabel }: Status): string =>
  `${names[client]} ${states[state]}${keyLabel === null ? '' : `, with the key ${keyLabel}`} (${path}).`
