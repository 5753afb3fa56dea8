/** Which notifications a change calls for: a pure comparison of what was known before with what is known now. */
import type { Errand } from './address.ts'
import { type Account, type Next, type Outlook, providers, type QuotaWindow } from './outlook.ts'
import { isLow } from './tray-state.ts'
import { leftPercent, nameText, timeText, type Wording, windowText } from './wording.ts'

export interface Notice {
  /** The same event of the same window has the same id: it is shown once. */
  readonly id: string
  readonly kind: 'low' | 'exhausted' | 'reset' | 'waste' | 'switched' | 'sign-in'
  /** The source that it happened to. */
  readonly about: string
  readonly title: string
  readonly body: string
  readonly errand: Errand
}

/** Quota about to be wasted: this much left with so little to go (routing §7). */
const wastePercent = 20
const wasteMs = 6 * 3_600_000
/** A shorter rest is over before anybody has read of it. */
const lastingMs = 5 * 60_000

export function noticesOf(before: Outlook, after: Outlook, wording: Wording): readonly Notice[] {
  const { settings } = after
  const found = [
    ...after.accounts
      .filter(({ active }) => active)
      .flatMap((account) => accountNotices(before, after, account, wording)),
    ...switched(before, after, wording),
  ]
  const isWanted: Readonly<Record<Notice['kind'], boolean>> = {
    low: settings.notifyLow,
    exhausted: settings.notifyExhausted,
    reset: settings.notifyReset,
    waste: settings.notifyWaste,
    switched: settings.notifySwitched,
    'sign-in': settings.notifySignIn,
  }
  const wanted = found.filter(({ kind }) => isWanted[kind])
  // One event, one notification: the account's own says it better.
  const told = new Set(
    wanted.filter(({ kind }) => kind === 'exhausted' || kind === 'sign-in').map(({ about }) => about),
  )
  return wanted.filter(({ kind, about }) => kind !== 'switched' || !told.has(about))
}

const sameWindow = (a: QuotaWindow, b: QuotaWindow): boolean => a.window === b.window && a.family === b.family
const isSpent = ({ state, usedPercent }: QuotaWindow): boolean =>
  state === 'spent' || (state === 'known' && usedPercent !== null && usedPercent >= 100)

function accountNotices(before: Outlook, after: Outlook, account: Account, wording: Wording): readonly Notice[] {
  const old = before.accounts.find(({ id }) => id === account.id)
  // One that was just added brings its own view, not news.
  if (old === undefined) return []
  if (account.state === 'signed-out') return old.state === 'signed-out' ? [] : [signIn(account, wording)]
  return account.windows.flatMap((window) => {
    const earlier = old.windows.find((candidate) => sameWindow(candidate, window))
    if (earlier === undefined) return isSpent(window) ? [exhausted(after, account, window, wording)] : []
    if (isSpent(window)) return isSpent(earlier) ? [] : [exhausted(after, account, window, wording)]
    if (isSpent(earlier)) return window.state === 'known' && !isLow(window) ? [reset(account, window, wording)] : []
    if (isLow(window) && !isLow(earlier)) return [low(account, window, wording)]
    const isNews = isEnding(window, after.nowMs) && !isEnding(earlier, before.nowMs)
    return isNews ? [waste(account, window, wording)] : []
  })
}

/** Short windows always end soon: only those that are longer than the warning count. */
const isEnding = ({ window, state, usedPercent, resetAtMs }: QuotaWindow, nowMs: number): boolean =>
  window !== 'five-hour' &&
  state === 'known' &&
  usedPercent !== null &&
  leftPercent(usedPercent) > wastePercent &&
  resetAtMs !== null &&
  resetAtMs > nowMs &&
  resetAtMs - nowMs < wasteMs

/** By source, window and its reset. */
const idOf = (kind: string, { id }: Account, { window, family, resetAtMs }: QuotaWindow): string =>
  `${kind} ${id} ${window} ${family ?? ''} ${resetAtMs ?? ''}`

const inProfiles: Errand = { kind: 'profiles' }

function low(account: Account, window: QuotaWindow, wording: Wording): Notice {
  const { notices } = wording.texts
  const percent = String(leftPercent(window.usedPercent ?? 0))
  const title = notices.low(nameText(account.label), windowText(window, wording), percent)
  const body = window.resetAtMs === null ? '' : notices.lowBody(timeText(window.resetAtMs, wording))
  return { id: idOf('low', account, window), kind: 'low', about: account.id, title, body, errand: inProfiles }
}

function exhausted(after: Outlook, account: Account, window: QuotaWindow, wording: Wording): Notice {
  const { notices } = wording.texts
  const next = after.next.find(({ provider, isReady }) => provider === account.provider && isReady)
  const moved =
    next === undefined ? notices.nobodyElse : next.sourceId === account.id ? '' : notices.movedTo(nameText(next.label))
  const back = window.resetAtMs === null ? '' : notices.exhaustedBody(timeText(window.resetAtMs, wording))
  return {
    id: idOf('exhausted', account, window),
    kind: 'exhausted',
    about: account.id,
    title: notices.exhausted(nameText(account.label)),
    body: [moved, back].filter((part) => part !== '').join(' '),
    errand: inProfiles,
  }
}

function reset(account: Account, window: QuotaWindow, wording: Wording): Notice {
  const title = wording.texts.notices.reset(nameText(account.label), windowText(window, wording))
  return { id: idOf('reset', account, window), kind: 'reset', about: account.id, title, body: '', errand: inProfiles }
}

function waste(account: Account, window: QuotaWindow, wording: Wording): Notice {
  const { notices } = wording.texts
  const percent = String(leftPercent(window.usedPercent ?? 0))
  const title = notices.waste(nameText(account.label), percent, windowText(window, wording))
  const body = notices.wasteBody(timeText(window.resetAtMs ?? wording.nowMs, wording))
  return { id: idOf('waste', account, window), kind: 'waste', about: account.id, title, body, errand: inProfiles }
}

function signIn({ id, label }: Account, { texts }: Wording): Notice {
  const { signIn: title, signInBody: body } = texts.notices
  const errand: Errand = { kind: 'sign-in', sourceId: id }
  return { id: `sign-in ${id}`, kind: 'sign-in', about: id, title: title(nameText(label)), body, errand }
}

/** Only a change that a failing account forced: under a rotating strategy "next" changes with every call. */
function switched(before: Outlook, after: Outlook, { texts }: Wording): readonly Notice[] {
  return providers.flatMap(({ provider, name }) => {
    const of = ({ next }: Outlook): Next | undefined =>
      next.find((found) => found.provider === provider && found.isReady)
    const was = of(before)
    const is = of(after)
    if (was === undefined || is === undefined || was.sourceId === is.sourceId) return []
    const sources = [...after.accounts, ...after.profiles]
    const left = sources.find(({ id }) => id === was.sourceId)
    if (left === undefined || !left.active || left.state === 'ready') return []
    if (left.untilMs !== null && left.untilMs - after.nowMs < lastingMs) return []
    return [
      {
        id: `switched ${was.sourceId} ${is.sourceId} ${left.untilMs ?? ''}`,
        kind: 'switched' as const,
        about: was.sourceId,
        title: texts.notices.switched(name, nameText(is.label)),
        body: texts.notices.switchedBody(nameText(left.label)),
        errand: inProfiles,
      },
    ]
  })
}
