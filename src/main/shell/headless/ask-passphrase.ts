/** Where the vault's passphrase comes from: the environment, a file descriptor, or the terminal; never an argument. */
import { passphraseFrom } from '../../compose.ts'
import { printError } from './print.ts'

export type AskPassphrase = () => Promise<Uint8Array | null>

const longest = 1_024
/** Ctrl+C and Ctrl+D. */
const leaving = ['\u0003', '\u0004']
const endings = ['\r', '\n', ...leaving]
const backspaces = ['\u007f', '\b']

/** One given at the start serves once; a wrong one is not tried again. */
export function askPassphrase(given: string | null, descriptor: number | null): AskPassphrase {
  if (descriptor !== null) return passphraseFrom(descriptor)
  let first = given
  return async () => {
    if (first !== null) {
      const bytes = new TextEncoder().encode(first)
      first = null
      return bytes
    }
    return process.stdin.isTTY && process.stderr.isTTY ? fromTerminal() : null
  }
}

/** One line, without showing it. */
function fromTerminal(): Promise<Uint8Array | null> {
  const { stdin } = process
  process.stderr.write('Passphrase of the vault: ')
  return new Promise((resolve) => {
    let text = ''
    const end = (value: string | null): void => {
      stdin.off('data', onData)
      stdin.setRawMode(false)
      stdin.pause()
      printError('')
      resolve(value === null || value === '' ? null : new TextEncoder().encode(value))
    }
    const onData = (piece: string): void => {
      for (const letter of piece) {
        if (endings.includes(letter)) {
          end(leaving.includes(letter) ? null : text)
          return
        }
        if (backspaces.includes(letter)) text = text.slice(0, -1)
        else if (text.length < longest) text += letter
      }
    }
    stdin.setRawMode(true)
    stdin.setEncoding('utf8')
    stdin.on('data', onData)
    stdin.resume()
  })
}
