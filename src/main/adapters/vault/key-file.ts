/** Keys in a 0600 file outside the data folder: an explicit choice, as safe as that file. */
import { realpath } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { clearLeftover, fileTrouble, makePrivate, readPrivateFile, replaceFile } from './durable-file.ts'
import { type KeyDone, type KeyFound, type KeyStore, keyBytes, type StoreRefusal } from './key-store.ts'
import { Secret } from './secret.ts'

/** One line a key: its id, a space, 64 hex digits. */
const linePattern = /^([0-9a-f]{16}) ([0-9a-f]{64})$/

export interface KeyFileOptions {
  readonly path: string
  /** The data folder, where the key may not lie: a copy of the folder would hold both. */
  readonly folder: string
}

export function keyFile({ path, folder }: KeyFileOptions): KeyStore {
  const read = async (): Promise<Map<string, string>> => {
    if (await isInside(path, folder)) throw new Misplaced('the key file lies inside the data folder')
    await clearLeftover(path)
    await makePrivate(path, 0o600)
    const text = (await readPrivateFile(path))?.toString('latin1') ?? ''
    const keys = new Map<string, string>()
    for (const line of text.split('\n')) {
      const [, keyId, hex] = linePattern.exec(line) ?? []
      if (keyId !== undefined && hex !== undefined) keys.set(keyId, hex)
      else if (line !== '') throw new Misplaced('the key file has a line that is not a key')
    }
    return keys
  }
  const change = async (act: (keys: Map<string, string>) => void): Promise<KeyDone> => {
    try {
      const keys = await read()
      act(keys)
      const lines = [...keys].map(([keyId, hex]) => `${keyId} ${hex}\n`)
      await replaceFile(path, Buffer.from(lines.join(''), 'latin1'))
      return { kind: 'done' }
    } catch (error) {
      return refusal(error)
    }
  }
  return {
    kind: 'file',
    async find(keyId): Promise<KeyFound> {
      try {
        const hex = (await read()).get(keyId)
        if (hex === undefined) return { kind: 'absent' }
        const bytes = Buffer.from(hex, 'hex')
        return bytes.length === keyBytes ? { kind: 'found', key: new Secret(bytes) } : { kind: 'absent' }
      } catch (error) {
        return refusal(error)
      }
    },
    keep: (keyId, key) => change((keys) => keys.set(keyId, key.bytes().toString('hex'))),
    forget: (keyId) => change((keys) => keys.delete(keyId)),
  }
}

class Misplaced extends Error {}

const refusal = (error: unknown): StoreRefusal => ({
  kind: 'unavailable',
  because: error instanceof Misplaced ? error.message : `the key file can not be used: ${fileTrouble(error)}`,
})

async function isInside(path: string, folder: string): Promise<boolean> {
  const real = async (name: string): Promise<string> => realpath(name).catch(() => resolve(name))
  const way = relative(await real(folder), await real(dirname(path)))
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way)
}
