/**
 * What a vault holds once its key is known. What can't be decrypted stays as it is, through every later write: a
 * record that does not open keeps its line, and a new record of the same name sets that line aside (`# …`).
 */
import type { About } from './box.ts'
import { closeBox, openBox } from './box.ts'
import type { Header, VaultText } from './format.ts'
import { formatVersion, headerLine, joinLines, magic, recordLine, sealLine } from './format.ts'
import { Secret } from './secret.ts'

interface Entry {
  readonly generation: number
  /** Null when the seal names the record but its line is gone. */
  readonly line: string | null
  /** Null when the line does not open. */
  readonly secret: Secret | null
}

export type Found =
  | { readonly kind: 'found'; readonly secret: Secret }
  | { readonly kind: 'absent' }
  | { readonly kind: 'damaged' }

/** Something seen while opening that a person may want to know. */
export type Remark = 'seal-broken' | 'record-damaged' | 'record-older' | 'record-unlisted'

const aboutRecord = (keyId: string, id: string, generation: number): About => [
  magic,
  formatVersion,
  keyId,
  'record',
  id,
  generation,
]
const aboutSeal = (header: string): About => [magic, formatVersion, 'seal', header]

export class Contents {
  readonly key: Secret
  #header: Header
  readonly #entries = new Map<string, Entry>()
  readonly #others: string[] = []

  /** An empty vault. */
  constructor(key: Secret, header: Header) {
    this.key = key
    this.#header = header
  }

  get header(): Header {
    return this.#header
  }

  /** Null when neither the seal nor any record opens: this is not the key of this vault. */
  static open(
    key: Secret,
    text: VaultText,
  ): { readonly contents: Contents; readonly remarks: readonly Remark[] } | null {
    const contents = new Contents(key, text.header)
    const listed = openSeal(key, text)
    const remarks: Remark[] = listed === null ? ['seal-broken'] : []
    contents.#others.push(...text.others)
    let opened = 0
    for (const record of text.records) {
      const secret = openBox(key, aboutRecord(text.header.keyId, record.id, record.generation), record.box)
      if (secret !== null) opened += 1
      const entry = { generation: record.generation, line: record.line, secret }
      const expected = listed?.get(record.id)
      const rival = contents.#entries.get(record.id)
      if (listed !== null && expected === undefined) {
        // Removed earlier and put back by hand: a removed credential does not rise again.
        contents.#setAside(entry)
        remarks.push('record-unlisted')
      } else if (rival !== undefined && !(rival.secret === null && secret !== null)) {
        contents.#setAside(entry)
      } else {
        if (rival !== undefined) contents.#setAside(rival)
        contents.#entries.set(record.id, entry)
        if (secret !== null && expected !== undefined && expected !== record.generation) remarks.push('record-older')
      }
    }
    if (listed === null && opened === 0) return null
    for (const [id, generation] of listed ?? []) {
      if (!contents.#entries.has(id)) contents.#entries.set(id, { generation, line: null, secret: null })
    }
    for (const { secret } of contents.#entries.values()) if (secret === null) remarks.push('record-damaged')
    return { contents, remarks }
  }

  find(id: string): Found {
    const entry = this.#entries.get(id)
    if (entry === undefined) return { kind: 'absent' }
    return entry.secret === null ? { kind: 'damaged' } : { kind: 'found', secret: entry.secret }
  }

  put(id: string, secret: Secret): void {
    this.remove(id)
    const { generation, keyId } = this.#header
    const line = recordLine(id, generation, closeBox(this.key, aboutRecord(keyId, id, generation), secret.bytes()))
    this.#entries.set(id, { generation, line, secret })
  }

  remove(id: string): void {
    const entry = this.#entries.get(id)
    this.#header = { ...this.#header, generation: this.#header.generation + 1 }
    if (entry === undefined) return
    this.#entries.delete(id)
    if (entry.secret === null) this.#setAside(entry)
    else entry.secret.close()
  }

  /** Notes which keys the next clean start shall delete from the store. */
  retire(keyIds: readonly string[]): void {
    this.#header = { ...this.#header, generation: this.#header.generation + 1, retired: keyIds }
  }

  /** The same content under another key. What did not open goes along as it is and keeps its old key alive. */
  underKey(key: Secret, keyId: string): Contents {
    const damaged = [...this.#entries.values()].some((entry) => entry.secret === null)
    const retired = this.#header.retired.filter((id) => id !== keyId)
    if (!damaged) retired.push(this.#header.keyId)
    const moved = new Contents(key, { ...this.#header, keyId, retired })
    moved.#others.push(...this.#others)
    for (const [id, entry] of this.#entries) {
      if (entry.secret === null) moved.#entries.set(id, entry)
      else moved.put(id, new Secret(Buffer.from(entry.secret.bytes())))
    }
    return moved
  }

  /** The bytes of the file. */
  encode(): Buffer {
    const header = headerLine(this.#header)
    const entries = [...this.#entries]
    const list = JSON.stringify(entries.map(([id, { generation }]) => [id, generation]))
    const seal = closeBox(this.key, aboutSeal(header), Buffer.from(list))
    const lines = entries.flatMap(([, { line }]) => (line === null ? [] : [line]))
    return joinLines([header, sealLine(seal), ...lines, ...this.#others])
  }

  /** Overwrites every secret in memory. */
  close(): void {
    for (const { secret } of this.#entries.values()) secret?.close()
    this.key.close()
  }

  #setAside({ line, secret }: Entry): void {
    secret?.close()
    if (line !== null) this.#others.push(`# ${line}`)
  }
}

function openSeal(key: Secret, text: VaultText): ReadonlyMap<string, number> | null {
  const list = text.seal === null ? null : openBox(key, aboutSeal(text.headerLine), text.seal)
  return list === null ? null : new Map(JSON.parse(list.bytes().toString()) as [string, number][])
}
