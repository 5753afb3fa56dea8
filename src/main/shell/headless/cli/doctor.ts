/** `pointsman doctor`: looks at what usually goes wrong, and says what to do about it. */
import { existsSync, statSync } from 'node:fs'
import { problem } from '../../../../shared/errors.ts'
import { leave } from '../print.ts'
import { problemOf } from './client.ts'
import type { CommandLine } from './command-line.ts'
import { table } from './table.ts'

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly sentence: string
}

export function addDoctor(line: CommandLine): void {
  line.program
    .command('doctor')
    .description('look at what usually goes wrong')
    .action(async () => {
      const checks = [folderCheck(line.dataDir), ...(await programChecks(line))]
      line.show({ ok: checks.every(({ ok }) => ok), checks }, (found) =>
        table(
          [{ title: 'CHECK' }, { title: '' }, { title: '' }],
          found.checks.map(({ name, ok, sentence }) => [name, ok ? 'ok' : 'TROUBLE', sentence]),
        ),
      )
      if (checks.some(({ ok }) => !ok)) leave(1)
    })
}

function folderCheck(dataDir: string): Check {
  const name = 'data folder'
  if (!existsSync(dataDir)) return { name, ok: true, sentence: `${dataDir} is made at the first start.` }
  const open = process.platform !== 'win32' && (statSync(dataDir).mode & 0o077) !== 0
  return open
    ? { name, ok: false, sentence: `Others may look into ${dataDir}; the next start repairs that.` }
    : { name, ok: true, sentence: `${dataDir} is private.` }
}

async function programChecks(line: CommandLine): Promise<readonly Check[]> {
  try {
    const { client } = line
    const [snapshot, accounts, profiles] = await Promise.all([
      client.app.snapshot(),
      client.accounts.list(),
      client.profiles.list(),
    ])
    const { version, address, paused, vault, saving } = snapshot
    const sources = [...accounts, ...profiles]
    return [
      { name: 'program', ok: true, sentence: `Version ${version} answers at ${address}.` },
      { name: 'routing', ok: !paused, sentence: paused ? 'Routing is paused.' : 'Routing is on.' },
      {
        name: 'vault',
        ok: vault.state === 'open' && vault.unsaved === null,
        sentence: vault.why ?? vault.unsaved ?? `The ${vault.kind} vault is open.`,
      },
      { name: 'call log', ok: saving.saving, sentence: saving.why ?? 'Calls are saved.' },
      { name: 'sources', ok: sources.length > 0, sentence: `There are ${sources.length}.` },
      ...sources.map(({ label, state, because }) => ({
        name: label,
        ok: state === 'ready' || state === 'inactive' || state === 'resting',
        sentence: because,
      })),
    ]
  } catch (cause) {
    const found = problemOf(cause)
    if (found === null) throw cause
    const { next } = found.code === 'not_running' ? problem('not_running') : found
    return [{ name: 'program', ok: false, sentence: `${found.sentence} ${next}` }]
  }
}
