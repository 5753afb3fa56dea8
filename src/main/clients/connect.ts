/**
 * Connects a client and takes it back: shown before, journalled before the write, restored byte for byte; when the file
 * was changed since, our keys are taken out and every other byte stays as found (product "Connecting clients").
 */
import { PointsmanError, type Problem } from '../../shared/errors.ts'
import { keyId } from '../../shared/ids.ts'
import type {
  ClientFile,
  ClientFiles,
  ClientName,
  ClientPlace,
  Connection,
  ConnectionStore,
  Keepsakes,
} from '../client-ports.ts'
import type { Clock, Digest } from '../ports.ts'
import type { Keys } from '../state/keys.ts'
import { type Change, type PreviewLine, previewLines } from './edit.ts'
import { type Shell, sdkLines } from './sdk-lines.ts'
import { type Before, beforeOf, connected, takenOut, type Way, wayIn } from './ways.ts'

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

export interface ClientStatus extends ClientPlace {
  readonly path: string
  /** `changed`: connected by us, the file was edited since. `elsewhere`: it points at us, but not by this program. */
  readonly state: ClientState
  /** By which way it points here; null when it doesn't. */
  readonly way: Way | null
  readonly connectedAtMs: number | null
  readonly keyLabel: string | null
}

export interface Preview {
  readonly path: string
  readonly isNew: boolean
  readonly lines: readonly PreviewLine[]
}

/** What is needed to take a change back; secret, since a file may hold secrets of its own. */
interface Journal extends Before {
  readonly before: string | null
}

const clientNames: readonly ClientName[] = ['claude', 'codex']
/** Stands in for the key in a preview. */
const sampleKey = 'pk_…'

export class Clients {
  readonly #deps: ConnectDeps
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: ConnectDeps) {
    this.#deps = deps
  }

  /** Both clients, then the folders that were connected. */
  all(): Promise<readonly ClientStatus[]> {
    const own = clientNames.map((client) => ({ client, folder: null }))
    const folders = this.#deps.store.connections().filter(({ folder }) => folder !== null)
    return Promise.all([...own, ...folders].map(({ client, folder }) => this.status({ client, folder })))
  }

  async status(place: ClientPlace): Promise<ClientStatus> {
    const file = await this.#deps.files.read(place)
    const connection = this.#connection(place)
    const keyLabel = connection === null ? null : (this.#deps.keys.get(keyId(connection.keyId))?.label ?? null)
    const { path, text } = file
    const connectedAtMs = connection?.atMs ?? null
    const way = wayIn(place.client, text ?? '', this.#deps.address())
    return { ...place, path, state: this.#stateOf(file, way, connection), way, connectedAtMs, keyLabel }
  }

  /** The exact lines, with the key masked; nothing is written and no key is made. */
  async preview(place: ClientPlace, way: Way): Promise<Preview> {
    const file = await this.#deps.files.read(place)
    mustExist(file)
    const made = this.#changeOf(place, way, await this.#withoutOurs(place, file, way), sampleKey)
    return {
      path: file.path,
      isNew: file.text === null,
      lines: previewLines({ ...made, before: file.text ?? '' }, (line) => line),
    }
  }

  connect(place: ClientPlace, way: Way): Promise<ClientStatus> {
    return this.#next(() => this.#connect(place, way))
  }

  restore(place: ClientPlace): Promise<ClientStatus> {
    return this.#next(() => this.#restore(place))
  }

  /** The lines for the vendors' SDKs; nothing is written, the new key is in them and nowhere else. */
  sdk(shell: Shell): { readonly keyLabel: string; readonly lines: readonly string[] } {
    const { keys, address } = this.#deps
    const { key, secret } = keys.create(this.#freeLabel('SDK'))
    return { keyLabel: key.label, lines: sdkLines(shell, address(), secret) }
  }

  sdkPreview(shell: Shell): readonly string[] {
    return sdkLines(shell, this.#deps.address(), sampleKey)
  }

  /** After a start: what a crash left between journal and write is finished or forgotten. */
  async settle(): Promise<void> {
    for (const connection of this.#deps.store.connections()) {
      if (connection.state === 'connected') continue
      const { text } = await this.#deps.files.read(connection)
      if (this.#hash(text) === connection.afterHash)
        this.#deps.store.saveConnection({ ...connection, state: 'connected' })
      else if (this.#hash(text) === connection.beforeHash) await this.#forget(connection)
    }
  }

  async #connect(place: ClientPlace, way: Way): Promise<ClientStatus> {
    const { files, keepsakes, store, keys, clock } = this.#deps
    const { client, folder } = place
    const known = this.#connection(place)
    const { state, way: present } = await this.status(place)
    if (known !== null && state === 'connected' && present === way) return this.status(place)
    if (known !== null) await this.#restore(place)
    const fresh = await files.read(place)
    mustExist(fresh)
    const before = fresh.text
    // Fails here, before anything is made, when the file can't be changed safely.
    this.#changeOf(place, way, before ?? '', sampleKey)
    const { key, secret } = keys.create(this.#freeLabel(labelOf(place)))
    const kept = this.#keepsakeOf(place)
    try {
      const made = this.#changeOf(place, way, before ?? '', secret)
      // A file that points at us already is never kept as something to go back to.
      const own = state === 'elsewhere'
      const found = beforeOf(client, before ?? '')
      const journal: Journal = { ...found, before: own ? null : before, claude: own ? null : found.claude }
      await keepsakes.keep(kept, JSON.stringify(journal))
      const connection: Connection = {
        client,
        folder,
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
      const { text } = await files.read(place)
      if (text === before) {
        keys.setState(key.id, 'revoked')
        store.removeConnection(place)
        await keepsakes.drop(kept).catch(() => undefined)
      }
      throw cause
    }
    return this.status(place)
  }

  async #restore(place: ClientPlace): Promise<ClientStatus> {
    const { files } = this.#deps
    const connection = this.#connection(place)
    if (connection === null) throw new PointsmanError('not_found', { what: `connection of ${labelOf(place)}` })
    const file = await files.read(place)
    const journal = this.#journal(place)
    const untouched = this.#hash(file.text) === connection.afterHash
    if (untouched && journal !== null && connection.beforeHash !== 'none') {
      await files.replace(file, journal.before, file.text)
    } else if (file.text !== null && this.#hash(file.text) !== connection.beforeHash) {
      await files.replace(file, mustBe(takenOut(place.client, file.text, journal)), file.text)
    }
    await this.#forget(connection)
    return this.status(place)
  }

  #journal(place: ClientPlace): Journal | null {
    const kept = this.#deps.keepsakes.read(this.#keepsakeOf(place))
    return kept === null ? null : (JSON.parse(kept) as Journal)
  }

  /** What another way of ours left in the file is gone before this one is made. */
  async #withoutOurs(place: ClientPlace, { text }: ClientFile, way: Way): Promise<string> {
    const present = wayIn(place.client, text ?? '', this.#deps.address())
    if (text === null || present === null || present === way || this.#connection(place) === null) return text ?? ''
    return mustBe(takenOut(place.client, text, this.#journal(place)))
  }

  async #forget(connection: Connection): Promise<void> {
    const key = this.#deps.keys.get(keyId(connection.keyId))
    if (key !== undefined && key.state !== 'revoked') this.#deps.keys.setState(key.id, 'revoked')
    this.#deps.store.removeConnection(connection)
    await this.#deps.keepsakes.drop(this.#keepsakeOf(connection)).catch(() => undefined)
  }

  #changeOf({ client }: ClientPlace, way: Way, text: string, key: string): Change {
    return mustBe(connected(client, way, text, { address: this.#deps.address(), key }))
  }

  #stateOf({ text }: ClientFile, way: Way | null, connection: Connection | null): ClientState {
    if (connection === null) return way === null ? 'not-connected' : 'elsewhere'
    if (this.#hash(text) === connection.afterHash) return 'connected'
    return way === null ? 'not-connected' : 'changed'
  }

  #connection({ client, folder }: ClientPlace): Connection | null {
    const fits = (one: Connection): boolean => one.client === client && one.folder === folder
    return this.#deps.store.connections().find(fits) ?? null
  }

  #freeLabel(wanted: string): string {
    const active = this.#deps.keys.all().filter((key) => key.state !== 'revoked')
    const taken = new Set(active.map((key) => key.label))
    let label = wanted
    for (let n = 2; taken.has(label); n += 1) label = `${wanted} ${n}`
    return label
  }

  /** A folder may have a name that is none for a keepsake. */
  #keepsakeOf({ client, folder }: ClientPlace): string {
    return folder === null ? client : `${client}-${this.#deps.digest.sha256(folder).slice(0, 32)}`
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

const labels: Readonly<Record<ClientName, string>> = { claude: 'Claude Code', codex: 'Codex CLI' }

/** Also the name of its key: `Claude Code in shop`. */
function labelOf({ client, folder }: ClientPlace): string {
  const name = folder?.split(/[\\/]/).findLast((part) => part !== '') ?? null
  return name === null ? labels[client] : `${labels[client]} in ${name.slice(0, 60)}`
}

function mustExist({ isHomeless }: ClientFile): void {
  if (isHomeless === true) throw new PointsmanError('invalid_input', { why: 'the folder does not exist' })
}

function mustBe<Made extends object | string>(result: Made | Problem): Made {
  if (typeof result === 'object' && 'code' in result) throw new PointsmanError(result)
  return result
}
