/** Mirrors of the budgets and of the prices that count. */
import { type Client, client } from '../bridge/client.ts'
import { mirror } from './mirror.ts'

export type Budget = Awaited<ReturnType<Client['budgets']['list']>>[number]
export type CountingPrice = Awaited<ReturnType<Client['budgets']['prices']>>[number]
export type LedgerLine = Awaited<ReturnType<Client['budgets']['ledger']>>[number]

// Settlements are announced as `accounts`.
export const budgetsMirror = mirror(['accounts'], () => client.budgets.list({}))
export const pricesMirror = mirror(['accounts', 'models', 'app'], () => client.budgets.prices({}))
