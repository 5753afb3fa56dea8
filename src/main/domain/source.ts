/** Sources: where models come from. A subscription account, an API profile or a local provider. */
import type { BudgetId, CredentialRef, SourceId } from '../../shared/ids.ts'

export type SourceType = 'subscription' | 'api' | 'local'

/** The wire formats clients and upstreams speak; the seeds call them styles. */
export type Dialect = 'messages' | 'responses' | 'chat'
export const dialects: readonly Dialect[] = ['messages', 'responses', 'chat']

/** What a request asks of a model (routing §2). */
export type Operation = 'generate' | 'count' | 'compact' | 'list'

/** Which upstream descriptor a source uses; the files of `providers/`. */
export type ProviderKind = 'claude' | 'codex' | 'anthropic-compatible' | 'openai-compatible' | 'ollama'

/** What an account may serve: a visible label, enforced in the router (routing §6). */
export type Serves = 'claude-code-only' | 'codex-only' | 'any-client'

export interface SourceModel {
  /** The name clients ask for. */
  readonly id: string
  /** The name sent upstream. */
  readonly upstreamModel: string
  /** Other names that reach it when nothing matches more closely. */
  readonly aliases: readonly string[]
  /** Costs nothing here. */
  readonly free: boolean
}

interface SourceCommon {
  readonly id: SourceId
  readonly label: string
  readonly active: boolean
  readonly models: readonly SourceModel[]
  /** Sent when a request names no model; the first model when null. */
  readonly defaultModel: string | null
  /** Share under the `weighted` strategy, at least 1. */
  readonly weight: number
  /** Proxy URL of its own, or null for the environment's. */
  readonly proxy: string | null
  readonly credentialRef: CredentialRef | null
  /** A cap of its own, for an API profile. */
  readonly budgetId?: BudgetId | null | undefined
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** Who holds the refresh token: we renew it, the vendor's CLI does, or there is none (claude §1.5). */
export type Custody = 'pointsman' | 'read-only' | 'setup-token'

/** (user, workspace); e-mail is never identity (codex §1.6, claude §4.2). */
export interface Identity {
  readonly userId: string
  readonly workspaceId: string
}

export interface Account extends SourceCommon {
  readonly type: 'subscription'
  readonly provider: 'claude' | 'codex'
  readonly identity: Identity | null
  /** Shown on the card only. */
  readonly email: string | null
  readonly workspace: string | null
  readonly plan: string | null
  readonly custody: Custody
  /** The vendor CLI's own file, or `keyring:` and its folder, for a read-only import. */
  readonly path: string | null
  /** How its login came: made here, or taken from the vendor's CLI; only our own is ever revoked. */
  readonly origin?: 'sign-in' | 'import' | undefined
  /** When the present login came. */
  readonly takenAtMs?: number | undefined
  /** The CLI's file that this login was taken over from, and the SHA-256 of its text at that time. */
  readonly handedFrom?: { readonly path: string; readonly hash: string } | null | undefined
  readonly serves: Serves
  /** Percent of each window kept from new background sessions. */
  readonly reservePercent: number
  readonly maySpendBeyondPlan: boolean
  /** What the plan costs a month, integer nano-USD, as the person says; only for the ledger of what was lost. */
  readonly monthlyPrice?: number | null | undefined
  /** Why a new sign-in is needed, or null while signed in. */
  readonly signedOut: { readonly because: string; readonly sinceMs: number } | null
}

interface KeyedCommon extends SourceCommon {
  readonly dialects: readonly Dialect[]
  /** Scheme, authority and path prefix before `/v1`, no final slash. */
  readonly baseUrl: string
  /** Provider ids it joins, so that a subscription can fall over to it. */
  readonly joins: readonly string[]
}

export interface Profile extends KeyedCommon {
  readonly type: 'api'
  readonly provider: 'anthropic-compatible' | 'openai-compatible'
}

export interface LocalProvider extends KeyedCommon {
  readonly type: 'local'
  readonly provider: 'ollama' | 'openai-compatible'
}

export type Source = Account | Profile | LocalProvider

/** The dialects a source understands without translation. */
export function dialectsOf(source: Source): readonly Dialect[] {
  if (source.type !== 'subscription') return source.dialects
  return source.provider === 'claude' ? ['messages'] : ['responses']
}

/** The first path segments under which a source is reached, its own id first (routing §2). */
export function addressesOf(source: Source): readonly string[] {
  return source.type === 'subscription' ? [source.id, source.provider] : [source.id, ...source.joins]
}
