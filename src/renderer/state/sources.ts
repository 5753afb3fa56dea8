/** Mirrors of where models come from: accounts, API profiles and local providers, and the access keys. */
import { type Client, client } from '../bridge/client.ts'
import { mirror } from './mirror.ts'

export type Account = Awaited<ReturnType<Client['accounts']['list']>>[number]
export type Profile = Awaited<ReturnType<Client['profiles']['list']>>[number]
export type AccessKey = Awaited<ReturnType<Client['keys']['list']>>[number]
export type QuotaWindow = Account['windows'][number]

// A rest or a signed-out host is announced as `models`: it changes what an account's state says.
export const accountsMirror = mirror(['accounts', 'models', 'quota'], () => client.accounts.list({}))
export const profilesMirror = mirror(['accounts', 'models'], () => client.profiles.list({}))
export const keysMirror = mirror(['accounts'], () => client.keys.list({}))
