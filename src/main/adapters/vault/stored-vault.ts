/** The vault of a data folder: reads from memory, saves each change, and loses nothing it can't save or decrypt. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { PointsmanError } from '../../../shared/errors.ts'
import type { CredentialRef } from '../../../shared/ids.ts'
import type { Credential } from '../../domain/credential.ts'
import type { VaultMark } from '../../domain/settings.ts'
import type { Clock, Log, VaultState } from '../../ports.ts'
import type { Contents } from './contents.ts'
import { credentialOf, secretOf } from './credential-bytes.ts'
import { errorCode, fileTrouble, makePrivate, previousOf, type SaveStep } from './durable-file.ts'
import type { Header } from './format.ts'
import { type KeyStore, keyBytes } from './key-store.ts'
import type { OpenedVault } from './opened-vault.ts'
import { type Closed, keepSafely, newKeyId, type Opening, openVaultFile } from './opening.ts'
import { Saver } from './saver.ts'
import { Secret } from './secret.ts'

const printable = /^[\x21-\x7e]+$/

export type RotationStep = 'noted' | 'stored' | 'moved'

export interface VaultMarks {
  last(): VaultMark
  keep(mark: VaultMark): void
}

export interface StoredVaultOptions {
  /** The data folder; must exist. */
  readonly folder: string
  readonly clock: Pick<Clock, 'after' | 'nowMs'>
  readonly log: Pick<Log, 'info'>
  /** The state is another one now, also when an answer came late. */
  readonly onChange?: ((state: VaultState) => void) | undefined
  /** What was last saved of which vault, kept elsewhere: an older file that is put back is noticed by it (T5.3). */
  readonly marks?: VaultMarks | undefined
  /** Crash points for tests. */
  readonly onStep?: ((step: SaveStep | RotationStep) => void) | undefined
}

export class StoredVault implements OpenedVault {
  readonly #store: KeyStore
  readonly #options: StoredVaultOptions
  readonly #path: string
  readonly #saver: Saver
  #opening: Opening
  #savedGeneration = 0
  #isOlder = false
  #unlocking: Promise<VaultState> | null = null
  #rotating: Promise<void> | null = null
  #ended = false

  constructor(store: KeyStore, options: StoredVaultOptions) {
    this.#store = store
    this.#options = options
    this.#path = join(options.folder, 'vault')
    const closed: Closed = { kind: store.kind, state: 'hung', why: 'it was asked a moment ago' }
    this.#opening = { closed, contents: null, madeWith: null, listed: new Set(), remarks: [] }
    this.#saver = new Saver({
      path: this.#path,
      clock: options.clock,
      onStep: options.onStep,
      onChange: () => options.onChange?.(this.state()),
      take: () => {
        const { contents } = this.#opening
        if (contents === null) return null
        const { generation, createdAtMs } = contents.header
        const saved = () => {
          this.#savedGeneration = generation
          options.marks?.keep({ createdAtMs, generation })
        }
        return { bytes: contents.encode(), saved }
      },
    })
  }

  state(): VaultState {
    if (this.#opening.closed !== null) return this.#opening.closed
    const isOlder = this.#isOlder ? { isOlder: true } : {}
    const open = { kind: this.#store.kind, state: 'open', ...isOlder } as const
    const { unsaved } = this.#saver
    return unsaved === null ? open : { ...open, unsaved }
  }

  unlock(): Promise<VaultState> {
    if (this.#opening.contents !== null || this.#ended) return Promise.resolve(this.state())
    this.#unlocking ??= this.#open().finally(() => {
      this.#unlocking = null
    })
    return this.#unlocking
  }

  read(ref: CredentialRef): Credential | null {
    const { contents, closed, listed } = this.#opening
    if (contents === null) {
      if (listed.has(ref) && closed !== null) throw this.#refusal(closed)
      return null
    }
    const found = contents.find(ref)
    if (found.kind === 'damaged') throw new PointsmanError('vault_damaged', { label: ref.replace('credential/', '') })
    return found.kind === 'found' ? credentialOf(found.secret) : null
  }

  async write(ref: CredentialRef, credential: Credential): Promise<void> {
    const contents = this.#contents()
    if (!printable.test(ref)) throw new PointsmanError('invalid_input', { why: 'a credential needs a plain name' })
    contents.put(ref, secretOf(credential))
    await this.#saver.save()
  }

  async remove(ref: CredentialRef): Promise<void> {
    const contents = this.#contents()
    if (contents.find(ref).kind === 'absent') return
    contents.remove(ref)
    await this.#saver.save()
  }

  generation(): number {
    return this.#savedGeneration
  }

  rotateKey(): Promise<void> {
    this.#rotating ??= this.#rotate().finally(() => {
      this.#rotating = null
    })
    return this.#rotating
  }

  async setAside(): Promise<VaultState> {
    const { closed } = this.#opening
    const forgotten = closed?.kind === 'passphrase' && closed.state === 'locked'
    if (closed?.state !== 'key-missing' && !forgotten) return this.state()
    const mark = `set-aside-${this.#options.clock.nowMs()}`
    try {
      // The previous file first: were it left alone, it would be taken for the vault.
      for (const path of [previousOf(this.#path), this.#path]) await renameIfThere(path, `${path}.${mark}`)
      await this.#store.setAside?.(mark)
    } catch (error) {
      throw new PointsmanError('vault_write_failed', { why: fileTrouble(error) })
    }
    return this.unlock()
  }

  async close(): Promise<void> {
    this.#ended = true
    await this.#rotating?.catch(() => {})
    await this.#saver.close()
    this.#opening.contents?.close()
    const closed: Closed = { kind: this.#store.kind, state: 'unavailable', why: 'the vault was closed' }
    this.#opening = { ...this.#opening, contents: null, closed }
  }

  async #open(): Promise<VaultState> {
    const { folder, clock, log, onStep } = this.#options
    const repaired = [await makePrivate(folder, 0o700)]
    for (const name of ['vault', 'vault.prev', 'vault.reserve']) {
      repaired.push(await makePrivate(join(folder, name), 0o600))
    }
    if (repaired.includes(true)) log.info('vault.rights-repaired')
    const opening = await openVaultFile(this.#path, this.#store, clock.nowMs(), onStep)
    if (this.#ended) {
      // The answer came after the end.
      opening.contents?.close()
      return this.state()
    }
    this.#opening = opening
    for (const remark of new Set(opening.remarks)) log.info(`vault.${remark}`)
    const { contents } = opening
    if (contents !== null) {
      this.#savedGeneration = contents.header.generation
      this.#compare(contents.header)
      await this.#forgetRetired(contents)
      await this.#saver.reserve(contents.encode())
    }
    this.#options.onChange?.(this.state())
    return this.state()
  }

  /** Warns, and blocks nothing: a token of the older file is tried like any other. */
  #compare({ createdAtMs, generation }: Header): void {
    const { marks, log } = this.#options
    const last = marks?.last()
    this.#isOlder = last !== undefined && last.createdAtMs === createdAtMs && generation < last.generation
    if (this.#isOlder) log.info('vault.older-file')
    else marks?.keep({ createdAtMs, generation })
  }

  async #forgetRetired(contents: Contents): Promise<void> {
    const { keyId, retired } = contents.header
    const kept: string[] = []
    for (const old of retired) {
      if (old !== keyId && (await this.#store.forget(old)).kind !== 'done') kept.push(old)
    }
    if (kept.length === retired.length || this.#opening.contents !== contents) return
    contents.retire(kept)
    await this.#saver.save().catch(() => {})
  }

  async #rotate(): Promise<void> {
    const keyId = newKeyId()
    const key = Secret.random(keyBytes)
    // Noted first: whatever stops us, the next clean start deletes the key that is not in use.
    const noting = this.#contents()
    noting.retire([...noting.header.retired, keyId])
    await this.#saver.save()
    this.#options.onStep?.('noted')
    const refused = await keepSafely(this.#store, keyId, key)
    if (refused !== null) throw this.#refusal({ kind: this.#store.kind, state: refused.kind, why: refused.because })
    this.#options.onStep?.('stored')
    const before = this.#contents()
    this.#opening = { ...this.#opening, contents: before.underKey(key, keyId) }
    before.close()
    await this.#saver.save()
    this.#options.onStep?.('moved')
  }

  #contents(): Contents {
    const { contents, closed } = this.#opening
    if (contents !== null) return contents
    throw closed === null ? new Error('a vault is open or says why not') : this.#refusal(closed)
  }

  #refusal({ state, why }: Closed): PointsmanError {
    switch (state) {
      case 'locked':
        return new PointsmanError('vault_locked', { why })
      case 'hung':
        return new PointsmanError('vault_hung', { why })
      case 'key-missing':
        return new PointsmanError('vault_key_missing', { kind: this.#opening.madeWith ?? this.#store.kind })
      case 'unavailable':
        return new PointsmanError('vault_unavailable', { why })
    }
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
