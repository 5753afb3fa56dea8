/** Mends a conversation so that every vendor accepts it: calls and results in pairs, results at once, nothing empty (bridge §1.3). */
import type { Losses } from './losses.ts'
import type { Item, NeutralRequest, Part } from './neutral-request.ts'

type Call = Extract<Item, { kind: 'call' }>
type Result = Extract<Item, { kind: 'result' }>

export function repaired(request: NeutralRequest, losses: Losses): NeutralRequest {
  const items = paired(request.items.flatMap(withoutEmptyText), losses)
  if (!items.every(isSystem)) return { ...request, items }
  // Nobody has asked anything: what the system says becomes the question.
  const spoken = items.flatMap((item) => (item.kind === 'message' ? item.parts : []))
  const system = request.system.filter((text) => text !== '')
  const parts: readonly Part[] = [...system.map((text): Part => ({ kind: 'text', text })), ...spoken]
  if (parts.length === 0) return nothingLeft(losses)
  losses.changed('moved', 'system_moved', 'system')
  return { ...request, system: [], items: [{ kind: 'message', role: 'user', parts }] }
}

export const isSystem = (item: Item): boolean =>
  item.kind === 'message' && (item.role === 'system' || item.role === 'developer')

/** There was nothing in it, or nothing that this upstream can be told. */
export const nothingLeft = (losses: Losses): never =>
  losses.refuse('conversation_empty', 'input', 'The request holds no message')

function withoutEmptyText(item: Item): readonly Item[] {
  if (item.kind !== 'message' && item.kind !== 'result') return [item]
  const parts = item.parts.filter((part) => part.kind !== 'text' || part.text !== '')
  if (parts.length === 0 && item.kind === 'message') return []
  return parts.length === item.parts.length ? [item] : [{ ...item, parts }]
}

export const isPrefilled = (items: readonly Item[]): boolean => {
  const last = items.at(-1)
  return last?.kind === 'message' && last.role === 'assistant'
}

export const isOfAssistant = (item: Item): boolean =>
  item.kind === 'call' || item.kind === 'reasoning' || (item.kind === 'message' && item.role === 'assistant')

/** Each assistant turn, then the results of its calls in their own order, then what stood between. */
function paired(items: readonly Item[], losses: Losses): readonly Item[] {
  const out: Item[] = []
  const used = new Set<Item>()
  for (let at = 0; at < items.length; ) {
    const item = items[at] as Item
    if (!isOfAssistant(item)) {
      at += 1
      if (item.kind !== 'result') out.push(item)
      else if (!used.has(item)) {
        losses.changed('moved', 'result_without_call', 'input')
        out.push(orphan(item))
      }
      continue
    }
    let end = at
    while (end < items.length && isOfAssistant(items[end] as Item)) end += 1
    const turn = items.slice(at, end)
    const calls = turn.filter((each): each is Call => each.kind === 'call')
    const nameless = calls.filter((call) => call.name === '')
    const results = resultsOf(calls, items, end, used, losses)
    if (nameless.length > 0) losses.dropped('call_without_name', 'input')
    const named = new Set(calls.filter((call) => call.name !== '').map((call) => call.callId))
    const gone = new Set(nameless.map((call) => call.callId).filter((id) => !named.has(id)))
    out.push(...turn.filter((each) => each.kind !== 'call' || each.name !== ''))
    out.push(...results.filter((result) => !gone.has(result.callId)))
    at = end
  }
  return out
}

function resultsOf(
  calls: readonly Call[],
  items: readonly Item[],
  from: number,
  used: Set<Item>,
  losses: Losses,
): readonly Result[] {
  if (calls.length === 0) return []
  const open = new Map<string, Result | null>(calls.map((call) => [call.callId, null]))
  const order: string[] = []
  const shut = new Set<string>()
  for (let at = from; at < items.length && shut.size < open.size; at += 1) {
    const item = items[at] as Item
    // A later turn begins and nothing is missing: the rest of a long history needn't be looked through.
    if (isOfAssistant(item) && order.length === open.size) break
    // The id is used again by a later call: what follows belongs to that one.
    if (item.kind === 'call' && open.has(item.callId)) shut.add(item.callId)
    if (item.kind !== 'result' || !open.has(item.callId) || shut.has(item.callId)) continue
    used.add(item)
    if (open.get(item.callId) === null) order.push(item.callId)
    else losses.changed('moved', 'result_repeated', 'input')
    open.set(item.callId, item)
  }
  for (const call of calls) {
    if (open.get(call.callId) !== null || order.includes(call.callId)) continue
    losses.changed('emulated', 'call_without_result', 'input')
    open.set(call.callId, missing(call.callId))
    order.push(call.callId)
  }
  return order.map((callId) => open.get(callId) ?? missing(callId))
}

const missing = (callId: string): Result => ({
  kind: 'result',
  callId,
  parts: [{ kind: 'text', text: 'No result of this call was recorded.' }],
  isError: true,
})

const orphan = ({ parts, isError }: Result): Item => ({
  kind: 'message',
  role: 'user',
  parts: [{ kind: 'text', text: `Output of an unknown tool call${isError ? ', which failed' : ''}:` }, ...parts],
})

/** A conversation as turns: what the assistant did, the results it got, and what others said. */
export type Turn =
  | { readonly kind: 'assistant'; readonly items: readonly Item[] }
  | { readonly kind: 'results'; readonly items: readonly Result[] }
  | { readonly kind: 'user' | 'system'; readonly parts: readonly Part[] }

export function turnsOf(items: readonly Item[]): readonly Turn[] {
  const turns: Turn[] = []
  for (const item of items) {
    const last = turns.at(-1)
    if (item.kind === 'result') {
      if (last?.kind === 'results') turns[turns.length - 1] = { ...last, items: [...last.items, item] }
      else turns.push({ kind: 'results', items: [item] })
    } else if (isOfAssistant(item)) {
      if (last?.kind === 'assistant') turns[turns.length - 1] = { ...last, items: [...last.items, item] }
      else turns.push({ kind: 'assistant', items: [item] })
    } else if (item.kind === 'message') {
      const kind = item.role === 'user' ? 'user' : 'system'
      if (last !== undefined && last.kind === kind && 'parts' in last) {
        turns[turns.length - 1] = { kind, parts: [...last.parts, ...item.parts] }
      } else turns.push({ kind, parts: item.parts })
    }
  }
  return turns
}
