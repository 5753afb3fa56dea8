/** Runs one command of the headless program and turns whatever goes wrong into a sentence and an exit code. */
import { PointsmanError, problem } from '../../../shared/errors.ts'
import { readEnvironment, refuseUnsafe } from './environment.ts'
import { exitCodeOf, leave, printProblem } from './print.ts'
import { type Places, serve } from './serve.ts'

export async function run(places: Places): Promise<void> {
  const environment = readEnvironment()
  const json = process.argv.includes('--json')
  try {
    refuseUnsafe(environment, process.execArgv)
    await serve(parse(process.argv.slice(3)), places, environment)
  } catch (cause) {
    const found = cause instanceof PointsmanError ? cause.problem : problem('internal', { logId: 'none' })
    printProblem(found, json)
    leave(exitCodeOf(found.code))
  }
}

function parse(argv: readonly string[]) {
  const value = (name: string) => {
    const at = argv.indexOf(name)
    return at < 0 ? undefined : argv[at + 1]
  }
  const dataDir = value('--data-dir')
  const port = value('--port')
  return {
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(port === undefined ? {} : { port: Number(port) }),
    practice: argv.includes('--practice'),
    traffic: argv.includes('--traffic'),
    json: argv.includes('--json'),
    showKey: argv.includes('--show-key'),
  }
}
