/** The conversation of a Messages request as flat items: results first, then what stood beside them (bridge §1.3, §1.4). */
import { contentParts, objectsIn } from './content-parts.ts'
import type { Losses } from './losses.ts'
import { ownCallId } from './names.ts'
import type { Bytes, Item, Part } from './neutral-request.ts'
import { textOfBase64, unwrap } from './opaque.ts'
import { isShownSearch } from './shown-search.ts'
import { type JsonObject, listIn, objectIn, textIn } from './value.ts'

/** The texts of a `system` or of any list of text blocks. */
export const textsOf = (value: unknown): readonly string[] =>
  listIn(value).flatMap((block) => {
    const text = textIn(objectIn(block)?.text)
    return text === null || text === '' ? [] : [text]
  })

export function decodeMessagesItems(messages: unknown, issuer: string, losses: Losses): readonly Item[] {
  const items: Item[] = []
  for (const [at, message] of objectsIn(messages, 'messages', losses).entries()) {
    const path = `messages[${at}].content`
    const blocks = contentParts(message.content, 'text', path, losses)
    if (message.role === 'assistant') assistantItems(blocks, path, issuer, losses, items)
    else if (message.role === 'system') {
      const parts = blocks.flatMap((block, n) => textOnly(partsOf(block, `${path}[${n}]`, losses), path, losses))
      if (parts.length > 0) items.push({ kind: 'message', role: 'system', parts })
    } else userItems(blocks, path, losses, items)
  }
  return items
}

/** Neither system turns nor what an assistant says hold more than text. */
export function textOnly(parts: readonly Part[], path: string, losses: Losses): readonly Part[] {
  if (parts.some(({ kind }) => kind !== 'text')) losses.refuse('content_unknown', path)
  return parts
}

function userItems(blocks: readonly JsonObject[], path: string, losses: Losses, items: Item[]): void {
  const parts: Part[] = []
  for (const [at, block] of blocks.entries()) {
    const here = `${path}[${at}]`
    if (block.type === 'tool_result') {
      const content = contentParts(block.content, 'text', `${here}.content`, losses)
      const inside = content.flatMap((part, n) => partsOf(part, `${here}.content[${n}]`, losses))
      items.push({
        kind: 'result',
        callId: ownCallId(textIn(block.tool_use_id) ?? ''),
        parts: cacheMarked(inside, block),
        isError: block.is_error === true,
      })
    } else parts.push(...partsOf(block, here, losses))
  }
  if (parts.length > 0) items.push({ kind: 'message', role: 'user', parts })
}

function assistantItems(
  blocks: readonly JsonObject[],
  path: string,
  issuer: string,
  losses: Losses,
  items: Item[],
): void {
  let parts: Part[] = []
  const closeMessage = (): void => {
    if (parts.length > 0) items.push({ kind: 'message', role: 'assistant', parts })
    parts = []
  }
  for (const [at, block] of blocks.entries()) {
    const here = `${path}[${at}]`
    // Shown by us, known to nobody else.
    if (isShownSearch(block)) continue
    switch (block.type) {
      case 'tool_use':
        closeMessage()
        items.push({
          kind: 'call',
          callId: ownCallId(textIn(block.id) ?? ''),
          name: textIn(block.name) ?? '',
          namespace: null,
          tool: 'function',
          input: JSON.stringify(block.input ?? {}),
        })
        break
      case 'thinking':
      case 'redacted_thinking': {
        closeMessage()
        const text = textIn(block.thinking) ?? ''
        const held = unwrap(issuer, textIn(block.signature) ?? textIn(block.data) ?? '')
        // A text goes on alone: an upstream that wants thoughts echoed needs no signature, the others drop it.
        if (held.kind === 'foreign' && block.type === 'redacted_thinking') losses.dropped('reasoning_dropped', here)
        else items.push({ kind: 'reasoning', text, opaque: held.kind === 'own' ? held.opaque : null })
        break
      }
      // A summary of what was said before is no part of a sentence.
      case 'compaction':
        closeMessage()
        parts.push(...partsOf(block, here, losses))
        closeMessage()
        break
      // Which model stood in for which.
      case 'fallback':
      case 'server_tool_use':
        losses.dropped('server_tool_history_dropped', here)
        break
      default:
        if (textIn(block.type)?.endsWith('_tool_result') === true) losses.dropped('server_tool_history_dropped', here)
        else parts.push(...textOnly(partsOf(block, here, losses), here, losses))
    }
  }
  closeMessage()
}

const partsOf = (block: JsonObject, path: string, losses: Losses): readonly Part[] =>
  cacheMarked(plainParts(block, path, losses), block)

/** A cache mark of the client is the mark of the last part that its block became. */
const cacheMarked = (parts: readonly Part[], { cache_control: mark }: JsonObject): readonly Part[] =>
  mark == null ? parts : parts.map((part, at) => (at === parts.length - 1 ? { ...part, endsPrefix: true } : part))

function plainParts(block: JsonObject, path: string, losses: Losses): readonly Part[] {
  switch (block.type) {
    case 'text': {
      if (block.citations != null) losses.dropped('citations_dropped', path)
      const text = textIn(block.text) ?? ''
      return text === '' ? [] : [{ kind: 'text', text }]
    }
    case 'image':
      return [{ kind: 'image', image: bytesOf(objectIn(block.source), path, losses), detail: null }]
    case 'document':
      return documentParts(block, path, losses)
    case 'search_result': {
      losses.dropped('search_result_structure_dropped', path)
      const lines = [textIn(block.title), textIn(block.source), ...textsOf(block.content)]
      return [{ kind: 'text', text: lines.filter((line) => line !== null).join('\n') }]
    }
    case 'compaction':
      return [{ kind: 'text', text: textIn(block.content) ?? textsOf(block.content).join('\n') }]
    case 'tool_reference':
      losses.dropped('tool_reference_dropped', path)
      return []
    case 'container_upload':
      return losses.refuse('file_id_not_portable', path)
    default:
      return losses.refuse('content_unknown', path)
  }
}

/** `data` is bare base64, whatever a careless client has put before it. */
export function bytesOf(source: JsonObject | null, path: string, losses: Losses): Bytes {
  const url = textIn(source?.url)
  if (source?.type === 'url' && url !== null) return { at: 'url', url }
  const data = textIn(source?.data)
  if (data === null) return losses.refuse('file_id_not_portable', path)
  const mediaType = textIn(source?.media_type) ?? 'application/octet-stream'
  return { at: 'data', mediaType, data: data.replace(/^data:[^,]*,/, '') }
}

function documentParts(block: JsonObject, path: string, losses: Losses): readonly Part[] {
  const source = objectIn(block.source)
  const title = textIn(block.title)
  if (objectIn(block.citations)?.enabled === true) losses.dropped('citations_dropped', path)
  if (block.context != null) losses.dropped('document_context_dropped', path)
  if (source?.type === 'text') return [textDocument(title, textIn(source.data) ?? '')]
  if (source?.type === 'content') {
    const inside = contentParts(source.content, 'text', `${path}.source.content`, losses)
    const parts = inside.flatMap((part, at) => partsOf(part, `${path}.source.content[${at}]`, losses))
    return title === null || title === '' ? parts : [{ kind: 'text', text: title }, ...parts]
  }
  const document = bytesOf(source, path, losses)
  if (document.at === 'data' && document.mediaType.startsWith('text/')) {
    return [textDocument(title, textOfBase64(document.data))]
  }
  return [{ kind: 'document', document, title }]
}

export const textDocument = (title: string | null, text: string): Part => ({
  kind: 'text',
  text: title === null ? text : `${title}\n\n${text}`,
})
