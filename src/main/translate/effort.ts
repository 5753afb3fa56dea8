/** Thinking budgets and effort levels into one another (bridge §1.7). */
import type { Abilities } from './abilities.ts'
import type { Losses } from './losses.ts'
import { type Effort, efforts, type NeutralRequest, type Thinking } from './neutral-request.ts'
import { isOfAssistant, isPrefilled } from './repair.ts'
import type { JsonObject } from './value.ts'

/** `gpt-5.5-high`, `name(max)`, `name:thinking`: a level in the model's name, unless the request has one of its own (routing §3). */
export function withSuffix(request: NeutralRequest, suffix: string): NeutralRequest {
  const word = /(none|minimal|low|medium|high|xhigh|max|ultra|thinking)\)?$/.exec(suffix.replace(/\[1m\]$/, ''))?.[1]
  if (word === undefined || request.thinking.mode !== 'unset' || request.thinking.effort !== null) return request
  const effort = word === 'thinking' ? 'medium' : word === 'ultra' ? 'max' : (word as Effort)
  const mode = effort === 'none' ? 'off' : 'adaptive'
  return { ...request, thinking: { ...request.thinking, mode, effort } }
}

const rank = (effort: Effort): number => efforts.indexOf(effort)

/** The level asked for, or the next lower one that the model has; null: say nothing. */
function clamped(wanted: Effort, known: readonly Effort[]): Effort | null {
  if (known.length === 0) return null
  const lower = known.filter((effort) => rank(effort) <= rank(wanted))
  const best = lower.reduce<Effort | null>(
    (top, effort) => (top === null || rank(effort) > rank(top) ? effort : top),
    null,
  )
  if (best !== null) return best
  return known.reduce((bottom, effort) => (rank(effort) < rank(bottom) ? effort : bottom))
}

const ofBudget = (tokens: number): Effort =>
  tokens <= 1_024 ? 'low' : tokens <= 8_192 ? 'medium' : tokens <= 24_576 ? 'high' : 'xhigh'

/** The level for an OpenAI style, or null for the model's own default. */
export function effortFor(
  { mode, effort, budgetTokens }: Thinking,
  known: readonly Effort[],
  losses: Losses,
): Effort | null {
  const wanted = mode === 'off' ? 'none' : (effort ?? (mode === 'budget' ? ofBudget(budgetTokens ?? 8_192) : null))
  if (wanted === null) return null
  const level = clamped(wanted, known)
  if (level === null && mode !== 'off') losses.dropped('effort_dropped', 'thinking')
  else if (level !== null && level !== wanted) losses.changed('clamped', 'effort_clamped', 'thinking')
  return level
}

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 65_536,
}
const leastBudget = 1_024
/** What is left for the visible answer. */
const headroom = 4_096
const usualMost = 32_000

export interface MessagesThinking {
  readonly thinking: JsonObject | null
  readonly effort: Effort | null
  readonly maxTokens: number
}

/** `thinking`, `output_config.effort` and a `max_tokens` that fit one another. */
export function messagesThinking(
  request: NeutralRequest,
  abilities: Abilities,
  forced: boolean,
  losses: Losses,
): MessagesThinking {
  const { thinking: asked, maxTokens } = request
  const most = abilities.mostOutputTokens
  // None at all would only warm the cache.
  const limit = Math.max(1, Math.min(maxTokens ?? Math.min(most, usualMost), most))
  if (maxTokens !== null && maxTokens !== limit) losses.changed('clamped', 'max_tokens_clamped', 'max_tokens')
  const off = abilities.thinking === 'none' ? null : { type: 'disabled' }
  if (asked.mode === 'off') return { thinking: off, effort: null, maxTokens: limit }
  const wanted = asked.effort ?? (asked.mode === 'budget' ? ofBudget(asked.budgetTokens ?? 8_192) : null)
  if (wanted === null) return { thinking: null, effort: null, maxTokens: limit }
  if (abilities.thinking === 'none') {
    losses.dropped('effort_dropped', 'reasoning')
    return { thinking: null, effort: null, maxTokens: limit }
  }
  if (forced) {
    // A forced tool is a contract; thinking is advice.
    losses.dropped('thinking_off_for_forced_tool', 'tool_choice')
    return { thinking: off, effort: null, maxTokens: limit }
  }
  if (isPrefilled(request.items)) {
    // The vendor goes on from an answer that was begun for it only where it doesn't think.
    losses.dropped('thinking_off_for_prefill', 'reasoning')
    return { thinking: off, effort: null, maxTokens: limit }
  }
  if (abilities.thinking === 'adaptive') {
    const least = wanted === 'minimal' ? 'low' : wanted
    const effort = clamped(
      least,
      abilities.efforts.filter((level) => rank(level) >= 2),
    )
    if (effort === null) losses.dropped('effort_dropped', 'reasoning')
    else if (effort !== least) losses.changed('clamped', 'effort_clamped', 'reasoning')
    const high = rank(wanted) >= rank('high')
    return { thinking: { type: 'adaptive' }, effort, maxTokens: maxTokens === null && high ? most : limit }
  }
  if (lacksThoughts(request)) {
    losses.dropped('thinking_off_for_lost_thoughts', 'reasoning')
    return { thinking: off, effort: null, maxTokens: limit }
  }
  const budget = Math.min(asked.budgetTokens ?? budgets[wanted], most - leastBudget)
  if (maxTokens === null)
    return { thinking: enabled(budget), effort: null, maxTokens: Math.min(most, budget + headroom) }
  const room = Math.min(budget, limit - leastBudget)
  if (room >= leastBudget) {
    if (room < budget) losses.changed('clamped', 'thinking_budget_clamped', 'reasoning')
    return { thinking: enabled(room), effort: null, maxTokens: limit }
  }
  losses.dropped('thinking_off_for_small_limit', 'reasoning')
  return { thinking: off, effort: null, maxTokens: limit }
}

const enabled = (budgetTokens: number): JsonObject => ({ type: 'enabled', budget_tokens: budgetTokens })

/** The last assistant turn called tools and its thoughts are gone: with a budget the vendor would refuse it. */
function lacksThoughts({ items }: NeutralRequest): boolean {
  const end = items.findLastIndex(isOfAssistant)
  const begin = items.findLastIndex((item, at) => at < end && !isOfAssistant(item))
  const turn = items.slice(begin + 1, end + 1)
  const isSealed = turn.some((item) => item.kind === 'reasoning' && item.opaque !== null)
  return !isSealed && turn.some((item) => item.kind === 'call')
}
