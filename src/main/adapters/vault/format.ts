/**
 * The text of the vault file: a header line, a seal line, then one line a record. A line counts only if it is exactly
 * what would be written for its content, so that no altered byte goes unseen; all others are kept as they are.
 * Read and written as Latin-1, which gives every byte back unchanged.
 */
import type { VaultKind } from '../../ports.ts'

export const magic = 'pointsman-vault'
export const formatVersion = 1

export interface Header {
  readonly keyId: string
  /** The kind of store that holds the key. */
  readonly store: VaultKind
  readonly createdAtMs: number
  /** Counts every change; a record carries the count at which it was written. */
  readonly generation: number
  /** Keys to delete from the store at the next clean start. */
  readonly retired: readonly string[]
}

export interface RecordLine {
  readonly id: string
  readonly generation: number
  readonly box: Buffer
  /** The line as it stands in the file. */
  readonly line: string
}

export interface VaultText {
  readonly header: Header
  readonly headerLine: string
  /** Proves the key, the header and the list of records; null when its line was altered. */
  readonly seal: Buffer | null
  readonly records: readonly RecordLine[]
  /** Lines that are not records: set aside earlier (`# …`) or altered. */
  readonly others: readonly string[]
}

export type Parsed =
  | { readonly kind: 'vault'; readonly text: VaultText }
  | { readonly kind: 'unreadable'; readonly because: string }

const encoding = 'latin1'

export const headerLine = ({ keyId, store, createdAtMs, generation, retired }: Header): string =>
  JSON.stringify({ magic, version: formatVersion, keyId, store, createdAtMs, generation, retired })

export const sealLine = (box: Buffer): string => JSON.stringify({ seal: box.toString('base64') })

export const recordLine = (id: string, generation: number, box: Buffer): string =>
  JSON.stringify({ id, generation, box: box.toString('base64') })

/** The bytes of a whole file. */
export const joinLines = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`, encoding)

export function parseVault(bytes: Buffer): Parsed {
  const [first = '', ...rest] = bytes.toString(encoding).split('\n')
  const header = parseHeader(first)
  if (typeof header === 'string') return { kind: 'unreadable', because: header }
  let seal: Buffer | null = null
  const records: RecordLine[] = []
  const others: string[] = []
  for (const line of rest) {
    const record = parseRecord(line)
    const box = parseSeal(line)
    if (record !== null) records.push(record)
    else if (box !== null && seal === null) seal = box
    else if (line !== '') others.push(line)
  }
  return { kind: 'vault', text: { header, headerLine: first, seal, records, others } }
}

function parseHeader(line: string): Header | string {
  const { magic: found, version, keyId, store, createdAtMs, generation, retired } = parseObject(line)
  if (found !== magic) return 'the vault file is damaged or not a vault'
  if (typeof version === 'number' && version > formatVersion) return 'the vault was made by a newer version'
  const header = { keyId, store, createdAtMs, generation, retired } as Header
  if (!Array.isArray(retired) || headerLine(header) !== line) return 'the header of the vault file is damaged'
  return header
}

function parseRecord(line: string): RecordLine | null {
  const { id, generation, box: text } = parseObject(line)
  if (typeof id !== 'string' || typeof generation !== 'number' || typeof text !== 'string') return null
  const box = Buffer.from(text, 'base64')
  return recordLine(id, generation, box) === line ? { id, generation, box, line } : null
}

function parseSeal(line: string): Buffer | null {
  const { seal } = parseObject(line)
  if (typeof seal !== 'string') return null
  const box = Buffer.from(seal, 'base64')
  return sealLine(box) === line ? box : null
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
