/** What a person may set per pool for its strategy: names, ranges and defaults (routing §4, constants). */

export const optionNames = ['lowShare', 'usedShare', 'fiveHourSoftLimit', 'exploreShare'] as const
export type OptionName = (typeof optionNames)[number]

/** Absent ones have their default. */
export type StrategyOptions = { readonly [Name in OptionName]?: number }

export interface OptionRule {
  readonly name: OptionName
  readonly sentence: string
  /** Percent, both ends included. */
  readonly least: number
  readonly most: number
  readonly fallback: number
}

export const lowShare: OptionRule = {
  name: 'lowShare',
  sentence: 'From this percent used on, an account waits until the others can not answer.',
  least: 1,
  most: 100,
  fallback: 90,
}

export const usedShare: OptionRule = {
  name: 'usedShare',
  sentence: 'From this percent used on, an account counts as all but used up and goes last.',
  least: 1,
  most: 100,
  fallback: 98,
}

export const fiveHourSoftLimit: OptionRule = {
  name: 'fiveHourSoftLimit',
  sentence: 'Accounts with more than this percent of their five hours used go after the others.',
  least: 0,
  most: 100,
  fallback: 80,
}

export const exploreShare: OptionRule = {
  name: 'exploreShare',
  sentence: 'This percent of the requests goes to another than the fastest, to keep the measurements fresh.',
  least: 0,
  most: 50,
  fallback: 10,
}

export const optionOf = (rule: OptionRule, options: StrategyOptions): number => options[rule.name] ?? rule.fallback

/** Why `options` can't be set for a strategy with these rules, or null. */
export function optionProblem(rules: readonly OptionRule[], options: Readonly<Record<string, unknown>>): string | null {
  for (const [name, value] of Object.entries(options)) {
    const rule = rules.find((known) => known.name === name)
    if (rule === undefined) {
      const known = rules.map((one) => one.name).join(', ')
      return `the strategy has no option ${name}${known === '' ? '' : `; it has ${known}`}`
    }
    if (typeof value !== 'number' || !(value >= rule.least && value <= rule.most)) {
      return `${name} must be a number from ${rule.least} to ${rule.most}`
    }
  }
  return null
}
