/** The shapes of the call log as the contract says them. */
import type { Client } from '../bridge/client.ts'

export type CallPage = Awaited<ReturnType<Client['calls']['page']>>
export type CallRow = CallPage['rows'][number]
export type CallDetail = Awaited<ReturnType<Client['calls']['get']>>
export type Execution = CallDetail['executions'][number]
export type Decision = NonNullable<CallDetail['decision']>
export type Filter = NonNullable<NonNullable<Parameters<Client['calls']['page']>[0]>['filter']>
export type Order = 'newest' | 'oldest'
export type Outcome = NonNullable<CallRow['outcome']>
