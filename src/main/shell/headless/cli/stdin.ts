/** Reads what a person pipes in: credentials reach the command line only so, never as arguments (T2.5). */
import { usage } from './command-line.ts'

const largestBytes = 8 * 1024 * 1024

export async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) throw usage('Pipe the text in: `-` reads it from stdin')
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of process.stdin) {
    const bytes = Buffer.from(piece)
    length += bytes.length
    if (length > largestBytes) throw usage('Stdin is larger than 8 MiB')
    pieces.push(bytes)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** For an option that takes a secret: `-` and nothing else. */
export async function readSecret(option: string, value: string): Promise<string> {
  if (value !== '-')
    throw usage(`The option ${option} takes - and reads the secret from stdin; arguments can be seen by others`)
  return (await readStdin()).trim()
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usage('The input is not JSON')
  }
}
