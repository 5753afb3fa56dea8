/** Keys in a file of the data folder, each wrapped under a key that scrypt makes from the person's passphrase. */
import { randomBytes, scrypt } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type About, closeBox, openBox } from './box.ts'
import { clearLeftover, errorCode, fileTrouble, makePrivate, readPrivateFile, replaceFile } from './durable-file.ts'
import { type KeyDone, type KeyFound, type KeyStore, keyBytes, type StoreRefusal } from './key-store.ts'
import { Secret } from './secret.ts'

/** Asks for the passphrase; null when nobody gives one. Called again after a wrong one. */
export type AskPassphrase = () => Promise<Uint8Array | null>

export interface PassphraseOptions {
  /** The data folder. */
  readonly folder: string
  readonly ask: AskPassphrase
}

/** scrypt's cost: 128 MiB and some tenths of a second a guess. */
interface Cost {
  readonly n: number
  readonly r: number
  readonly p: number
}

const cost: Cost = { n: 2 ** 17, r: 8, p: 1 }
/** A file that asks for more memory than this was not made by us. */
const largestN = 2 ** 20

interface Wrapped {
  readonly cost: Cost
  /** Base64. */
  readonly salt: string
  /** Key id → box in Base64. */
  readonly keys: Readonly<Record<string, string>>
}

export function passphraseFile({ folder, ask }: PassphraseOptions): KeyStore {
  const path = join(folder, 'vault.keys')
  /** Kept so that one asking serves for all keys of a run. */
  let derived: { readonly salt: string; readonly secret: Secret } | null = null

  const read = async (): Promise<Wrapped> => {
    await clearLeftover(path)
    await makePrivate(path, 0o600)
    const bytes = await readPrivateFile(path)
    return bytes === null ? { cost, salt: randomBytes(16).toString('base64'), keys: {} } : parse(bytes)
  }
  const wrapping = async (wrapped: Wrapped): Promise<Secret | StoreRefusal> => {
    if (derived?.salt === wrapped.salt) return derived.secret
    const passphrase = await ask()
    if (passphrase === null || passphrase.length === 0) return { kind: 'locked', because: 'no passphrase was given' }
    const secret = await derive(passphrase, wrapped)
    // The wrong passphrase must not be remembered, nor the right one's file gain keys under another.
    for (const [keyId, box] of Object.entries(wrapped.keys)) {
      if (openBox(secret, about(keyId, wrapped), Buffer.from(box, 'base64')) === null) {
        return { kind: 'locked', because: 'the passphrase is not the right one' }
      }
    }
    derived = { salt: wrapped.salt, secret }
    return secret
  }
  const change = async (act: (wrapped: Wrapped, secret: Secret) => Wrapped['keys']): Promise<KeyDone> => {
    try {
      const wrapped = await read()
      const secret = await wrapping(wrapped)
      if (!(secret instanceof Secret)) return secret
      await replaceFile(path, Buffer.from(`${JSON.stringify({ ...wrapped, keys: act(wrapped, secret) })}\n`))
      return { kind: 'done' }
    } catch (error) {
      return unusable(error)
    }
  }

  return {
    kind: 'passphrase',
    async find(keyId): Promise<KeyFound> {
      try {
        const wrapped = await read()
        const box = wrapped.keys[keyId]
        if (box === undefined) return { kind: 'absent' }
        const secret = await wrapping(wrapped)
        if (!(secret instanceof Secret)) return secret
        const key = openBox(secret, about(keyId, wrapped), Buffer.from(box, 'base64'))
        return key?.bytes().length === keyBytes ? { kind: 'found', key } : { kind: 'absent' }
      } catch (error) {
        return unusable(error)
      }
    },
    keep: (keyId, key) =>
      change((wrapped, secret) => ({
        ...wrapped.keys,
        [keyId]: closeBox(secret, about(keyId, wrapped), key.bytes()).toString('base64'),
      })),
    forget: (keyId) =>
      change(({ keys }) => Object.fromEntries(Object.entries(keys).filter(([other]) => other !== keyId))),
    async setAside(mark) {
      derived = null
      await rename(path, `${path}.${mark}`).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error
      })
    },
  }
}

const about = (keyId: string, { cost: { n, r, p }, salt }: Wrapped): About => [
  'pointsman-vault-key',
  1,
  keyId,
  n,
  r,
  p,
  salt,
]

class Unreadable extends Error {}

const unusable = (error: unknown): StoreRefusal => ({
  kind: 'unavailable',
  because: `the file of wrapped keys can not be used: ${error instanceof Unreadable ? error.message : fileTrouble(error)}`,
})

function parse(bytes: Buffer): Wrapped {
  let value: Partial<Wrapped>
  try {
    value = JSON.parse(bytes.toString('utf8')) as Partial<Wrapped>
  } catch {
    throw new Unreadable('it is damaged')
  }
  const { cost: found, salt, keys } = value
  if (found === undefined || typeof salt !== 'string' || typeof keys !== 'object' || keys === null) {
    throw new Unreadable('it is damaged')
  }
  const { n, r, p } = found
  if (!(Number.isInteger(n) && n >= cost.n && n <= largestN && r === cost.r && p === cost.p)) {
    throw new Unreadable('its scrypt parameters are not ours')
  }
  return { cost: { n, r, p }, salt, keys }
}

const derive = (passphrase: Uint8Array, wrapped: Wrapped): Promise<Secret> => {
  const { n, r, p } = wrapped.cost
  return new Promise((resolve, reject) => {
    const options = { N: n, r, p, maxmem: 256 * n * r }
    scrypt(passphrase, Buffer.from(wrapped.salt, 'base64'), keyBytes, options, (error, bytes) => {
      if (error === null) resolve(new Secret(bytes))
      else reject(error)
    })
  })
}
