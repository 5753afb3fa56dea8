/** Reads a passphrase from a file descriptor (a pipe, a service manager's credential): never from arguments. */
import { createReadStream } from 'node:fs'
import type { AskPassphrase } from './passphrase.ts'

const largestBytes = 4096
const lineFeed = 0x0a

/** The first line, once: a descriptor has nothing more to give, so a later asking gets null. Closes it afterwards. */
export function passphraseFrom(descriptor: number): AskPassphrase {
  let spent = false
  return async () => {
    if (spent) return null
    spent = true
    let text = Buffer.alloc(0)
    try {
      for await (const piece of createReadStream('', { fd: descriptor, highWaterMark: largestBytes })) {
        text = Buffer.concat([text, piece as Buffer])
        if (text.includes(lineFeed) || text.length > largestBytes) break
      }
    } catch {
      return null
    }
    const end = text.indexOf(lineFeed)
    const line = end < 0 ? text : text.subarray(0, end)
    // A carriage return before it belongs to the line break.
    return line.at(-1) === 0x0d ? line.subarray(0, -1) : line
  }
}
