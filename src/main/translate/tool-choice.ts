/** The tools and the choice among them that an upstream can be given; a choice that names nothing is never sent (bridge §1.6). */
import type { Losses } from './losses.ts'
import type { Choice, NeutralRequest, Tool, ToolName } from './neutral-request.ts'

export interface ToolSet {
  readonly tools: readonly Tool[]
  /** Null: say nothing. `search`: the upstream's own web search must be used. */
  readonly choice: Exclude<Choice, { kind: 'allowed' }> | { readonly kind: 'search' } | null
}

export const isSame = (a: ToolName, b: ToolName): boolean => a.name === b.name && a.namespace === b.namespace

/** Those that a choice means: the very one, else those whose namespace was not said. */
function meant(name: ToolName, tools: readonly Tool[]): readonly Tool[] {
  const same = tools.filter((tool) => isSame(name, tool))
  const isOpen = (tool: Tool): boolean => name.namespace === null || tool.namespace === null
  return same.length > 0 ? same : tools.filter((tool) => tool.name === name.name && isOpen(tool))
}

const isSearch = ({ name }: ToolName): boolean => name.startsWith('web_search')

/** Exact repeats are dropped, the first counts. */
function withoutRepeats(tools: readonly Tool[]): readonly Tool[] {
  const seen = new Set<string>()
  return tools.filter((tool) => {
    const key = `${tool.namespace ?? ''}\n${tool.name}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Filters by an allowed list, since only OpenAI's styles have one; checks that a forced tool exists. */
export function toolSet(request: NeutralRequest, webSearch: boolean, losses: Losses): ToolSet {
  const { choice } = request
  let tools = withoutRepeats(request.tools)
  let plain: ToolSet['choice'] = null
  if (choice?.kind === 'allowed') {
    const allowed = new Set(choice.tools.flatMap((name) => meant(name, tools)))
    tools = tools.filter((tool) => allowed.has(tool))
    losses.changed('emulated', 'allowed_tools_filtered', 'tool_choice')
    if (tools.length === 0 && choice.required && !webSearch) losses.refuse('tool_unavailable', 'tool_choice')
    plain = { kind: choice.required ? 'required' : 'auto' }
  } else if (choice?.kind === 'tool') {
    const [found] = meant(choice, tools)
    if (found !== undefined) plain = { kind: 'tool', name: found.name, namespace: found.namespace }
    else if (webSearch && isSearch(choice)) plain = { kind: 'search' }
    else return losses.refuse('tool_unavailable', 'tool_choice')
  } else plain = choice
  if (tools.length === 0 && !webSearch) {
    if (plain?.kind === 'required') losses.refuse('tool_unavailable', 'tool_choice')
    return { tools, choice: null }
  }
  return { tools, choice: plain }
}

/** Web search where the upstream runs it; left out elsewhere, refused where nothing else is there to answer with. */
export function searches({ webSearch, tools, choice }: NeutralRequest, canSearch: boolean, losses: Losses): boolean {
  // Not among those that are allowed: left out with the others.
  if (webSearch === null || (choice?.kind === 'allowed' && !choice.tools.some(isSearch))) return false
  if (canSearch) return true
  const forced = choice?.kind === 'tool' && isSearch(choice)
  if (tools.length === 0 || forced) return losses.refuse('server_tool_unsupported', 'tools')
  losses.dropped('server_tool_removed', 'tools')
  return false
}
