/** The mirror of the route rules, and the rule that is being edited. */
import { create } from 'zustand'
import { type Client, client } from '../bridge/client.ts'
import { mirror } from '../state/mirror.ts'

export type Rule = Awaited<ReturnType<Client['models']['routes']>>[number]

export const routesMirror = mirror(['models', 'accounts'], () => client.models.routes({}))

export const anyStyle = 'any'
export const defaultStrategy = 'default'

/** What the person has entered so far; `any` and `default` stand for the contract's nulls. */
export interface Draft {
  /** Null: a new rule. */
  readonly rule: Rule | null
  readonly providerId: string
  readonly matchModel: string
  readonly dialect: 'any' | 'messages' | 'responses' | 'chat'
  readonly strategy: string
  readonly strict: boolean | null
  readonly tiers: readonly (readonly string[])[]
}

export const useRuleEditor = create<{ readonly draft: Draft | null }>()(() => ({ draft: null }))

export const closeEditor = (): void => useRuleEditor.setState({ draft: null })

export function editRule(rule: Rule): void {
  const { providerId, matchModel } = rule
  useRuleEditor.setState({
    draft: {
      ...{ rule, providerId, matchModel },
      dialect: rule.dialect ?? anyStyle,
      strategy: rule.strategy ?? defaultStrategy,
      strict: rule.strict,
      tiers: rule.tiers.map((tier) => tier.map(({ backendId }) => backendId)),
    },
  })
}

export function newRule(matchModel = ''): void {
  const draft = {
    rule: null,
    providerId: 'any',
    matchModel,
    dialect: anyStyle,
    strategy: 'ordered',
    strict: null,
    tiers: [],
  } as const
  useRuleEditor.setState({ draft })
}

/** As the contract takes it. */
export function written({ rule, providerId, matchModel, dialect, strategy, strict, tiers }: Draft) {
  return {
    ...(rule === null ? {} : { id: rule.id, enabled: rule.enabled }),
    ...{ providerId, matchModel: matchModel.trim() },
    dialect: dialect === anyStyle ? null : dialect,
    strategy: strategy === defaultStrategy ? null : strategy,
    strict,
    // Options belong to a strategy: another one begins with its own.
    options: rule !== null && rule.strategy === strategy ? { ...rule.options } : {},
    tiers: tiers.map((tier) => [...tier]),
  }
}

/** A rule as it stands, for switching it. */
export const asWritten = (rule: Rule) => ({
  ...{ id: rule.id, providerId: rule.providerId, matchModel: rule.matchModel, dialect: rule.dialect },
  ...{ strategy: rule.strategy, strict: rule.strict, options: { ...rule.options }, basedOn: rule.revision },
  tiers: rule.tiers.map((tier) => tier.map(({ backendId }) => backendId)),
})
