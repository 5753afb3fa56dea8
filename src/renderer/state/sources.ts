/** Mirrors of where models come from: accounts, API profiles and local providers, and the access keys. */
import { type Client, client } from '../bridge/client.ts'
import { mirror } from './mirror.ts'

export type Profile = Awaited<ReturnType<Client['profiles']['list']>>[number]
export type AccessKey = Awaited<ReturnType<Client['keys']['list']>>[number]

type ListedAccount = Awaited<ReturnType<Client['accounts']['list']>>[number]

/** `readAtMs` instead of an age that grows old on the screen. */
export type QuotaWindow = ListedAccount['windows'][number] & { readonly readAtMs: number }
export type Account = Omit<ListedAccount, 'windows'> & { readonly windows: readonly QuotaWindow[] }

const windowOrder = ['five-hour', 'weekly', 'monthly']

/** Always in the same order, whichever was read last: refreshing must not move the rows. */
function inOrder(a: QuotaWindow, b: QuotaWindow): number {
  const rank = ({ window, family }: QuotaWindow): number => {
    const place = windowOrder.indexOf(window)
    return (family === null ? 0 : 10) + (place < 0 ? windowOrder.length : place)
  }
  return rank(a) - rank(b) || a.window.localeCompare(b.window)
}

async function readAccounts(): Promise<readonly Account[]> {
  const accounts = await client.accounts.list({})
  const nowMs = Date.now()
  return accounts.map((account) => ({
    ...account,
    windows: account.windows.map((window) => ({ ...window, readAtMs: nowMs - window.ageMs })).sort(inOrder),
  }))
}

// A rest or a signed-out host is announced as `models`: it changes what an account's state says.
export const accountsMirror = mirror(['accounts', 'models', 'quota'], readAccounts)
export const profilesMirror = mirror(['accounts', 'models'], () => client.profiles.list({}))
export const keysMirror = mirror(['accounts'], () => client.keys.list({}))
