/** Owner of access keys: found by digest in memory, made and changed durably, disabled at once (access.md). */

import { PointsmanError } from '../../shared/errors.ts'
import { type KeyId, keyId } from '../../shared/ids.ts'
import { type AccessKey, type KeyState, keyState, mayMove } from '../domain/access-key.ts'
import type { Chance, Clock, ConfigStore, Digest, StoredKey } from '../ports.ts'
import type { Announcer } from './announcer.ts'

/** `pk_` and 43 base64url characters: 32 random bytes. */
const keyShape = /^pk_[A-Za-z0-9_-]{43}$/
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export const isKeyShaped = (text: string): boolean => text.length === 46 && keyShape.test(text)

/** What may be set on a key; `undefined` leaves a part as it is. */
export type KeyChange = {
  readonly [Part in keyof Omit<AccessKey, 'id' | 'preview' | 'createdAtMs' | 'updatedAtMs'>]?:
    | AccessKey[Part]
    | undefined
}

export class Keys {
  readonly #store: ConfigStore
  readonly #clock: Clock
  readonly #chance: Chance
  readonly #digest: Digest
  readonly #announcer: Announcer
  readonly #byDigest = new Map<string, KeyId>()
  readonly #byId = new Map<KeyId, StoredKey>()

  constructor(store: ConfigStore, clock: Clock, chance: Chance, digest: Digest, announcer: Announcer) {
    this.#store = store
    this.#clock = clock
    this.#chance = chance
    this.#digest = digest
    this.#announcer = announcer
    for (const stored of store.keys()) this.#remember(stored)
  }

  all(): readonly AccessKey[] {
    return [...this.#byId.values()].map((stored) => stored.key)
  }

  get(id: KeyId): AccessKey | undefined {
    return this.#byId.get(id)?.key
  }

  /** By id or label; what the command line takes. */
  find(idOrLabel: string): AccessKey {
    const all = this.all()
    const labelled = all.filter((key) => key.label === idOrLabel)
    // A revoked key gives its label free for another.
    const found =
      all.find((key) => key.id === idOrLabel) ?? labelled.find((key) => key.state !== 'revoked') ?? labelled[0]
    if (found === undefined) throw new PointsmanError('not_found', { what: `access key ${idOrLabel}` })
    return found
  }

  /** The key that a client presented, whatever its state; undefined when malformed or unknown. */
  present(text: string): AccessKey | undefined {
    if (!isKeyShaped(text)) return undefined
    const id = this.#byDigest.get(this.#digest.keyDigest(text))
    return id === undefined ? undefined : this.get(id)
  }

  /** Makes a key; the secret is returned here and never again. */
  create(label: string, change: KeyChange = {}): { readonly key: AccessKey; readonly secret: string } {
    this.#mustBeFree(label)
    const nowMs = this.#clock.nowMs()
    const secret = this.#secret()
    const blank: AccessKey = {
      id: keyId(`key_${secretPart(this.#chance.bytes(9))}`),
      label,
      preview: preview(secret),
      state: 'active',
      expiresAtMs: null,
      policy: { mode: 'default' },
      providers: null,
      models: null,
      operations: null,
      serviceTiers: null,
      concurrency: null,
      budgetId: null,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }
    const key = changed(blank, change, nowMs)
    this.#save({ key, digest: this.#digest.keyDigest(secret) })
    return { key, secret }
  }

  /** Gives the same key a new secret; policy, budget, bindings and history stay. */
  rotate(id: KeyId): { readonly key: AccessKey; readonly secret: string } {
    const stored = this.#mustGet(id)
    if (stored.key.state === 'revoked') throw new PointsmanError('conflict', { what: `The key ${stored.key.label}` })
    const secret = this.#secret()
    const key: AccessKey = { ...stored.key, preview: preview(secret), updatedAtMs: this.#clock.nowMs() }
    this.#save({ key, digest: this.#digest.keyDigest(secret) })
    // Only now: a new secret that can't be kept must not cost the old one.
    this.#byDigest.delete(stored.digest)
    return { key, secret }
  }

  setState(id: KeyId, state: KeyState): AccessKey {
    const stored = this.#mustGet(id)
    if (!this.checkMove(id, state)) return stored.key
    return this.#update(stored, { state: state as AccessKey['state'] })
  }

  /** Throws when it may not be; false when it is in that state already. */
  checkMove(id: KeyId, state: KeyState): boolean {
    const from = keyState(this.#mustGet(id).key, this.#clock.nowMs())
    if (from === state) return false
    if (state === 'expired' || !mayMove(from, state)) {
      throw new PointsmanError('invalid_input', { why: `a key that is ${from} can not become ${state}` })
    }
    return true
  }

  change(id: KeyId, change: KeyChange): AccessKey {
    const stored = this.#mustGet(id)
    const { label } = change
    if (label !== undefined && label !== stored.key.label) this.#mustBeFree(label)
    return this.#update(stored, change)
  }

  /** Several at once, all of them or none: what one may not be is found before any is saved. */
  changeAll(changes: readonly (readonly [KeyId, KeyChange])[]): readonly AccessKey[] {
    const nowMs = this.#clock.nowMs()
    const next = changes.map(([id, { state, ...rest }]) => {
      const { key, digest } = this.#mustGet(id)
      const moves = state !== undefined && this.checkMove(id, state)
      return { key: changed(key, moves ? { ...rest, state } : rest, nowMs), digest }
    })
    this.#save(...next)
    return next.map(({ key }) => key)
  }

  #update(stored: StoredKey, change: KeyChange): AccessKey {
    const key = changed(stored.key, change, this.#clock.nowMs())
    this.#save({ key, digest: stored.digest })
    return key
  }

  #mustGet(id: KeyId): StoredKey {
    const stored = this.#byId.get(id)
    if (stored === undefined) throw new PointsmanError('not_found', { what: `access key ${id}` })
    return stored
  }

  #mustBeFree(label: string): void {
    if (this.all().some((key) => key.label === label && key.state !== 'revoked')) {
      throw new PointsmanError('already_exists', { what: `An access key labelled ${label}` })
    }
  }

  #save(...all: readonly StoredKey[]): void {
    this.#store.saveKey(...all)
    for (const stored of all) this.#remember(stored)
    this.#announcer.changed('accounts')
  }

  #remember(stored: StoredKey): void {
    this.#byId.set(stored.key.id, stored)
    this.#byDigest.set(stored.digest, stored.key.id)
  }

  #secret(): string {
    return `pk_${secretPart(this.#chance.bytes(32))}`
  }
}

const preview = (secret: string): string => `pk_…${secret.slice(-4)}`

function changed(key: AccessKey, change: KeyChange, nowMs: number): AccessKey {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return { ...key, ...given, updatedAtMs: nowMs }
}

/** base64url without padding. */
function secretPart(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    held += 8
    while (held >= 6) {
      held -= 6
      text += alphabet[(bits >> held) & 63]
    }
    bits &= (1 << held) - 1
  }
  return held === 0 ? text : text + alphabet[(bits << (6 - held)) & 63]
}
