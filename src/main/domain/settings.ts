/** What the person may set, with its defaults. */
import type { Price } from './rates.ts'

/** Which vault, and how many changes of it are on disk. */
export interface VaultMark {
  readonly createdAtMs: number
  readonly generation: number
}

export interface Settings {
  readonly proxyPort: number
  readonly defaultStrategy: string
  readonly paused: boolean
  /** Upstream attempts per call. */
  readonly attempts: number
  /** How long a held stream head may wait for its first content event, from the arrival of the 2xx head. */
  readonly holdMs: number
  /** One retry on the next candidate when a connection is lost after sending (F5). */
  readonly retryAmbiguous: boolean
  readonly bodyLimitBytes: number
  /** What a translation would leave out is refused instead. */
  readonly strictTranslation: boolean
  /** The same of single pools and route rules, by pool id or `route:ID`; these go before. */
  readonly strictTranslationOf: Readonly<Record<string, boolean>>
  /** New conversations skip an account with less than this left in its tightest window. */
  readonly newSessionMinRemaining: number
  readonly inherit: boolean
  /** How long a call is held while every account is spent, 0: not at all. */
  readonly waitForResetMs: number
  /** How many requests an account just failed over to takes until one has succeeded. */
  readonly failoverAtOnce: number
  /**
   * When an account's window is spent: `move` to another account of its vendor; `wait` for its reset, as long as
   * `waitForResetMs` says; `ask`: the call ends with the limit and the person decides.
   */
  readonly atLimit: 'move' | 'wait' | 'ask'
  /** Up to where the vendor's terms were shown and accepted: for no account, the first, or several. */
  readonly termsClaude: TermsAccepted
  readonly termsCodex: TermsAccepted
  /** Listed order serves; what routing would have done is only recorded. */
  readonly shadow: boolean
  /** The person's own prices, before the catalogue's. */
  readonly prices: readonly Price[]
  /** Not the person's to set: how far the vault's file has come, so that an older one is noticed (T5.3). */
  readonly vaultMark: VaultMark
  readonly retentionDays: number
  readonly retentionBytes: number
  readonly debugRoutes: boolean
  /** These are the desktop app's own; the headless program keeps them and heeds none. */
  readonly launchAtLogin: boolean
  /** Closing the window leaves the program in the tray. */
  readonly closeToTray: boolean
  /** Asks for a newer version once a day. */
  readonly checkForUpdates: boolean
  /** Of tray and notifications: `system`, `en` or `zh`. */
  readonly language: 'system' | 'en' | 'zh'
  readonly notifyLow: boolean
  readonly notifyExhausted: boolean
  readonly notifyReset: boolean
  readonly notifyWaste: boolean
  readonly notifySwitched: boolean
  readonly notifySignIn: boolean
}

/** Whether what a translation would leave out is refused; `poolId` is null where no pool was matched. */
export function isStrict(poolId: string | null, { strictTranslation, strictTranslationOf: own }: Settings): boolean {
  return poolId !== null && Object.hasOwn(own, poolId) ? own[poolId] === true : strictTranslation
}

/** What the person set for one pool or rule alone; null: nothing. */
export const ownStrictness = (poolId: string, { strictTranslationOf: own }: Settings): boolean | null =>
  Object.hasOwn(own, poolId) ? own[poolId] === true : null

/** Null takes away what was set for it alone. */
export function withStrictness(settings: Settings, poolId: string, strict: boolean | null): Settings {
  const others = Object.entries(settings.strictTranslationOf).filter(([id]) => id !== poolId)
  const all = strict === null ? others : [...others, [poolId, strict] as const]
  return { ...settings, strictTranslationOf: Object.fromEntries(all) }
}

export type TermsAccepted = 'none' | 'first' | 'several'

export const defaultSettings: Settings = {
  proxyPort: 7646,
  defaultStrategy: 'ordered',
  paused: false,
  attempts: 3,
  holdMs: 2_000,
  retryAmbiguous: true,
  bodyLimitBytes: 64 * 1024 * 1024,
  strictTranslation: false,
  strictTranslationOf: {},
  newSessionMinRemaining: 5,
  inherit: true,
  waitForResetMs: 0,
  failoverAtOnce: 2,
  atLimit: 'move',
  vaultMark: { createdAtMs: 0, generation: 0 },
  termsClaude: 'none',
  termsCodex: 'none',
  shadow: false,
  prices: [],
  retentionDays: 90,
  retentionBytes: 1024 * 1024 * 1024,
  debugRoutes: false,
  launchAtLogin: false,
  closeToTray: true,
  checkForUpdates: false,
  language: 'system',
  notifyLow: true,
  notifyExhausted: true,
  notifyReset: true,
  notifyWaste: true,
  notifySwitched: true,
  notifySignIn: true,
}
