/** What signing in needs from the world, one sentence per method. */

/** What the listener tells the browser; the pages are fixed, nothing that came in is repeated. */
export type CallbackVerdict = 'accepted' | 'denied' | 'refused'

/** Lives for one sign-in. */
export interface CallbackListener {
  readonly port: number
  /** Answers nothing more; resolves once the port is free. */
  close(): Promise<void>
}

export interface CallbackHooks {
  /** The query of a callback that came over loopback, by GET, on the exact path; everything else is answered before. */
  callback(query: string): CallbackVerdict
  /** Another program of this machine asks for the port (codex §1.1). */
  cancelled(): void
}

export interface CallbackHost {
  /** Takes the first of these ports that can be had, asking an earlier listener to leave; null when none can. */
  listen(ports: readonly number[], hooks: CallbackHooks): Promise<CallbackListener | null>
}

/** A vendor CLI's own login file, when the CLI becomes the holder again. */
export interface LoginFileWriter {
  /** At once (temp, fsync, rename), keeping its rights; throws `conflict` when it is no longer `expected`. */
  replace(file: { readonly path: string; readonly text: string | null }, text: string, expected: string): Promise<void>
}

/** The Codex CLI's own login in the OS keychain, by its `CODEX_HOME`; either method may bring up the keychain's prompt. */
export interface LoginKeyring {
  /** Null when there is none; throws `credential_unreadable` when the keychain is locked, silent or missing. */
  read(codexHome: string): Promise<string | null>
  /** Throws `conflict` when it is no longer `expected`. */
  replace(codexHome: string, text: string, expected: string): Promise<void>
}

/** The vendor's own program in a terminal of its own. */
export interface VendorRun {
  /** Everything it wrote so far, as it would stand in a terminal, without control sequences. */
  onText(listener: (text: string) => void): void
  /** Once, with its exit code. */
  onExit(listener: (code: number) => void): void
  write(text: string): void
  /** Ends it by its own process id. */
  end(): void
}

export type VendorFound =
  | { readonly kind: 'found'; readonly path: string; readonly version: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly why: string }

export interface VendorProgram {
  /** Looks for the vendor's program on the person's PATH and asks its version. */
  find(): Promise<VendorFound>
  /** Starts it inside a private configuration folder; throws when no terminal can be had. */
  start(path: string, args: readonly string[], folder: string): Promise<VendorRun>
  /** The login file that it left in its folder; null where there is none, or where it keeps logins elsewhere. */
  readLogin(folder: string): Promise<string | null>
  /** A private folder for one sign-in (0700). */
  makeFolder(name: string): Promise<string>
  /** With all that is in it. */
  removeFolder(folder: string): Promise<void>
}

/** A file of the older program clovapi, by where it lies in its folder. */
export interface OlderFile {
  readonly path: string
  readonly holds:
    | { readonly kind: 'login'; readonly provider: 'claude' | 'codex'; readonly name: string }
    | { readonly kind: 'profiles' }
    | { readonly kind: 'unknown' }
}

export interface OlderFiles {
  /** Everything in its folder, sorted; empty when there is none. Nothing is ever written there. */
  list(): Promise<readonly OlderFile[]>
}

/** Who has sent a refresh token. */
export interface Claimed {
  /** Its data folder. */
  readonly by: string
  readonly atMs: number
}

/** Shared by every Pointsman of this person: a refresh token is sent by one of them only. */
export interface Holders {
  /** Null: it is ours to send, now or already; otherwise who has sent it. */
  claim(tokenHash: string): Promise<Claimed | null>
  /** It was not spent after all. */
  release(tokenHash: string): Promise<void>
}
