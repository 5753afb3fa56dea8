/** Looks for planted secrets in files and texts, in every form they usually leak in, packed or not (threats T3.1, G5). */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { unpacked } from './unpacked.ts'

/** Name → secret; a name is what a finding shows, never the secret itself. */
export type Canaries = Readonly<Record<string, string>>

export interface Finding {
  readonly canary: string
  /** For instance `plain`, or `gzip, base64` for what lies packed. */
  readonly form: string
  /** File relative to its folder, or the name of a text. */
  readonly where: string
}

const forms: Readonly<Record<string, (secret: string) => readonly Buffer[]>> = {
  plain: (secret) => [Buffer.from(secret)],
  // Three alignments: inside a longer text a secret may begin at any of them.
  base64: (secret) => aligned(secret, 'base64'),
  base64url: (secret) => aligned(secret, 'base64url'),
  hex: (secret) => [
    Buffer.from(Buffer.from(secret).toString('hex')),
    Buffer.from(Buffer.from(secret).toString('hex').toUpperCase()),
  ],
  'URL-encoded': (secret) => [Buffer.from(encodeURIComponent(secret))],
  'JSON-escaped': (secret) => [Buffer.from(JSON.stringify(secret).slice(1, -1)), Buffer.from(escapedUnicode(secret))],
  'UTF-16LE': (secret) => [Buffer.from(secret, 'utf16le')],
}

export const formNames = Object.keys(forms)

function aligned(secret: string, encoding: 'base64' | 'base64url'): readonly Buffer[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    // Only characters that depend on the secret alone.
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor((bytes.length * 8) / 6)
    return Buffer.from(bytes.toString(encoding).slice(first, last))
  })
}

const escapedUnicode = (secret: string): string =>
  [...secret]
    .map((char) => (/[\w]/.test(char) ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`))
    .join('')

/** Secrets shorter than this would be found by chance. */
const shortestCanary = 12

/** Packed once more inside what is packed. */
const deepestPacking = 2

export class CanaryScan {
  readonly #needles: readonly { readonly canary: string; readonly form: string; readonly bytes: Buffer }[]
  #bytesScanned = 0
  #filesScanned = 0

  constructor(canaries: Canaries) {
    this.#needles = Object.entries(canaries).flatMap(([canary, secret]) => {
      if (secret.length < shortestCanary) throw new Error(`the canary ${canary} is too short to be told from chance`)
      return Object.entries(forms).flatMap(([form, make]) => make(secret).map((bytes) => ({ canary, form, bytes })))
    })
  }

  get bytesScanned(): number {
    return this.#bytesScanned
  }

  get filesScanned(): number {
    return this.#filesScanned
  }

  text(where: string, text: string | Uint8Array): readonly Finding[] {
    return this.#scan(where, Buffer.from(text), '', 0)
  }

  #scan(where: string, bytes: Buffer, packing: string, depth: number): readonly Finding[] {
    this.#bytesScanned += bytes.length
    const found = this.#needles.filter((needle) => bytes.includes(needle.bytes))
    const here = found.map(({ canary, form }) => ({ canary, form: packing + form, where }))
    if (depth >= deepestPacking) return here
    const inside = unpacked(bytes).flatMap((one) =>
      this.#scan(where, one.bytes, `${packing}${one.packing}, `, depth + 1),
    )
    return [...here, ...inside]
  }

  /** Every file under a folder except those named; sockets and links are passed over. */
  folder(folder: string, except: readonly string[] = []): readonly Finding[] {
    const findings: Finding[] = []
    const visit = (path: string): void => {
      const facts = lstatSync(path)
      if (facts.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name))
      if (!facts.isFile() || except.includes(relative(folder, path))) return
      this.#filesScanned += 1
      findings.push(...this.text(relative(folder, path), readFileSync(path)))
    }
    visit(folder)
    return findings
  }
}
