/** `pointsman doctor`: looks at what usually goes wrong, and says what to do about it. */
import { existsSync, statSync } from 'node:fs'
import { problem } from '../../../../shared/errors.ts'
import { leave } from '../print.ts'
import type { Check } from './check.ts'
import { problemOf } from './client.ts'
import type { CommandLine } from './command-line.ts'
import { machineChecks } from './machine-checks.ts'
import { vaultCheck, vendorClockCheck } from './snapshot-checks.ts'
import { table } from './table.ts'

export function addDoctor(line: CommandLine): void {
  line.program
    .command('doctor')
    .description('look at what usually goes wrong')
    .action(async () => {
      const machine = await machineChecks(line.environment.variables, new Date())
      const checks = [folderCheck(line.dataDir), ...machine, ...(await programChecks(line))]
      line.show({ ok: checks.every(({ ok }) => ok), checks }, (found) =>
        table(
          [{ title: 'CHECK' }, { title: '' }, { title: '' }],
          found.checks.map(({ name, ok, sentence, next }) => [
            name,
            ok ? 'ok' : 'TROUBLE',
            next === null ? sentence : `${sentence} ${next}`,
          ]),
        ),
      )
      if (checks.some(({ ok }) => !ok)) leave(1)
    })
}

function folderCheck(dataDir: string): Check {
  const name = 'data folder'
  if (!existsSync(dataDir)) return { name, ok: true, sentence: `${dataDir} is made at the first start.`, next: null }
  const open = process.platform !== 'win32' && (statSync(dataDir).mode & 0o077) !== 0
  return open
    ? { name, ok: false, sentence: `Others may look into ${dataDir}.`, next: 'The next start repairs that.' }
    : { name, ok: true, sentence: `${dataDir} is private.`, next: null }
}

async function programChecks(line: CommandLine): Promise<readonly Check[]> {
  try {
    const { client } = line
    const [snapshot, accounts, profiles, clients] = await Promise.all([
      client.app.snapshot(),
      client.accounts.list(),
      client.profiles.list(),
      client.clients.status(),
    ])
    const { version, address, paused, vault, clock, saving } = snapshot
    const sources = [...accounts, ...profiles]
    return [
      { name: 'program', ok: true, sentence: `Version ${version} answers at ${address}.`, next: null },
      await portCheck(address),
      {
        name: 'routing',
        ok: !paused,
        sentence: paused ? 'Routing is paused.' : 'Routing is on.',
        next: paused ? 'Resume it with `pointsman rpc app.resume {}`.' : null,
      },
      vaultCheck(vault),
      vendorClockCheck(clock),
      {
        name: 'call log',
        ok: saving.saving,
        sentence: saving.why ?? 'Calls are saved.',
        next: saving.saving ? null : 'Free disk space; saving goes on by itself.',
      },
      {
        name: 'sources',
        ok: sources.length > 0,
        sentence: `There are ${sources.length}.`,
        next: sources.length > 0 ? null : 'Sign in with `pointsman accounts sign-in codex` or `… claude`.',
      },
      ...clients.map(clientCheck),
      ...sources.map(sourceCheck),
      ...accounts.filter(({ holder }) => holder === 'both').map(sharedCheck),
    ]
  } catch (cause) {
    const found = problemOf(cause)
    if (found === null) throw cause
    const { next } = found.code === 'not_running' ? problem('not_running') : found
    return [{ name: 'program', ok: false, sentence: found.sentence, next }]
  }
}

type Clients = CommandLine['client']
type Source = Awaited<ReturnType<Clients['accounts']['list'] | Clients['profiles']['list']>>[number]
type Account = Awaited<ReturnType<Clients['accounts']['list']>>[number]
type ClientStatus = Awaited<ReturnType<Clients['clients']['status']>>[number]

/** Whoever holds the port answers without a key in a way of its own; ours refuses. */
async function portCheck(address: string): Promise<Check> {
  const name = 'port'
  try {
    const { status } = await fetch(`${address}/v1/models`, { signal: AbortSignal.timeout(5_000) })
    if (status === 401 || status === 403)
      return { name, ok: true, sentence: `${address} answers, and wants an access key.`, next: null }
    return {
      name,
      ok: false,
      sentence: `${address} answers, but not as Pointsman does (HTTP ${status}).`,
      next: 'Look which program holds that port.',
    }
  } catch {
    return { name, ok: false, sentence: `${address} does not answer.`, next: 'Start Pointsman again.' }
  }
}

function sourceCheck({ label, state, because }: Source): Check {
  const ok = state === 'ready' || state === 'inactive' || state === 'resting'
  const next = state === 'signed-out' ? 'Sign in to it again.' : 'Unlock the vault.'
  return { name: label, ok, sentence: because, next: ok ? null : next }
}

const sharedCheck = ({ label, provider }: Account): Check => ({
  name: label,
  ok: false,
  sentence: 'Two programs hold this login: whichever renews it first ends it for the other.',
  next: `Sign in anew with \`${provider === 'codex' ? 'codex login' : 'claude'}\` in the vendor’s program.`,
})

function clientCheck({ client, folder, state, path }: ClientStatus): Check {
  const name = client === 'codex' ? 'Codex CLI' : folder === null ? 'Claude Code' : `Claude Code in ${folder}`
  switch (state) {
    case 'connected':
      return { name, ok: true, sentence: `It is connected (${path}).`, next: null }
    case 'changed':
      return { name, ok: true, sentence: `It is connected; ${path} was edited since.`, next: null }
    case 'elsewhere':
      return { name, ok: true, sentence: `It points here, set by hand (${path}).`, next: null }
    case 'not-connected':
      return { name, ok: true, sentence: `It is not connected; \`pointsman connect ${client}\` does that.`, next: null }
  }
}
