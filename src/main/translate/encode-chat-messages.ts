/** The conversation as Chat messages: tool messages at once behind their call, pictures of results behind all of them (bridge §1.3, §1.4). */
import { marked } from './decode-responses-items.ts'
import type { EncodeOptions } from './encode-options.ts'
import { breakpoint, endsPrefix } from './encode-responses.ts'
import type { Losses } from './losses.ts'
import { callIdFor } from './names.ts'
import type { Item, NeutralRequest, Part } from './neutral-request.ts'
import { isSystem, nothingLeft, turnsOf } from './repair.ts'
import { inputText, wrappedInput } from './tool-input.ts'

export function chatMessages(request: NeutralRequest, options: EncodeOptions): readonly object[] {
  const { abilities, losses } = options
  const { system, items } = abilities.systemFirstOnly ? systemFirst(request, losses) : request
  const messages: object[] = []
  /** What the user said last, while nothing stands behind it: a turn that came to nothing leaves its neighbours one. */
  let open: readonly Part[] | null = null
  for (const turn of turnsOf(items)) {
    switch (turn.kind) {
      case 'assistant': {
        const message = assistantMessage(turn.items, options)
        if (message === null) break
        messages.push(message)
        open = null
        break
      }
      case 'results':
        open = pushResults(turn.items, messages, options)
        break
      case 'user': {
        const parts: readonly Part[] = open === null ? turn.parts : [...open, ...turn.parts]
        if (open !== null) messages.pop()
        messages.push({ role: 'user', content: contentOf(parts, options) })
        open = parts
        break
      }
      case 'system': {
        const text = turn.parts.map(textOf).join('\n\n')
        messages.push({ role: abilities.developerRole ? 'developer' : 'system', content: text })
        open = null
      }
    }
  }
  if (messages.length === 0) nothingLeft(losses)
  const text = system.filter((part) => part !== '').join('\n\n')
  // What stands in front is the developer's word only where models reason (bridge §1.2).
  const role = abilities.developerRole && abilities.efforts.length > 0 ? 'developer' : 'system'
  return text === '' ? messages : [{ role, content: text }, ...messages]
}

/** For templates that know a system message in front only: what stood around the others stands together. */
function systemFirst({ system, items }: NeutralRequest, losses: Losses): Pick<NeutralRequest, 'system' | 'items'> {
  const later = items.flatMap((item) =>
    item.kind === 'message' && isSystem(item) ? item.parts.map(textOf).join('\n\n') : [],
  )
  if (later.length > 0) losses.changed('moved', 'system_moved', 'messages')
  return { system: [...system, ...later], items: items.filter((item) => !isSystem(item)) }
}

const textOf = (part: Part): string => (part.kind === 'text' ? part.text : '')

function assistantMessage(items: readonly Item[], { names, losses, hash, abilities }: EncodeOptions): object | null {
  const texts: string[] = []
  const thoughts: string[] = []
  const calls: object[] = []
  for (const item of items) {
    if (item.kind === 'message') texts.push(item.parts.map(textOf).join(''))
    else if (item.kind === 'reasoning') {
      if (abilities.echoReasoning && item.text !== '') thoughts.push(item.text)
      else losses.dropped('reasoning_dropped', 'messages')
    } else if (item.kind === 'call') {
      const id = callIdFor('chat', item.callId, hash)
      if (item.tool === 'custom' && abilities.customTools) {
        calls.push({ id, type: 'custom', custom: { name: names.name(item, 'function'), input: item.input } })
      } else {
        const text = item.tool === 'custom' ? wrappedInput(item.input) : inputText(item.input, losses, 'messages')
        calls.push({ id, type: 'function', function: { name: names.name(item, item.tool), arguments: text } })
      }
    }
  }
  const content = texts.join('\n\n')
  if (content === '' && calls.length === 0) {
    if (thoughts.length > 0) losses.dropped('reasoning_dropped', 'messages')
    return null
  }
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n\n') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

/** Returns what the user's message behind them holds, if there is one: what the user says next joins it. */
function pushResults(
  items: readonly Extract<Item, { kind: 'result' }>[],
  messages: object[],
  options: EncodeOptions,
): readonly Part[] | null {
  const behind: Part[] = []
  for (const item of items) {
    const id = callIdFor('chat', item.callId, options.hash)
    const others = item.parts.filter((part) => part.kind !== 'text')
    const texts = item.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    if (others.length > 0) {
      texts.push('(image attached below)')
      behind.push({ kind: 'text', text: `Attached to the result of ${id}:` }, ...others)
    }
    messages.push({ role: 'tool', tool_call_id: id, content: marked(texts.join('\n'), item.isError) })
  }
  if (behind.length === 0) return null
  messages.push({ role: 'user', content: contentOf(behind, options) })
  return behind
}

/** Plain text where it is only that: many servers refuse lists. */
function contentOf(parts: readonly Part[], options: EncodeOptions): string | readonly object[] {
  const [only] = parts
  if (parts.length === 1 && only?.kind === 'text' && !endsPrefix(only, options)) return only.text
  return parts.map((part) =>
    endsPrefix(part, options) ? { ...partEntry(part, options), ...breakpoint } : partEntry(part, options),
  )
}

function partEntry(part: Part, { abilities, losses }: EncodeOptions): object {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image': {
      const { image } = part
      if (!abilities.images) return losses.refuse('images_not_accepted', 'messages')
      if (image.at === 'url' && !abilities.imageAddresses)
        return losses.refuse('image_address_not_accepted', 'messages')
      const url = image.at === 'url' ? image.url : `data:${image.mediaType};base64,${image.data}`
      return {
        type: 'image_url',
        image_url: { url, detail: part.detail === 'original' ? 'high' : (part.detail ?? 'auto') },
      }
    }
    case 'document': {
      const { document } = part
      if (!abilities.documents || document.at === 'url') return losses.refuse('documents_not_accepted', 'messages')
      const filename = part.title || 'document.pdf'
      return { type: 'file', file: { filename, file_data: `data:${document.mediaType};base64,${document.data}` } }
    }
  }
}
