/** `pointsman rpc AREA.MEMBER JSON`: every member of the contract, for scripts. */
import { contract } from '../../../../shared/contract/index.ts'
import { PointsmanError } from '../../../../shared/errors.ts'
import { hasReader, printJson } from '../print.ts'
import type { CommandLine } from './command-line.ts'
import { parseJson, readStdin } from './stdin.ts'

type Member = (input: unknown) => Promise<unknown>

export function addRpc(line: CommandLine): void {
  line.program
    .command('rpc')
    .argument('<member>', 'AREA.MEMBER, such as models.explain')
    .argument('[json]', 'its input; - reads it from stdin', '{}')
    .description('call any member of the contract')
    .action(async (name: string, json: string) => {
      const path = memberPath(name)
      const input = parseJson(json === '-' ? await readStdin() : json)
      const answer = await memberOf(line, path)(input)
      if (!isIterable(answer)) {
        printJson(answer)
        return
      }
      // A subscription: a line for each message, until it is interrupted.
      for await (const message of answer) {
        printJson(message, 'one-line')
        if (!hasReader()) break
      }
    })
}

export function memberPath(name: string): readonly [string, string] {
  const [area = '', member = '', ...rest] = name.split('.')
  const members: unknown = Object.hasOwn(contract, area) ? contract[area as keyof typeof contract] : null
  const isKnown = typeof members === 'object' && members !== null && Object.hasOwn(members, member)
  if (!isKnown || rest.length > 0) throw new PointsmanError('not_found', { what: `member ${name}` })
  return [area, member]
}

function memberOf({ client }: CommandLine, [area, member]: readonly [string, string]): Member {
  const areas = client as unknown as Readonly<Record<string, Readonly<Record<string, Member>>>>
  const found = areas[area]?.[member]
  if (found === undefined) throw new PointsmanError('not_found', { what: `member ${area}.${member}` })
  return found
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
