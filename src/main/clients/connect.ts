/**
 * Connects a client and takes it back: shown before, journalled before the write, restored byte for byte; when the file
 * was changed since, our keys are taken out and every other byte stays as found (product "Connecting clients").
 */

import { PointsmanError, type Problem } from '../../shared/errors.ts'
import { keyId } from '../../shared/ids.ts'
import type { ClientFile, ClientFiles, ClientName, Connection, ConnectionStore, Keepsakes } from '../client-ports.ts'
import type { Clock, Digest } from '../ports.ts'
import type { Keys } from '../state/keys.ts'
import {
  type ClaudeBefore,
  claudeBefore,
  connectClaude,
  disconnectClaude,
  isClaudeConnected,
} from './claude-settings.ts'
import { connectCodex, disconnectCodex, isCodexConnected, providerBefore } from './codex-config.ts'
import { type Change, type PreviewLine, previewLines } from './edit.ts'

export interface ConnectDeps {
  readonly files: ClientFiles
  readonly keepsakes: Keepsakes
  readonly store: ConnectionStore
  readonly keys: Keys
  readonly clock: Clock
  readonly digest: Digest
  /** Of the data plane, no final slash. */
  address(): string
}

export type ClientState = 'not-connected' | 'connected' | 'changed' | 'elsewhere'

export interface ClientStatus {
  readonly client: ClientName
  readonly path: string
  /** `changed`: connected by us, the file was edited since. `elsewhere`: it points at us, but not by this program. */
  readonly state: ClientState
  readonly connectedAtMs: number | null
  readonly keyLabel: string | null
}

export interface Preview {
  readonly path: string
  readonly isNew: boolean
  readonly lines: readonly PreviewLine[]
}

/** What is needed to take a change back; secret, since a file may hold secrets of its own. */
interface Journal {
  readonly before: string | null
  readonly claude: ClaudeBefore | null
  readonly codexProvider: string | null
}

export const clientNames: readonly ClientName[] = ['claude', 'codex']
const labels: Readonly<Record<ClientName, string>> = { claude: 'Claude Code', codex: 'Codex CLI' }
/** Stands in for the key in a preview. */
const sampleKey = 'pk_…'

export class Clients {
  readonly #deps: ConnectDeps
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: ConnectDeps) {
    this.#deps = deps
  }

  async status(client: ClientName): Promise<ClientStatus> {
    const file = await this.#deps.files.read(client)
    const connection = this.#connection(client)
    const keyLabel = connection === null ? null : (this.#deps.keys.get(keyId(connection.keyId))?.label ?? null)
    const { path } = file
    const connectedAtMs = connection?.atMs ?? null
    return { client, path, state: this.#stateOf(client, file, connection), connectedAtMs, keyLabel }
  }

  /** The exact lines, with the key masked; nothing is written and no key is made. */
  async preview(client: ClientName): Promise<Preview> {
    const file = await this.#deps.files.read(client)
    const made = this.#changeOf(client, file.text ?? '', sampleKey)
    return { path: file.path, isNew: file.text === null, lines: previewLines(made, (line) => line) }
  }

  connect(client: ClientName): Promise<ClientStatus> {
    return this.#next(() => this.#connect(client))
  }

  restore(client: ClientName): Promise<ClientStatus> {
    return this.#next(() => this.#restore(client))
  }

  /** After a start: what a crash left between journal and write is finished or forgotten. */
  async settle(): Promise<void> {
    for (const connection of this.#deps.store.connections()) {
      if (connection.state === 'connected') continue
      const { text } = await this.#deps.files.read(connection.client)
      if (this.#hash(text) === connection.afterHash)
        this.#deps.store.saveConnection({ ...connection, state: 'connected' })
      else if (this.#hash(text) === connection.beforeHash) await this.#forget(connection)
    }
  }

  async #connect(client: ClientName): Promise<ClientStatus> {
    const { files, keepsakes, store, keys, clock } = this.#deps
    const file = await files.read(client)
    const known = this.#connection(client)
    const state = this.#stateOf(client, file, known)
    if (known !== null && state === 'connected') return this.status(client)
    if (known !== null) await this.#restore(client)
    const fresh = await files.read(client)
    const before = fresh.text
    // Fails here, before anything is made, when the file can't be changed safely.
    this.#changeOf(client, before ?? '', sampleKey)
    const { key, secret } = keys.create(this.#freeLabel(client))
    try {
      const made = this.#changeOf(client, before ?? '', secret)
      // A file that points at us already is never kept as something to go back to.
      const own = state === 'elsewhere'
      const journal: Journal = {
        before: own ? null : before,
        claude: client === 'claude' && !own ? claudeBefore(before ?? '') : null,
        codexProvider: client === 'codex' ? providerBefore(before ?? '') : null,
      }
      await keepsakes.keep(client, JSON.stringify(journal))
      const connection: Connection = {
        client,
        path: fresh.path,
        state: 'writing',
        keyId: key.id,
        beforeHash: own ? 'none' : this.#hash(before),
        afterHash: this.#hash(made.after) ?? '',
        atMs: clock.nowMs(),
      }
      store.saveConnection(connection)
      await files.replace(fresh, made.after, before)
      store.saveConnection({ ...connection, state: 'connected' })
    } catch (cause) {
      const { text } = await files.read(client)
      if (text === before) {
        keys.setState(key.id, 'revoked')
        store.removeConnection(client)
        await keepsakes.drop(client).catch(() => undefined)
      }
      throw cause
    }
    return this.status(client)
  }

  async #restore(client: ClientName): Promise<ClientStatus> {
    const { files, keepsakes } = this.#deps
    const connection = this.#connection(client)
    if (connection === null) throw new PointsmanError('not_found', { what: `connection of ${labels[client]}` })
    const file = await files.read(client)
    const kept = keepsakes.read(client)
    const journal = kept === null ? null : (JSON.parse(kept) as Journal)
    const untouched = this.#hash(file.text) === connection.afterHash
    if (untouched && journal !== null && connection.beforeHash !== 'none') {
      await files.replace(file, journal.before, file.text)
    } else if (file.text !== null && this.#hash(file.text) !== connection.beforeHash) {
      const made = mustBe(this.#takenOut(client, file.text, journal))
      await files.replace(file, made.after, file.text)
    }
    await this.#forget(connection)
    return this.status(client)
  }

  async #forget(connection: Connection): Promise<void> {
    const key = this.#deps.keys.get(keyId(connection.keyId))
    if (key !== undefined && key.state !== 'revoked') this.#deps.keys.setState(key.id, 'revoked')
    this.#deps.store.removeConnection(connection.client)
    await this.#deps.keepsakes.drop(connection.client).catch(() => undefined)
  }

  #changeOf(client: ClientName, text: string, key: string): Change {
    const facts = { address: this.#deps.address(), key }
    return mustBe(client === 'claude' ? connectClaude(text, facts) : connectCodex(text, facts))
  }

  #takenOut(client: ClientName, text: string, journal: Journal | null): Change | Problem {
    if (client === 'codex') return disconnectCodex(text, journal?.codexProvider ?? null)
    return disconnectClaude(text, journal?.claude ?? { ANTHROPIC_BASE_URL: null, ANTHROPIC_AUTH_TOKEN: null })
  }

  #stateOf(client: ClientName, { text }: ClientFile, connection: Connection | null): ClientState {
    const points =
      client === 'claude' ? isClaudeConnected(text ?? '', this.#deps.address()) : isCodexConnected(text ?? '')
    if (connection === null) return points ? 'elsewhere' : 'not-connected'
    if (this.#hash(text) === connection.afterHash) return 'connected'
    return points ? 'changed' : 'not-connected'
  }

  #connection(client: ClientName): Connection | null {
    return this.#deps.store.connections().find((connection) => connection.client === client) ?? null
  }

  #freeLabel(client: ClientName): string {
    const taken = new Set(
      this.#deps.keys
        .all()
        .filter((key) => key.state !== 'revoked')
        .map((key) => key.label),
    )
    let label = labels[client]
    for (let n = 2; taken.has(label); n += 1) label = `${labels[client]} ${n}`
    return label
  }

  #hash(text: string | null): string | null {
    return text === null ? null : this.#deps.digest.sha256(text)
  }

  /** One change at a time. */
  #next<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act)
    this.#last = turn.catch(() => {})
    return turn
  }
}

function mustBe(result: Change | Problem): Change {
  if ('code' in result) throw new PointsmanError(result)
  return result
}
