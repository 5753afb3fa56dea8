/** Runs one command of the headless program and turns whatever goes wrong into a sentence and an exit code. */
import { Command, CommanderError } from 'commander'
import { type Problem, problem } from '../../../shared/errors.ts'
import { addAccounts } from './cli/accounts.ts'
import { addBudgets } from './cli/budgets.ts'
import { addCalls } from './cli/calls.ts'
import { problemOf } from './cli/client.ts'
import { CommandLine } from './cli/command-line.ts'
import { addConnect } from './cli/connect.ts'
import { addDoctor } from './cli/doctor.ts'
import { addKeys } from './cli/keys.ts'
import { addModels } from './cli/models.ts'
import { addOpen } from './cli/open.ts'
import { folder } from './cli/options.ts'
import { addPrices } from './cli/prices.ts'
import { addProfiles } from './cli/profiles.ts'
import { addQuota } from './cli/quota.ts'
import { addRehearse } from './cli/rehearse.ts'
import { addRpc } from './cli/rpc.ts'
import { addServe } from './cli/serve-command.ts'
import { addStatus } from './cli/status.ts'
import { readEnvironment, refuseUnsafe } from './environment.ts'
import { exitCodeOf, leave, print, printError, printProblem } from './print.ts'
import type { Places } from './serve.ts'
import { versionOf } from './version.ts'

export async function run(places: Places): Promise<void> {
  const environment = readEnvironment()
  // Also right when the arguments themselves are what is wrong.
  const json = process.argv.includes('--json')
  try {
    refuseUnsafe(environment, process.execArgv)
    const program = programOf(versionOf(places), json)
    const line = new CommandLine(program, environment)
    addServe(line, places)
    for (const add of [
      addStatus,
      addOpen,
      addAccounts,
      addProfiles,
      addModels,
      addCalls,
      addKeys,
      addBudgets,
      addPrices,
      addQuota,
      addConnect,
    ])
      add(line)
    addRehearse(line)
    addDoctor(line)
    addRpc(line)
    await program.parseAsync()
    if (!isServing(program)) leave(Number(process.exitCode ?? 0))
  } catch (cause) {
    fail(cause, json, environment.isDevelopment)
  }
}

/** `--json`, `--data-dir` and `--practice` belong to the root, which takes them wherever they stand. */
const programOf = (version: string, json: boolean): Command =>
  new Command('pointsman')
    .description('One local address for all your Claude and Codex accounts, API keys and local models.')
    .version(version)
    .option('--data-dir <folder>', 'the data folder of the program', folder)
    .option('--json', 'print exactly one JSON value')
    .option('--practice', 'practice mode: simulated accounts, and a data folder of its own')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      // The text of an error comes from `fail`; help that was not asked for is shown to people only.
      writeErr: (text) => {
        if (!json) printError(text.trimEnd())
      },
      outputError: () => {},
    })
    .exitOverride()

const isServing = (program: Command): boolean => program.args[0] === 'serve'

function fail(cause: unknown, json: boolean, isDevelopment: boolean): void {
  if (isDevelopment && cause instanceof Error && !(cause instanceof CommanderError)) printError(cause.stack ?? '')
  const found = cause instanceof CommanderError ? usageOf(cause) : (problemOf(cause) ?? unexpected(cause))
  if (found === null) {
    leave(0)
    return
  }
  printProblem(found, json)
  leave(exitCodeOf(found.code))
}

/** Null for help and version that were asked for. */
function usageOf({ code, exitCode, message }: CommanderError): Problem | null {
  if (exitCode === 0) return null
  const isHelp = code === 'commander.help'
  return problem('usage', { why: isHelp ? 'A command is missing' : sentence(message) })
}

/** Commander writes `error: unknown option '--x'`. */
function sentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A fault of ours before anything could log it: its kind helps, its text might hold anything. */
function unexpected(cause: unknown): Problem {
  const name = cause instanceof Error ? cause.name : typeof cause
  return problem('internal', { logId: `none, ${name}` })
}
