/** The tray's menu as data: a pure function of what the program knows; `tray.ts` only converts it. */
import type { Errand } from './address.ts'
import { type Account, type Outlook, type Provider, providers } from './outlook.ts'
import { nameText, timeText, type Wording, windowLine } from './wording.ts'

export type MenuAct =
  | { readonly kind: 'pause' | 'resume' | 'unlock' | 'open' | 'quit' }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'strategy'; readonly id: string }
  | { readonly kind: 'errand'; readonly errand: Errand }

export type MenuItem =
  | { readonly kind: 'separator' }
  /** Tells something; can't be pressed. */
  | { readonly kind: 'line'; readonly label: string }
  | { readonly kind: 'action'; readonly label: string; readonly act: MenuAct }
  | { readonly kind: 'check' | 'radio'; readonly label: string; readonly checked: boolean; readonly act: MenuAct }
  | { readonly kind: 'group'; readonly label: string; readonly items: readonly MenuItem[] }

export type Platform = 'mac' | 'windows' | 'linux'

const separator: MenuItem = { kind: 'separator' }

export function trayMenu(outlook: Outlook, wording: Wording, platform: Platform): readonly MenuItem[] {
  const { texts } = wording
  const { app, accounts, strategies } = outlook
  const address = app.address.replace(/^https?:\/\//, '')
  const isFlat = platform === 'linux'
  return [
    ...status(outlook, wording),
    separator,
    ...accounts.map((account): MenuItem => {
      const label = accountLine(account, wording)
      return { kind: 'action', label, act: { kind: 'errand', errand: { kind: 'profiles' } } }
    }),
    ...(accounts.length === 0 ? [] : [separator]),
    ...attention(outlook, wording),
    ...additions(wording, isFlat),
    separator,
    { kind: 'check', label: texts.pause, checked: app.paused, act: { kind: app.paused ? 'resume' : 'pause' } },
    {
      kind: 'group',
      label: texts.strategy,
      items: strategies.map((id) => ({
        kind: 'radio' as const,
        label: strategyName(id),
        checked: id === app.defaultStrategy,
        act: { kind: 'strategy' as const, id },
      })),
    },
    { kind: 'action', label: texts.copy(address), act: { kind: 'copy', text: app.address } },
    separator,
    { kind: 'action', label: texts.open, act: { kind: 'open' } },
    { kind: 'action', label: texts.settings, act: { kind: 'errand', errand: { kind: 'settings' } } },
    { kind: 'action', label: texts.quit, act: { kind: 'quit' } },
  ]
}

/** Whether it routes, and per provider who is next and why. */
function status({ app, accounts, profiles, next }: Outlook, { texts }: Wording): readonly MenuItem[] {
  const line = (label: string): MenuItem => ({ kind: 'line', label })
  const word = app.paused ? texts.paused : texts.routing
  const first = line(app.practice ? `${word} · ${texts.practice}` : word)
  if (accounts.length === 0 && profiles.length === 0) return [first, line(texts.noSource)]
  const served = providers.filter(({ provider }) => accounts.some((account) => isActiveOf(account, provider)))
  const lines = served.map(({ provider, name }) => {
    const found = next.find((candidate) => candidate.provider === provider)
    if (found === undefined || !found.isReady) return line(texts.nobody(name))
    return line(texts.next(name, nameText(found.label), texts.reasons[found.because] ?? texts.otherReason))
  })
  return [first, ...lines]
}

const isActiveOf = (account: Account, provider: Provider): boolean => account.active && account.provider === provider

/** `Claude, work: 5 h 71 % left, resets 16:40 · week 44 % left, resets Thu 07:00`, or what keeps it from serving. */
function accountLine(account: Account, wording: Wording): string {
  const { texts } = wording
  const { label, state, untilMs, windows } = account
  const numbers = windows.map((window) => windowLine(window, wording))
  const isOld = windows.length > 0 && windows.every((window) => window.state === 'stale')
  const parts = [
    ...(state === 'ready' ? [] : [texts.states[state]]),
    ...(state === 'resting' && untilMs !== null ? [texts.back(timeText(untilMs, wording))] : []),
    ...(state === 'signed-out' || state === 'inactive' ? [] : numbers),
    ...(isOld && state === 'ready' ? [texts.stale] : []),
  ]
  return `${nameText(label)}: ${parts.length === 0 ? texts.none : parts.join(' · ')}`
}

/** What waits for the person. */
function attention({ app, accounts }: Outlook, { texts }: Wording): readonly MenuItem[] {
  const unlock: readonly MenuItem[] =
    app.vault.state === 'open' ? [] : [{ kind: 'action', label: texts.unlock, act: { kind: 'unlock' } }]
  const signIns = accounts
    .filter(({ state, active }) => state === 'signed-out' && active)
    .map(({ id, label }): MenuItem => {
      const errand: Errand = { kind: 'sign-in', sourceId: id }
      return { kind: 'action', label: texts.signIn(nameText(label)), act: { kind: 'errand', errand } }
    })
  return [...unlock, ...signIns]
}

/** One level deep at most, and none where desktops show groups badly (ux B2). */
function additions({ texts }: Wording, isFlat: boolean): readonly MenuItem[] {
  const items = providers.map(({ provider }): MenuItem => {
    const label = isFlat ? texts.addFlat[provider] : texts.addOf[provider]
    return { kind: 'action', label, act: { kind: 'errand', errand: { kind: 'add-account', provider } } }
  })
  return isFlat ? items : [{ kind: 'group', label: texts.addAccount, items }]
}

/** `least-used` reads `Least used`. */
const strategyName = (id: string): string => (id.charAt(0).toUpperCase() + id.slice(1)).replaceAll('-', ' ')
