/** Outlooks for the pure tests of tray and notifications: two accounts a vendor, all well, and changes to that. */
import type { Account, Outlook, QuotaWindow } from '../../src/main/shell/desktop/outlook.ts'
import { textsOf } from '../../src/main/shell/desktop/text.ts'
import type { Wording } from '../../src/main/shell/desktop/wording.ts'

/** Wednesday, 2026-12-02 12:00 UTC. */
export const nowMs = Date.UTC(2026, 11, 2, 12)
export const hourMs = 3_600_000
export const english: Wording = { texts: textsOf('en'), nowMs, timeZone: 'UTC' }
export const chinese: Wording = { texts: textsOf('zh'), nowMs, timeZone: 'UTC' }

export const window = (change: Partial<QuotaWindow> = {}): QuotaWindow => ({
  window: 'five-hour',
  usedPercent: 29,
  resetAtMs: nowMs + 4 * hourMs,
  family: null,
  source: 'header',
  ageMs: 40_000,
  state: 'known',
  ...change,
})

export const weekly = (change: Partial<QuotaWindow> = {}): QuotaWindow =>
  window({ window: 'weekly', usedPercent: 56, resetAtMs: nowMs + 43 * hourMs, ...change })

export const account = (id: string, label: string, change: Partial<Account> = {}): Account =>
  ({
    ...{ id, label, kind: 'subscription', active: true, state: 'ready', because: 'It can serve.', untilMs: null },
    ...{ models: [], defaultModel: null, weight: 1, proxy: null, credentialRef: id, createdAtMs: 0, updatedAtMs: 0 },
    ...{ provider: id.startsWith('codex') ? 'codex' : 'claude', email: null, workspace: null, plan: null },
    ...{ serves: 'any-client', custody: 'pointsman', reservePercent: 0, maySpendBeyondPlan: false },
    windows: [window(), weekly()],
    ...change,
  }) as Account

export const work = account('claude-work', 'Claude, work')
export const personal = account('claude-personal', 'Claude, personal')
export const team = account('codex-team', 'Codex, team', { windows: [weekly({ usedPercent: 38 })] })

export const outlook = (change: Partial<Outlook> = {}): Outlook => ({
  app: {
    ...{ version: '0.1.0', revision: 1, practice: false, paused: false, address: 'http://127.0.0.1:7646', port: 7_646 },
    ...{ dataDir: '/data', defaultStrategy: 'ordered', sources: 3 },
    vault: { kind: 'keychain', state: 'open', why: null, unsaved: null },
    saving: { saving: true, waiting: 0, dropped: 0, why: null },
    ...change.app,
  } as Outlook['app'],
  accounts: [work, personal, team],
  profiles: [],
  next: [
    { provider: 'claude', sourceId: 'claude-work', label: 'Claude, work', because: 'rank', isReady: true },
    { provider: 'codex', sourceId: 'codex-team', label: 'Codex, team', because: 'only-candidate', isReady: true },
  ],
  strategies: ['ordered', 'smart', 'least-used'],
  settings: {
    ...{ notifyLow: true, notifyExhausted: true, notifyReset: true, notifyWaste: true },
    ...{ notifySwitched: true, notifySignIn: true },
    ...change.settings,
  } as Outlook['settings'],
  nowMs,
  ...Object.fromEntries(Object.entries(change).filter(([name]) => name !== 'app' && name !== 'settings')),
})

/** The same with one account changed. */
export const withAccount = (from: Outlook, id: string, change: Partial<Account>): Outlook => ({
  ...from,
  accounts: from.accounts.map((known) => (known.id === id ? { ...known, ...change } : known)),
})
