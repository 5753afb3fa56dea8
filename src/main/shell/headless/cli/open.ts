/** `pointsman open`: a fresh one-time link to the window in a browser. */
import type { CommandLine } from './command-line.ts'

export function addOpen(line: CommandLine): void {
  line.program
    .command('open')
    .description('print a link to the window: it works once, for a minute')
    .action(async () => line.show(await line.client.app.openLink(), ({ url }) => url))
}
