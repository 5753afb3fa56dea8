/** The conversation as Messages turns: alternating, results first, system turns only where they are legal (bridge §1.2, §1.3). */
import type { EncodeOptions } from './encode-options.ts'
import { callIdFor } from './names.ts'
import type { Item, NeutralRequest, Part } from './neutral-request.ts'
import { nothingLeft, type Turn, turnsOf } from './repair.ts'
import { inputObject, wrappedInput } from './tool-input.ts'

interface Message {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: object[]
}

type Said = Exclude<Turn, { kind: 'assistant' }> | { readonly kind: 'assistant'; readonly content: readonly object[] }

const cacheMark = { type: 'ephemeral' } as const
/** Two behind the conversation, beside the ones on tools and system: four are allowed. */
const markedTurns = 2

export function messagesTurns({ items }: NeutralRequest, options: EncodeOptions): readonly object[] {
  const messages: Message[] = []
  const add = (role: Message['role'], content: readonly object[]): void => {
    if (content.length === 0) return
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...content)
    else messages.push({ role, content: [...content] })
  }
  // A turn of the assistant of which nothing can be said is none, and its neighbours stand together.
  const turns = turnsOf(items).flatMap((turn): readonly Said[] => {
    if (turn.kind !== 'assistant') return [turn]
    const content = turn.items.flatMap((item) => assistantBlock(item, options))
    return content.length === 0 ? [] : [{ kind: turn.kind, content }]
  })
  for (const [at, turn] of turns.entries()) {
    switch (turn.kind) {
      case 'assistant':
        add('assistant', turn.content)
        break
      case 'results':
        add(
          'user',
          turn.items.map((item) => resultBlock(item, options)),
        )
        break
      case 'user':
        add(
          'user',
          turn.parts.map((part) => partBlock(part, options)),
        )
        break
      case 'system':
        if (options.abilities.midSystem && isLegalSystem(turns, at))
          add(
            'system',
            turn.parts.map((part) => partBlock(part, options)),
          )
        else {
          options.losses.changed('moved', 'system_moved', `messages[${at}]`)
          add('user', [{ type: 'text', text: `<system>\n${turn.parts.map(textOf).join('\n\n')}\n</system>` }])
        }
    }
  }
  if (messages.length === 0) nothingLeft(options.losses)
  if (messages[0]?.role === 'assistant')
    messages.unshift({ role: 'user', content: [{ type: 'text', text: '(continued)' }] })
  return options.abilities.cacheMarks ? withMarks(messages) : messages
}

/** After a user's turn, and last or before an assistant's. */
function isLegalSystem(turns: readonly Said[], at: number): boolean {
  const before = turns[at - 1]?.kind
  const after = turns[at + 1]?.kind
  return (before === 'user' || before === 'results') && (after === undefined || after === 'assistant')
}

const textOf = (part: Part): string => (part.kind === 'text' ? part.text : '')

function assistantBlock(item: Item, { losses, names, hash }: EncodeOptions): readonly object[] {
  switch (item.kind) {
    case 'message':
      return item.parts.flatMap((part) => (part.kind === 'text' ? [{ type: 'text', text: part.text }] : []))
    case 'call': {
      const text = item.tool === 'custom' ? wrappedInput(item.input) : item.input
      const input = inputObject(text, losses, 'input')
      return [
        { type: 'tool_use', id: callIdFor('messages', item.callId, hash), name: names.name(item, item.tool), input },
      ]
    }
    case 'reasoning':
      if (item.opaque?.kind === 'signature') {
        return [{ type: 'thinking', thinking: item.text, signature: item.opaque.data }]
      }
      if (item.opaque?.kind === 'redacted') return [{ type: 'redacted_thinking', data: item.opaque.data }]
      losses.dropped('reasoning_dropped', 'input')
      return []
    case 'result':
      return []
  }
}

function resultBlock(item: Extract<Item, { kind: 'result' }>, options: EncodeOptions): object {
  const [only, ...more] = item.parts
  const content =
    only?.kind === 'text' && more.length === 0 ? only.text : item.parts.map((part) => partBlock(part, options))
  return {
    type: 'tool_result',
    tool_use_id: callIdFor('messages', item.callId, options.hash),
    ...(item.parts.length === 0 ? {} : { content }),
    ...(item.isError ? { is_error: true } : {}),
  }
}

const imageTypes = /^image\/(?:jpeg|png|gif|webp)$/

function partBlock(part: Part, { abilities, losses }: EncodeOptions): object {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image': {
      const { image } = part
      if (!abilities.images) return losses.refuse('images_not_accepted', 'input')
      if (part.detail !== null && part.detail !== 'auto') losses.dropped('detail_dropped', 'input')
      if (image.at === 'url' && !abilities.imageAddresses) return losses.refuse('image_address_not_accepted', 'input')
      if (image.at === 'url') return { type: 'image', source: { type: 'url', url: image.url } }
      const mediaType = image.mediaType === 'image/jpg' ? 'image/jpeg' : image.mediaType
      if (!imageTypes.test(mediaType)) return losses.refuse('image_type_not_accepted', 'input')
      return { type: 'image', source: { type: 'base64', media_type: mediaType, data: image.data } }
    }
    case 'document': {
      const { document } = part
      if (!abilities.documents) return losses.refuse('documents_not_accepted', 'input')
      const title = part.title ? { title: part.title } : {}
      if (document.at === 'url') return { type: 'document', source: { type: 'url', url: document.url }, ...title }
      if (document.mediaType !== 'application/pdf') return losses.refuse('document_type_not_accepted', 'input')
      return {
        type: 'document',
        source: { type: 'base64', media_type: document.mediaType, data: document.data },
        ...title,
      }
    }
  }
}

/** Cache marks on the last two turns of the user, so that the prefix of the next request is warm. */
function withMarks(messages: readonly Message[]): readonly object[] {
  let left = markedTurns
  const marked: object[] = []
  for (const message of [...messages].reverse()) {
    if (message.role !== 'user' || left === 0) marked.unshift(message)
    else {
      left -= 1
      const content = message.content.map((block, at) =>
        at === message.content.length - 1 ? { ...block, cache_control: cacheMark } : block,
      )
      marked.unshift({ ...message, content })
    }
  }
  return marked
}
