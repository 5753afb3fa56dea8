/** The one place that writes to the terminal and ends the process; nothing foreign gets through as an escape (T4.5). */
import type { Problem } from '../../../shared/errors.ts'

/** Exit codes that scripts rely on (architecture, "Commands"). */
export const exitCodes = { usage: 2, not_running: 69, port_in_use: 73, data_folder_in_use: 75 } as const

export const exitCodeOf = (code: string): number => (exitCodes as Readonly<Record<string, number>>)[code] ?? 1

/** What JSON leaves as it is and a terminal obeys. */
const directions = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Text of any origin, fit for a terminal: control and direction characters become `�`, tab and line feed stay. */
export const printable = (text: string): string => text.replace(controls, '�')

/** Columns of the terminal; null where the output goes to a file or a pipe, which has room for any line. */
export const terminalWidth = (): number | null => (process.stdout.isTTY ? process.stdout.columns : null)

export function print(text: string): void {
  write(process.stdout, `${printable(text)}\n`)
}

/** Indented on a terminal, one line elsewhere or where it must be. */
export function printJson(value: unknown, shape: 'one-line' | 'by-terminal' = 'by-terminal'): void {
  const indent = shape === 'by-terminal' && process.stdout.isTTY ? 2 : 0
  write(process.stdout, `${jsonText(value, indent)}\n`)
}

/** JSON escapes only the first 32 controls by itself. */
const jsonText = (value: unknown, indent: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(
    directions,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The same problem for a script or for a person, on stderr. */
export function printProblem(
  { code, sentence, next }: Pick<Problem, 'code' | 'sentence' | 'next'>,
  json: boolean,
): void {
  const text = json ? jsonText({ code, sentence, next }, 0) : printable(`${sentence}\n${next}`)
  write(process.stderr, `${text}\n`)
}

export function printError(text: string): void {
  write(process.stderr, `${printable(text)}\n`)
}

const longestFlushMs = 2_000

/** Ends the process once everything written has left it: a pipe takes its time, a stuck one doesn't hold us. */
export function leave(code: number): void {
  process.exitCode = code
  setTimeout(() => process.exit(code), longestFlushMs)
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

let isHeard = true

/** False once whoever read our output has gone (`| head`): long outputs end there. */
export const hasReader = (): boolean => isHeard

/** A reader that has gone is no fault of ours. */
function write(stream: NodeJS.WriteStream, text: string): void {
  if (stream.listenerCount('error') === 0) {
    stream.on('error', () => {
      isHeard = false
    })
  }
  stream.write(text)
}
