/** `pointsman serve`: the options of a start. The program itself is loaded only here: it opens native parts. */
import { Option } from 'commander'
import type { Places, VaultName } from '../serve.ts'
import { type CommandLine, usage } from './command-line.ts'
import { port, wholeNumber } from './options.ts'

interface ServeFlags {
  readonly port?: number
  readonly uiPort?: number
  readonly ui: boolean
  readonly vault?: VaultName
  readonly passphraseFd?: number
  readonly traffic?: boolean
  readonly showKey?: boolean
}

export function addServe(line: CommandLine, places: Places): void {
  line.program
    .command('serve')
    .description('start the program without a window of its own')
    .option('--port <port>', 'for clients; 0 takes any free one', port)
    .option('--ui-port <port>', 'for the window in a browser', port)
    .option('--no-ui', 'without the window')
    .addOption(
      new Option('--vault <kind>', 'where logins are kept').choices(['keychain', 'passphrase', 'file', 'memory']),
    )
    .option('--passphrase-fd <number>', 'read the vault’s passphrase from this descriptor', wholeNumber)
    .option('--show-key', 'print the default access key on the very first start')
    .addOption(new Option('--traffic', 'simulated traffic in practice mode').hideHelp())
    .action(async (flags: ServeFlags) => {
      refuseContradictions(flags, line.options.practice === true)
      const { serve } = await import('../serve.ts')
      const { json = false, practice = false, dataDir } = line.options
      const { traffic = false, showKey = false } = flags
      await serve({ ...flags, dataDir, practice, json, traffic, showKey }, places, line.environment)
    })
}

/** What would have no effect is said, not ignored. */
function refuseContradictions(flags: ServeFlags, practice: boolean): void {
  if (flags.traffic === true && !practice) throw usage('Simulated traffic needs --practice')
  if (flags.passphraseFd !== undefined && flags.vault !== 'passphrase') {
    throw usage('The option --passphrase-fd needs --vault passphrase')
  }
  if (flags.uiPort !== undefined && !flags.ui) throw usage('The options --ui-port and --no-ui contradict each other')
}
