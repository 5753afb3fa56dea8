/** How each vendor streams a generated answer, and how it gives it in one piece. */
import type { Dialect } from '../../src/main/domain/source.ts'
import { type Answer, type Call, cutText, inputOf, isCut, type Part, shuffled, thoughtOf } from './generated.ts'
import { added, begun, block, chatCall, created, delta, done, itemDone, sse } from './kit.ts'

const encoder = new TextEncoder()
export const bytesOf = (events: readonly unknown[]): Uint8Array => encoder.encode(sse(events))

const isCall = (each: Part): each is Call => each.kind === 'call'
const callsOf = ({ parts }: Answer): readonly Call[] => parts.filter(isCall)
/** Between the others, and behind them. */
const withEmpties = <T>(answer: Answer, pieces: readonly T[], empty: T): readonly T[] =>
  answer.manner.empties ? [empty, ...pieces.flatMap((piece) => [piece, empty])] : pieces
const fragments = (answer: Answer, each: Call, nativeToo: boolean): readonly string[] =>
  cutText(inputOf(answer, each, nativeToo), [3, 7, 8])

// ---- Messages -----------------------------------------------------------------------------------------------------

function messagesParts(answer: Answer): readonly (readonly [start: object, ...deltas: readonly object[]])[] {
  const isWhole = answer.manner.full === 'end'
  return answer.parts.flatMap((each): readonly (readonly [object, ...object[]])[] => {
    switch (each.kind) {
      case 'text': {
        if (isWhole) return [[{ type: 'text', text: each.pieces.join('') }]]
        const made = withEmpties(answer, each.pieces, '').map((piece) => ({ type: 'text_delta', text: piece }))
        return [[{ type: 'text', text: '' }, ...made]]
      }
      case 'thinking': {
        const thinking = thoughtOf(each)
        if (isWhole) return [[{ type: 'thinking', thinking, signature: each.blob }]]
        const made = withEmpties(answer, cutText(thinking, [2, 5]), '')
        return [
          [
            { type: 'thinking', thinking: '', signature: '' },
            ...made.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
            { type: 'signature_delta', signature: each.blob },
          ],
        ]
      }
      case 'redacted':
        return [[{ type: 'redacted_thinking', data: each.blob }]]
      case 'search': {
        const input = JSON.stringify({ query: each.query })
        return [
          [
            { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
            { type: 'input_json_delta', partial_json: input },
          ],
          [{ type: 'web_search_tool_result', tool_use_id: 's', content: [] }],
        ]
      }
      case 'call': {
        const start = { type: 'tool_use', id: each.id, name: each.name, input: {} }
        const input = inputOf(answer, each, false)
        if (isWhole && !isCut(answer, each)) return [[{ ...start, input: JSON.parse(input === '' ? '{}' : input) }]]
        const made = withEmpties(answer, fragments(answer, each, false), '')
        return [[start, ...made.map((piece) => ({ type: 'input_json_delta', partial_json: piece }))]]
      }
      default:
        return []
    }
  })
}

function messagesEnd(answer: Answer): object {
  const refused = answer.parts.find(({ kind }) => kind === 'refusal')
  const reasons = { end: 'end_turn', length: 'max_tokens', cut: 'max_tokens', filter: 'refusal', unknown: 'tired' }
  const isRefusal = refused !== undefined && answer.stop !== 'length' && answer.stop !== 'cut'
  const said = answer.stop === 'end' && callsOf(answer).length > 0 ? 'tool_use' : reasons[answer.stop]
  const explanation = refused?.kind === 'refusal' ? refused.pieces.join('') : null
  return {
    stop_reason: isRefusal ? 'refusal' : said,
    stop_sequence: null,
    ...(isRefusal ? { stop_details: { type: 'refusal', category: null, explanation } } : {}),
  }
}

function messagesUsages({ usage, manner }: Answer): readonly [start: object | null, end: object | null] {
  const input = {
    input_tokens: usage.fresh,
    cache_read_input_tokens: usage.read,
    cache_creation_input_tokens: usage.written,
  }
  const output = { output_tokens: usage.out, output_tokens_details: { thinking_tokens: usage.thought } }
  const nothing = { input_tokens: null, cache_read_input_tokens: null, cache_creation_input_tokens: null }
  switch (manner.usage) {
    case 'end':
      return [{ ...input, output_tokens: 1 }, output]
    case 'early':
      return [
        { ...input, output_tokens: 1 },
        { ...nothing, ...output },
      ]
    case 'every':
      return [
        { input_tokens: usage.fresh + usage.read + usage.written, output_tokens: 1 },
        { ...input, ...output },
      ]
    case 'none':
      return [null, null]
  }
}

function messagesEvents(answer: Answer): readonly unknown[] {
  const [start, end] = messagesUsages(answer)
  const ping = answer.manner.empties ? [{ type: 'ping' }] : []
  const blocks = messagesParts(answer).flatMap(([first, ...deltas], index) => [
    ...block(index, first, ...deltas),
    ...ping,
  ])
  return [
    begun(start ?? {}),
    ...ping,
    ...blocks,
    { type: 'message_delta', delta: messagesEnd(answer), ...(end === null ? {} : { usage: end }) },
    { type: 'message_stop' },
    ...(answer.manner.mark ? [done] : []),
  ]
}

// ---- Responses ----------------------------------------------------------------------------------------------------

interface Streamed {
  readonly item: object
  readonly start: object
  readonly events: readonly object[]
}

function responsesItem(answer: Answer, each: Part, at: number): Streamed {
  const id = `i${at}`
  const where = { output_index: at, item_id: id }
  const { full, late } = answer.manner
  const isStreamed = full === 'deltas' || full === 'part'
  switch (each.kind) {
    case 'text':
    case 'refusal': {
      const whole = each.pieces.join('')
      const [type, field] = each.kind === 'text' ? ['output_text', 'text'] : ['refusal', 'refusal']
      const item = { id, type: 'message', role: 'assistant', content: [{ type, [field]: whole }] }
      const made = full === 'deltas' ? withEmpties(answer, each.pieces, '') : []
      const deltas = made.map((piece) => ({ type: `response.${type}.delta`, ...where, content_index: 0, delta: piece }))
      const last = { type: `response.${type}.done`, ...where, content_index: 0, [field]: whole }
      return { item, start: { ...item, content: [] }, events: isStreamed ? [...deltas, last] : [] }
    }
    case 'thinking':
    case 'redacted': {
      const parts = each.kind === 'thinking' ? each.summary : []
      const summary = parts.map((pieces) => ({ type: 'summary_text', text: pieces.join('') }))
      const item = { id, type: 'reasoning', summary, ...(each.blob === '' ? {} : { encrypted_content: each.blob }) }
      const deltas = parts.flatMap((pieces, part) =>
        withEmpties(answer, pieces, '').map((piece) => ({
          type: 'response.reasoning_summary_text.delta',
          ...where,
          summary_index: part,
          delta: piece,
        })),
      )
      return { item, start: { id, type: 'reasoning', summary: [] }, events: full === 'deltas' ? deltas : [] }
    }
    case 'search': {
      const action = { type: 'search', query: each.query, sources: each.urls.map((url) => ({ type: 'url', url })) }
      const item = { id, type: 'web_search_call', status: 'completed', action }
      return {
        item,
        start: { ...item, action: {} },
        events: [{ type: 'response.web_search_call.searching', ...where }],
      }
    }
    case 'call': {
      const isCustom = each.custom?.native === true
      const input = inputOf(answer, each, true)
      const [type, field] = isCustom ? ['custom_tool_call', 'input'] : ['function_call', 'arguments']
      const stem = isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
      const names = { call_id: each.id, name: each.name }
      const status = isCut(answer, each) ? 'incomplete' : 'completed'
      const item = { id, type, ...names, [field]: input, status }
      const start = { id, type, [field]: '', ...(late ? {} : names), status: 'in_progress' }
      const made = full === 'deltas' ? withEmpties(answer, fragments(answer, each, true), '') : []
      const deltas = made.map((piece) => ({ type: `${stem}.delta`, ...where, delta: piece }))
      return { item, start, events: isStreamed ? [...deltas, { type: `${stem}.done`, ...where, [field]: input }] : [] }
    }
  }
}

function responsesEnd(answer: Answer, output: readonly object[]): object {
  const { usage, manner, stop } = answer
  const spent = {
    input_tokens: usage.fresh + usage.read + usage.written,
    input_tokens_details: { cached_tokens: usage.read, cache_write_tokens: usage.written },
    output_tokens: usage.out,
    output_tokens_details: { reasoning_tokens: usage.thought },
  }
  const reasons = {
    end: null,
    length: 'max_output_tokens',
    cut: 'max_output_tokens',
    filter: 'content_filter',
    unknown: 'steered',
  }
  const reason = reasons[stop]
  return {
    status: reason === null ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === null ? null : { reason },
    output,
    ...(manner.usage === 'none' ? {} : { usage: spent }),
  }
}

function responsesEvents(answer: Answer): readonly unknown[] {
  const { parts, manner, order, stop } = answer
  const made = parts.map((each, at) => responsesItem(answer, each, at))
  const isLast = manner.full === 'end'
  const lists = made.map(({ item, start, events }, at) =>
    isLast ? [] : [added(at, start), ...events, itemDone(at, item)],
  )
  // Calls may overlap; whatever else is there comes one after another.
  const firstCall = parts.findIndex(isCall)
  const overlap = firstCall >= 0 && parts.slice(firstCall).every(isCall)
  const events = overlap
    ? [
        ...lists.slice(0, firstCall).flat(),
        ...lists.slice(firstCall).flatMap((list) => list.slice(0, 1)),
        ...shuffled(
          lists.slice(firstCall).map((list) => list.slice(1)),
          order,
        ),
      ]
    : lists.flat()
  const output = isLast || manner.late ? made.map(({ item }) => item) : []
  const type = stop === 'end' ? 'response.completed' : 'response.incomplete'
  const beat = manner.empties ? [{ type: 'response.in_progress', response: {} }] : []
  return [created, ...beat, ...events, { type, response: responsesEnd(answer, output) }, ...(manner.mark ? [done] : [])]
}

// ---- Chat ---------------------------------------------------------------------------------------------------------

const chatReasons = {
  end: 'stop',
  length: 'length',
  cut: 'length',
  filter: 'content_filter',
  unknown: 'tired',
} as const

function chatUsage({ usage }: Answer): object {
  return {
    prompt_tokens: usage.fresh + usage.read + usage.written,
    completion_tokens: usage.out,
    prompt_tokens_details: { cached_tokens: usage.read, cache_write_tokens: usage.written },
    completion_tokens_details: { reasoning_tokens: usage.thought },
  }
}

/** A call's chunks; late: what names it comes last. */
function chatChunks(answer: Answer, each: Call, at: number): readonly object[] {
  const { late } = answer.manner
  const isCustom = each.custom?.native === true
  const one = (id: string | null, name: string | null, text: string): object => {
    if (!isCustom) return delta({ tool_calls: [chatCall(at, id, name, text)] })
    const named = { ...(name === null ? {} : { name }), input: text }
    return delta({ tool_calls: [{ index: at, ...(id === null ? {} : { id }), type: 'custom', custom: named }] })
  }
  const pieces = withEmpties(answer, fragments(answer, each, true), '').map((piece) => one(null, null, piece))
  // A name that comes last, without an id or with it again, and either again and again.
  const last = [one(at % 2 === 0 ? each.id : null, each.name, ''), one(each.id, each.name, ''), one(each.id, '', '')]
  if (late) return [one(at % 2 === 0 ? null : each.id, '', ''), ...pieces, ...last]
  return [one(each.id, each.name, ''), ...pieces]
}

function chatEvents(answer: Answer): readonly unknown[] {
  const { parts, manner, order, stop } = answer
  const calls = callsOf(answer)
  const speech = (each: Part): readonly object[] => {
    const say = (pieces: readonly string[], field: (piece: string) => object): readonly object[] =>
      withEmpties(answer, pieces, '').map((piece) => delta(field(piece)))
    switch (each.kind) {
      case 'text':
        return say(each.pieces, (piece) => ({ content: piece }))
      case 'refusal':
        return say(each.pieces, (piece) => ({ refusal: piece }))
      case 'thinking':
        return say(cutText(thoughtOf(each), [2, 5]), (piece) =>
          manner.thoughts === 'reasoning_details'
            ? { reasoning_details: [{ type: 'reasoning.text', text: piece }] }
            : { [manner.thoughts]: piece },
        )
      default:
        return []
    }
  }
  const firstCall = parts.findIndex(isCall)
  const overlap = firstCall >= 0 && parts.slice(firstCall).every(isCall)
  const chunksOf = (each: Part): readonly object[] =>
    isCall(each) ? chatChunks(answer, each, calls.indexOf(each)) : speech(each)
  const whole = parts.slice(Math.max(0, firstCall)).filter((each) => !isCut(answer, each))
  const cut = parts.filter((each) => isCut(answer, each))
  const chunks = overlap
    ? [...parts.slice(0, firstCall).flatMap(speech), ...shuffled(whole.map(chunksOf), order), ...cut.flatMap(chunksOf)]
    : parts.flatMap(chunksOf)
  const usage = chatUsage(answer)
  const reason = stop === 'end' && calls.length > 0 && manner.full === 'deltas' ? 'tool_calls' : chatReasons[stop]
  const early = { usage: { prompt_tokens: 1, completion_tokens: 1 } }
  return [
    delta({ role: 'assistant', content: manner.empties ? '' : null }),
    ...(manner.usage === 'every' ? chunks.map((chunk) => ({ ...chunk, ...early })) : chunks),
    delta({}, reason, manner.usage === 'early' ? { usage } : {}),
    ...(manner.usage === 'end' || manner.usage === 'every' ? [{ id: 'chatcmpl-u', choices: [], usage }] : []),
    ...(manner.mark ? [done] : []),
  ]
}

export const eventsOf = (dialect: Dialect, answer: Answer): readonly unknown[] => {
  switch (dialect) {
    case 'messages':
      return messagesEvents(answer)
    case 'responses':
      return responsesEvents(answer)
    case 'chat':
      return chatEvents(answer)
  }
}

/** The same in one piece; not of an answer that was cut inside a call, which Messages has no words for. */
export function wholeOf(dialect: Dialect, { manner, ...others }: Answer): object {
  const usage = manner.usage === 'none' ? 'none' : 'end'
  const answer: Answer = { ...others, manner: { ...manner, full: 'end', usage } }
  const { parts, stop } = answer
  switch (dialect) {
    case 'messages': {
      const [start, end] = messagesUsages(answer)
      const content = messagesParts(answer).map(([first]) => first)
      return { type: 'message', role: 'assistant', content, ...messagesEnd(answer), usage: { ...start, ...end } }
    }
    case 'responses':
      return {
        object: 'response',
        ...responsesEnd(
          answer,
          parts.map((each, at) => responsesItem(answer, each, at).item),
        ),
      }
    case 'chat': {
      const all = (kind: 'text' | 'refusal'): string =>
        parts.flatMap((each) => (each.kind === kind ? each.pieces : [])).join('')
      const thoughts = parts.flatMap((each) => (each.kind === 'thinking' ? [thoughtOf(each)] : [])).join('')
      const calls = callsOf(answer).map(({ id, name, custom, ...each }) =>
        custom?.native === true
          ? { id, type: 'custom', custom: { name, input: custom.raw } }
          : {
              id,
              type: 'function',
              function: { name, arguments: inputOf(answer, { id, name, custom, ...each }, true) },
            },
      )
      const message = {
        role: 'assistant',
        content: all('text') === '' ? null : all('text'),
        refusal: all('refusal') === '' ? null : all('refusal'),
        [manner.thoughts]:
          manner.thoughts === 'reasoning_details' ? [{ type: 'reasoning.text', text: thoughts }] : thoughts,
        tool_calls: calls,
      }
      const spent = usage === 'none' ? {} : { usage: chatUsage(answer) }
      return { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: chatReasons[stop] }], ...spent }
    }
  }
}
