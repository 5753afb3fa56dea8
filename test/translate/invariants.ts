/** What every stream to a client must be, by dialect (bridge §8, 1 to 3); each throws with what is broken. */
import type { Dialect } from '../../src/main/domain/source.ts'
import type { Any } from './kit.ts'
import { eventsIn } from './kit.ts'

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

const reasons = new Set(['end_turn', 'tool_use', 'max_tokens', 'stop_sequence', 'refusal'])

const mustBeUnique = (ids: readonly unknown[]): void => must(new Set(ids).size === ids.length, 'an id stands twice')

/** Content in one form for all dialects, to compare streams with whole answers. */
export interface Content {
  readonly text: string
  /** Messages has no place of its own for it. */
  readonly refusal: string
  readonly thought: string
  readonly calls: readonly (readonly [id: string, name: string, input: string])[]
  readonly stop: string
}

export function checkMessages(text: string): 'ended' | 'failed' {
  const events = eventsIn(text)
  must(!/^data: \[DONE\]/m.test(text), 'a Messages stream has [DONE]')
  const last = events.at(-1)
  if (last?.type === 'error') {
    must(
      events.every(({ type }, at) => at === 0 || type !== 'message_start'),
      'begins twice',
    )
    must(!events.some(({ type }) => type === 'message_stop'), 'stops and fails')
  } else {
    must(events[0]?.type === 'message_start', 'does not begin with message_start')
    must(last?.type === 'message_stop', 'does not end')
    must(events.filter(({ type }) => type === 'message_delta').length === 1, 'message_delta is not one')
  }
  let open: number | null = null
  let next = 0
  for (const { type, index } of events) {
    if (type === 'content_block_start') {
      must(open === null && index === next, `block ${index} starts while ${open} is open or out of order`)
      open = index
      next += 1
    } else if (type === 'content_block_delta') must(index === open, 'a delta of a block that is not open')
    else if (type === 'content_block_stop') {
      must(index === open, 'a stop of a block that is not open')
      open = null
    }
  }
  for (const { delta } of events.filter(({ type }) => type === 'content_block_delta'))
    must(!Object.values(delta).includes(''), 'an empty delta')
  const calls = events
    .filter(({ content_block: made }) => made?.type === 'tool_use')
    .map(({ content_block: made }) => made)
  mustBeUnique(calls.map(({ id }) => id))
  must(
    calls.every(({ name }) => name !== ''),
    'a call without a name',
  )
  if (last?.type === 'error') return 'failed'
  must(open === null, 'a block is left open')
  const { stop_reason: reason } = events.at(-2)?.delta ?? {}
  must(reason !== 'tool_use' || calls.length > 0, 'tool_use without a call')
  must(calls.length === 0 || !['end_turn', 'stop_sequence'].includes(reason), 'a call in a turn that just ends')
  must(reasons.has(reason), 'a reason that clients do not know')
  return 'ended'
}

export function checkResponses(text: string): 'ended' | 'failed' {
  const events = eventsIn(text)
  events.forEach((event, at) => {
    must(event.sequence_number === at, 'sequence numbers have a gap')
  })
  must(events[0]?.type === 'response.created' && events[1]?.type === 'response.in_progress', 'does not begin')
  const terminals = events.filter(({ type }) => /^response\.(?:completed|incomplete|failed)$/.test(type))
  must(terminals.length === 1 && terminals[0] === events.at(-1), 'not one terminal event at the end')
  const added = events.filter(({ type }) => type === 'response.output_item.added')
  added.forEach((event, at) => {
    must(event.output_index === at, 'output indices have a gap')
  })
  mustBeUnique(added.map(({ item }) => item.id))
  mustBeUnique(added.flatMap(({ item }) => item.call_id ?? []))
  must(!events.some(({ delta }) => delta === ''), 'an empty delta')
  const finished = new Map<number, Any>()
  const deltas = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'response.output_item.done') {
      must(!finished.has(event.output_index), 'an item is done twice')
      finished.set(event.output_index, event.item)
    }
    if (typeof event.delta === 'string') deltas.set(event.item_id, (deltas.get(event.item_id) ?? '') + event.delta)
    const full = event.text ?? event.arguments ?? event.input ?? event.refusal
    if (event.type.endsWith('.done') && typeof full === 'string')
      must(full === (deltas.get(event.item_id) ?? ''), 'done is not what the deltas said')
  }
  const { type, response } = events.at(-1) ?? {}
  if (type === 'response.failed') return 'failed'
  must(finished.size === added.length, 'an item is not done')
  const order = [...finished].sort(([a], [b]) => a - b).map(([, item]) => item)
  must(JSON.stringify(order) === JSON.stringify(response.output), 'the output is not the items')
  return 'ended'
}

/** `isReadable`: the upstream gave every call an input that can be read. */
export function checkChat(text: string, isReadable = true): 'ended' | 'failed' {
  const events = eventsIn(text)
  const chunks = events.filter(({ error }) => error === undefined)
  must(new Set(chunks.map(({ id }) => id)).size <= 1, 'more than one id')
  const dones = text.match(/^data: \[DONE\]$/gm)?.length ?? 0
  const failed = events.some(({ error }) => error !== undefined)
  const finishes = chunks.filter(({ choices }) => typeof choices[0]?.finish_reason === 'string')
  must(
    failed ? dones === 0 : dones === 1 && text.endsWith('data: [DONE]\n\n'),
    '[DONE] is not once and only on success',
  )
  must(failed || finishes.length === 1, 'not one finish chunk')
  must(
    chunks.slice(1).every(({ choices }) => !Object.values(choices[0]?.delta ?? {}).includes('')),
    'an empty delta',
  )
  const args = new Map<number, string>()
  const raw = new Set<number>()
  for (const call of chunks.flatMap(({ choices }) => choices[0]?.delta?.tool_calls ?? [])) {
    must(args.has(call.index) !== (call.id !== undefined), 'a call begins twice or not at all')
    if (call.custom !== undefined) raw.add(call.index)
    args.set(call.index, (args.get(call.index) ?? '') + (call.function?.arguments ?? ''))
  }
  must(
    [...args.keys()].every((index, at) => index === at),
    'ordinals have a gap',
  )
  if (failed) return 'failed'
  const reason = finishes[0]?.choices[0].finish_reason
  must(reason !== 'tool_calls' || args.size > 0, 'tool_calls without a call')
  must(reason !== 'stop' || args.size === 0, 'a call in a turn that just ends')
  const isCut = ['length', 'content_filter'].includes(finishes[0]?.choices[0].finish_reason)
  for (const [index, json] of args) if (isReadable && !isCut && !raw.has(index)) JSON.parse(json)
  return 'ended'
}

export const checks: Readonly<Record<Dialect, (text: string, isReadable?: boolean) => 'ended' | 'failed'>> = {
  messages: checkMessages,
  responses: checkResponses,
  chat: checkChat,
}

/** What a stream said, put together as a client would. */
export function contentOf(dialect: Dialect, text: string): Content {
  const events = eventsIn(text)
  switch (dialect) {
    case 'messages': {
      const blocks = events.filter(({ type }) => type === 'content_block_start')
      const inputOf = (at: number): string =>
        events
          .filter(({ index, type }) => type === 'content_block_delta' && index === at)
          .map(({ delta }) => delta.partial_json ?? '')
          .join('')
      return {
        text: events.map(({ delta }) => delta?.text ?? '').join(''),
        refusal: '',
        thought: events.map(({ delta }) => delta?.thinking ?? '').join(''),
        calls: blocks
          .filter(({ content_block: made }) => made.type === 'tool_use')
          .map(({ index, content_block: made }) => [made.id, made.name, inputOf(index)]),
        stop: events.find(({ type }) => type === 'message_delta')?.delta.stop_reason ?? '',
      }
    }
    case 'responses':
      return wholeContent('responses', events.at(-1)?.response)
    case 'chat': {
      const deltas = events.map(({ choices }) => choices?.[0]?.delta ?? {})
      const calls: [string, string, string][] = []
      for (const call of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
        const known = calls[call.index]
        if (call.custom !== undefined) calls[call.index] = [call.id, call.custom.name, call.custom.input]
        else if (known === undefined) calls[call.index] = [call.id, call.function.name, call.function.arguments]
        else known[2] += call.function.arguments
      }
      return {
        text: deltas.map(({ content }) => content ?? '').join(''),
        refusal: deltas.map((delta) => delta.refusal ?? '').join(''),
        thought: deltas.map((delta) => delta.reasoning_content ?? '').join(''),
        calls,
        stop:
          events.flatMap(({ choices }) => choices ?? []).find((choice) => typeof choice.finish_reason === 'string')
            ?.finish_reason ?? '',
      }
    }
  }
}

/** The same of a whole answer. */
export function wholeContent(dialect: Dialect, body: Any): Content {
  switch (dialect) {
    case 'messages':
      return {
        text: body.content.map(({ text }: Any) => text ?? '').join(''),
        refusal: '',
        thought: body.content.map(({ thinking }: Any) => thinking ?? '').join(''),
        calls: body.content
          .filter(({ type }: Any) => type === 'tool_use')
          .map((made: Any) => [made.id, made.name, JSON.stringify(made.input)]),
        stop: body.stop_reason,
      }
    case 'responses':
      return {
        text: body.output.map(({ content }: Any) => content?.[0]?.text ?? '').join(''),
        refusal: body.output.map(({ content }: Any) => content?.[0]?.refusal ?? '').join(''),
        thought: body.output.map(({ summary }: Any) => summary?.[0]?.text ?? '').join(''),
        calls: body.output
          .filter(({ type }: Any) => type === 'function_call' || type === 'custom_tool_call')
          .map((made: Any) => [made.call_id, made.name, made.arguments ?? made.input]),
        stop: body.status,
      }
    case 'chat': {
      const { message, finish_reason: stop } = body.choices[0]
      return {
        text: message.content ?? '',
        refusal: message.refusal ?? '',
        thought: message.reasoning_content ?? '',
        calls: (message.tool_calls ?? []).map(({ id, custom, function: inner }: Any) =>
          custom === undefined ? [id, inner.name, inner.arguments] : [id, custom.name, custom.input],
        ),
        stop,
      }
    }
  }
}
