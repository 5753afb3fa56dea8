/** `pointsman status`: what the running program is doing, on one screen. */
import type { CommandLine } from './command-line.ts'
import { facts, table } from './table.ts'
import { windowsText } from './words.ts'

export function addStatus(line: CommandLine): void {
  line.program
    .command('status')
    .description('what the running program is doing')
    .action(async () => {
      const { client } = line
      const snapshot = await client.app.snapshot()
      if (line.options.json === true) {
        line.show(snapshot, () => '')
        return
      }
      const [accounts, profiles] = await Promise.all([client.accounts.list(), client.profiles.list()])
      const rows = [
        ...accounts.map(({ label, provider, state, windows, because }) => [
          label,
          provider as string,
          state,
          windowsText(windows),
          because,
        ]),
        ...profiles.map(({ label, kind, state, because }) => [label, kind, state, '–', because]),
      ]
      line.show(snapshot, ({ version, practice, address, paused, vault, saving, dataDir }) =>
        [
          `Pointsman ${version} is running.${practice ? ' Practice mode: everything is simulated.' : ''}`,
          '',
          facts([
            ['Address', address],
            ['Routing', paused ? 'paused' : 'on'],
            ['Vault', `${vault.kind}, ${vault.state}${vault.why === null ? '' : `: ${vault.why}`}`],
            ['Call log', saving.saving ? 'saved' : (saving.why ?? 'not saved')],
            ['Data', dataDir],
          ]),
          '',
          table(
            [{ title: 'SOURCE' }, { title: 'KIND' }, { title: 'STATE' }, { title: 'USED' }, { title: 'WHY' }],
            rows,
          ),
        ].join('\n'),
      )
    })
}
