/** Which of six signs the tray shows, and why; pure. */
import { type Outlook, providers, type QuotaWindow } from './outlook.ts'
import { leftPercent } from './wording.ts'

export const trayStates = ['ok', 'low', 'exhausted', 'paused', 'stale', 'error'] as const
export type TrayState = (typeof trayStates)[number]

/** From here on an account has little left. */
export const lowPercent = 10

export interface TraySign {
  readonly state: TrayState
  readonly because:
    | 'routing'
    | 'vault-closed'
    | 'log-not-saved'
    | 'sign-in-needed'
    | 'paused'
    | 'nobody-can-serve'
    | 'little-left'
    | 'readings-old'
}

/** What only the person can mend comes first, then what they chose, then what passes by itself. */
export function traySign(outlook: Outlook): TraySign {
  const { app, accounts } = outlook
  if (app.vault.state !== 'open') return { state: 'error', because: 'vault-closed' }
  if (!app.saving.saving) return { state: 'error', because: 'log-not-saved' }
  const stuck = stuckProviders(outlook)
  const isUpToPerson = (provider: string): boolean =>
    accounts.every((account) => account.provider !== provider || !account.active || account.state === 'signed-out')
  if (stuck.some(isUpToPerson)) return { state: 'error', because: 'sign-in-needed' }
  if (app.paused) return { state: 'paused', because: 'paused' }
  if (stuck.length > 0 || isNobodyReady(outlook)) return { state: 'exhausted', because: 'nobody-can-serve' }
  const serving = accounts.filter(({ id }) => outlook.next.some(({ sourceId }) => sourceId === id))
  if (serving.some(({ windows }) => windows.some(isLow))) return { state: 'low', because: 'little-left' }
  const isOld = ({ windows }: { windows: readonly QuotaWindow[] }): boolean =>
    windows.length > 0 && windows.every(({ state }) => state === 'stale' || state === 'reset-pending')
  if (serving.some(isOld)) return { state: 'stale', because: 'readings-old' }
  return { state: 'ok', because: 'routing' }
}

/** Providers with an active account whose next conversation nobody could take right now. */
const stuckProviders = ({ accounts, next }: Outlook): readonly string[] =>
  providers
    .map(({ provider }) => provider)
    .filter(
      (provider) =>
        accounts.some((account) => account.provider === provider && account.active) &&
        !next.some((found) => found.provider === provider && found.isReady),
    )

/** Without accounts the profiles count; none at all is no fault. */
function isNobodyReady({ accounts, profiles }: Outlook): boolean {
  const active = [...accounts, ...profiles].filter((source) => source.active)
  return active.length > 0 && active.every(({ state }) => state !== 'ready')
}

/** Only a fresh value counts: an old one says nothing about now. */
export const isLow = ({ state, usedPercent }: QuotaWindow): boolean =>
  state === 'known' && usedPercent !== null && leftPercent(usedPercent) <= lowPercent
