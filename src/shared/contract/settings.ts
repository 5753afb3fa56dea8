/** What the person may set. */
import { z } from 'zod'
import { input, member, nothing } from './base.ts'

const mebibyte = 1024 * 1024

/** Up to 10,000 USD per million tokens. */
const rate = z.number().min(0).max(10_000_000)
const rates = { input: rate, cacheRead: rate, cacheWrite: rate, cacheWriteLong: rate, output: rate }
export const price = z.strictObject({
  model: z.string().min(1).max(200),
  fromMs: z.number().int().nonnegative(),
  ...rates,
  /** Beyond so many input tokens the whole request by other rates. */
  long: z.strictObject({ ...rates, aboveTokens: z.number().int().positive() }).nullable(),
  /** Factors of service tiers. */
  tiers: z.record(z.string().min(1).max(50), z.number().min(0).max(1_000)),
})

/** With the limits of each. */
const fields = {
  /** Counts from the next start. */
  proxyPort: z.number().int().min(0).max(65_535),
  defaultStrategy: z.string().min(1).max(100),
  paused: z.boolean(),
  attempts: z.number().int().min(1).max(20),
  holdMs: z.number().int().min(0).max(60_000),
  retryAmbiguous: z.boolean(),
  bodyLimitBytes: z
    .number()
    .int()
    .min(mebibyte)
    .max(1_024 * mebibyte),
  strictTranslation: z.boolean(),
  newSessionMinRemaining: z.number().min(0).max(100),
  inherit: z.boolean(),
  waitForResetMs: z
    .number()
    .int()
    .min(0)
    .max(24 * 3_600_000),
  failoverAtOnce: z.number().int().min(1).max(100),
  /** When an account's window is spent: another one of the same vendor, the vendor's own refusal, or waiting. */
  atLimit: z.enum(['move', 'wait', 'ask']),
  shadow: z.boolean(),
  /** The person's own prices, nano-USD per token, before the catalogue's. */
  prices: z.array(price).max(500).readonly(),
  retentionDays: z.number().int().min(1).max(3_650),
  retentionBytes: z
    .number()
    .int()
    .min(16 * mebibyte)
    .max(1_024 * 1_024 * mebibyte),
  debugRoutes: z.boolean(),
  /** From here on of the desktop app only. */
  launchAtLogin: z.boolean(),
  closeToTray: z.boolean(),
  checkForUpdates: z.boolean(),
  /** Of tray and notifications. */
  language: z.enum(['system', 'en', 'zh']),
  notifyLow: z.boolean(),
  notifyExhausted: z.boolean(),
  notifyReset: z.boolean(),
  notifyWaste: z.boolean(),
  notifySwitched: z.boolean(),
  notifySignIn: z.boolean(),
} as const

const settingsShape = z.object(fields)

export const settings = {
  get: member.input(nothing).output(settingsShape),
  /** Only what is given is changed. */
  set: member.input(input(fields).partial()).output(settingsShape),
}
