/** What every command is given: the running program's members, and a way to show what they answer. */
import type { Command } from 'commander'
import { PointsmanError } from '../../../../shared/errors.ts'
import { defaultDataFolder, type Environment } from '../environment.ts'
import { print, printJson } from '../print.ts'
import { type Client, clientOf } from './client.ts'

/** Accepted before and after any subcommand. */
export interface GlobalOptions {
  readonly json?: boolean
  readonly dataDir?: string
  readonly practice?: boolean
}

export class CommandLine {
  readonly program: Command
  readonly environment: Environment
  #client: Client | null = null

  constructor(program: Command, environment: Environment) {
    this.program = program
    this.environment = environment
  }

  get options(): GlobalOptions {
    return this.program.opts<GlobalOptions>()
  }

  get dataDir(): string {
    const { dataDir, practice = false } = this.options
    return dataDir ?? defaultDataFolder(this.environment, practice)
  }

  /** Connects with the first call. */
  get client(): Client {
    this.#client ??= clientOf(this.dataDir)
    return this.#client
  }

  /** With `--json` exactly the member's output, else a text for a person. */
  show<Value>(value: Value, text: (value: Value) => string): void {
    if (this.options.json === true) printJson(value)
    else print(text(value))
  }
}

interface Named {
  readonly id: string
  readonly label: string
}

/** By id, or by a label that only one has. */
export function pick<Item extends Named>(items: readonly Item[], idOrLabel: string, kind: string): Item {
  const byId = items.find(({ id }) => id === idOrLabel)
  if (byId !== undefined) return byId
  const [first, second] = items.filter(({ label }) => label === idOrLabel)
  if (second !== undefined) throw usage(`The ${kind} label ${idOrLabel} belongs to several; give the id`)
  if (first === undefined) throw new PointsmanError('not_found', { what: `${kind} ${idOrLabel}` })
  return first
}

export const usage = (why: string): PointsmanError => new PointsmanError('usage', { why })
