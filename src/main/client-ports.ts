/** What connecting the clients needs from the world, one sentence per method. */

export type ClientName = 'claude' | 'codex'

/** Which file of a client: its own for this person (`folder` null), or Claude Code's local settings of one folder. */
export interface ClientPlace {
  readonly client: ClientName
  /** Absolute. */
  readonly folder: string | null
}

/** A client's own configuration file. */
export interface ClientFile {
  /** Where it lies, links followed. */
  readonly path: string
  /** Null when there is none yet. */
  readonly text: string | null
  /** The folder that it belongs to isn't there. */
  readonly isHomeless?: boolean
}

export interface ClientFiles {
  /** The file as it is now; throws `client_config_unsafe` when it isn't a readable UTF-8 text file. */
  read(place: ClientPlace): Promise<ClientFile>
  /**
   * Replaces the file's text at once (temp, fsync, rename, fsync of the folder), keeping its rights; null removes it.
   * Throws `conflict` when it is no longer `expected`.
   */
  replace(file: ClientFile, text: string | null, expected: string | null): Promise<void>
}

/** Secret texts of ours: what is needed to take a change back exactly. */
export interface Keepsakes {
  keep(name: string, text: string): Promise<void>
  /** Null when there is none, or it can't be read now. */
  read(name: string): string | null
  drop(name: string): Promise<void>
}

/** What is stored of a connection; no secret in it. */
export interface Connection extends ClientPlace {
  readonly path: string
  /** `writing`: the file may hold either text. */
  readonly state: 'writing' | 'connected'
  readonly keyId: string
  /** SHA-256 of the text before and after; null for no file. */
  readonly beforeHash: string | null
  readonly afterHash: string
  readonly atMs: number
}

export interface ConnectionStore {
  connections(): readonly Connection[]
  saveConnection(connection: Connection): void
  removeConnection(place: ClientPlace): void
}
