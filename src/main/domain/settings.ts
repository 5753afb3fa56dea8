/** What the person may set, with its defaults. */
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
  /** New conversations skip an account with less than this left in its tightest window. */
  readonly newSessionMinRemaining: number
  readonly inherit: boolean
  readonly retentionDays: number
  readonly retentionBytes: number
  readonly debugRoutes: boolean
}

export const defaultSettings: Settings = {
  proxyPort: 7646,
  defaultStrategy: 'ordered',
  paused: false,
  attempts: 3,
  holdMs: 2_000,
  retryAmbiguous: true,
  bodyLimitBytes: 64 * 1024 * 1024,
  newSessionMinRemaining: 5,
  inherit: true,
  retentionDays: 90,
  retentionBytes: 1024 * 1024 * 1024,
  debugRoutes: false,
}
