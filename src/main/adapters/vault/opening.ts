/** Opens the vault of a data folder, or says why not. Writes a file only on the first run, once its key is safe. */
import { randomBytes } from 'node:crypto'
import type { VaultKind, VaultState } from '../../ports.ts'
import { Contents, type Remark } from './contents.ts'
import { clearLeftover, fileTrouble, previousOf, readPrivateFile, replaceFile, type SaveStep } from './durable-file.ts'
import type { Header, VaultText } from './format.ts'
import { parseVault } from './format.ts'
import { type KeyFound, type KeyStore, keyBytes, type StoreRefusal } from './key-store.ts'
import { Secret } from './secret.ts'

export type Closed = Extract<VaultState, { why: string }>

export interface Opening {
  readonly closed: Closed | null
  readonly contents: Contents | null
  /** Which kind of store the file was made with, and the records it names; known also while it is closed. */
  readonly madeWith: VaultKind | null
  readonly listed: ReadonlySet<string>
  readonly remarks: readonly Remark[]
}

export const newKeyId = (): string => randomBytes(8).toString('hex')

/** Opens `path` with the key from `store`, or makes a first vault. */
export async function openVaultFile(
  path: string,
  store: KeyStore,
  nowMs: number,
  onStep?: (step: SaveStep) => void,
): Promise<Opening> {
  let text: VaultText | null
  try {
    const loaded = await load(path)
    if (typeof loaded === 'string') return shut(store, null, { kind: 'unavailable', because: loaded })
    text = loaded
  } catch (error) {
    return shut(store, null, { kind: 'unavailable', because: `the vault file can not be read: ${fileTrouble(error)}` })
  }
  if (text === null) return makeFirst(path, store, nowMs, onStep)
  const madeWith = text.header.store
  if (madeWith !== store.kind) return shut(store, text, missing(`the vault was made with ${madeWith}`))
  const found = await store.find(text.header.keyId)
  if (found.kind === 'absent') return shut(store, text, missing(`its key is not in this ${storeNames[store.kind]}`))
  if (found.kind !== 'found') return shut(store, text, found)
  const opened = Contents.open(found.key, text)
  if (opened === null) return shut(store, text, missing(`the ${storeNames[store.kind]} holds another key`))
  return { closed: null, contents: opened.contents, madeWith, listed: idsOf(text), remarks: opened.remarks }
}

const storeNames = { keychain: 'keychain', passphrase: 'passphrase file', file: 'key file' } as const

async function load(path: string): Promise<VaultText | string | null> {
  await clearLeftover(path)
  // Without hard links a killed save can leave the previous file only.
  const bytes = (await readPrivateFile(path)) ?? (await readPrivateFile(previousOf(path)))
  if (bytes === null) return null
  const parsed = parseVault(bytes)
  return parsed.kind === 'vault' ? parsed.text : parsed.because
}

/** Key, store, read back, compare; only then the file. There is none yet, so no key can be lost by a new one. */
async function makeFirst(
  path: string,
  store: KeyStore,
  nowMs: number,
  onStep?: (step: SaveStep) => void,
): Promise<Opening> {
  const keyId = newKeyId()
  const key = Secret.random(keyBytes)
  const refused = await keepSafely(store, keyId, key)
  if (refused !== null) return shut(store, null, refused)
  const header: Header = { keyId, store: store.kind, createdAtMs: nowMs, generation: 0, retired: [] }
  const contents = new Contents(key, header)
  try {
    await replaceFile(path, contents.encode(), { onStep })
  } catch (error) {
    // If only the last sync failed, the file is there and its key must stay.
    if ((await readPrivateFile(path).catch(() => undefined)) === null) await store.forget(keyId)
    return shut(store, null, { kind: 'unavailable', because: `the vault file can not be made: ${fileTrouble(error)}` })
  }
  return { closed: null, contents, madeWith: store.kind, listed: new Set(), remarks: [] }
}

/** Stores a key and trusts it only once the store has given it back (F55); null when it has. */
export async function keepSafely(store: KeyStore, keyId: string, key: Secret): Promise<StoreRefusal | null> {
  const kept = await store.keep(keyId, key)
  if (kept.kind !== 'done') return kept
  const back: KeyFound = await store.find(keyId)
  if (back.kind === 'found' && back.key.equals(key)) return null
  if (back.kind !== 'found' && back.kind !== 'absent') return back
  return { kind: 'unavailable', because: `the ${storeNames[store.kind]} did not give back the key just stored` }
}

type Shut = { readonly kind: Closed['state']; readonly because: string }

const missing = (because: string): Shut => ({ kind: 'key-missing', because })

const idsOf = (text: VaultText | null): ReadonlySet<string> => new Set(text?.records.map(({ id }) => id))

const shut = (store: KeyStore, text: VaultText | null, { kind, because }: Shut): Opening => ({
  closed: { kind: store.kind, state: kind, why: because },
  contents: null,
  madeWith: text?.header.store ?? null,
  listed: idsOf(text),
  remarks: [],
})
