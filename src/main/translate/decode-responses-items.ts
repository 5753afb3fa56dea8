/** The input of a Responses request as neutral items (bridge §1.3, §1.4). */
import { contentParts, objectsIn } from './content-parts.ts'
import { textDocument, textOnly } from './decode-messages-items.ts'
import type { Losses } from './losses.ts'
import type { Bytes, Item, Part } from './neutral-request.ts'
import { textOfBase64, unwrap } from './opaque.ts'
import { inputText, writtenInput } from './tool-input.ts'
import { type JsonObject, listIn, numberIn, objectIn, present, textIn } from './value.ts'

export function decodeResponsesItems(
  input: unknown,
  issuer: string,
  losses: Losses,
): { readonly items: readonly Item[]; readonly extraTools: readonly unknown[] } {
  if (typeof input === 'string') {
    const parts: Part[] = input === '' ? [] : [{ kind: 'text', text: input }]
    return { items: [{ kind: 'message', role: 'user', parts }], extraTools: [] }
  }
  const items: Item[] = []
  const extraTools: unknown[] = []
  const shells = shellCalls(listIn(input))
  for (const [at, item] of objectsIn(input, 'input', losses).entries()) {
    // What a search for tools has loaded is there from the beginning.
    if (item.type === 'tool_search_output') extraTools.push(...listIn(item.tools))
    if (item.type === 'additional_tools') extraTools.push(...listIn(item.tools))
    else {
      const found = itemOf(item, `input[${at}]`, issuer, losses)
      if (found?.kind === 'result' && item.type === 'local_shell_call_output') {
        items.push({ ...found, callId: shells.get(found.callId) ?? found.callId })
        continue
      }
      if (found !== null) items.push(found)
    }
  }
  return { items, extraTools }
}

/** The output of a local shell may name the item of its call. */
function shellCalls(input: readonly unknown[]): ReadonlyMap<string, string> {
  const calls = input.map(objectIn).filter((item) => item?.type === 'local_shell_call')
  return new Map(calls.map((item) => [textIn(item?.id) ?? '', textIn(item?.call_id) ?? textIn(item?.id) ?? '']))
}

function itemOf(item: JsonObject, path: string, issuer: string, losses: Losses): Item | null {
  const callId = textIn(item.call_id) ?? textIn(item.id) ?? ''
  const named = { name: textIn(item.name) ?? '', namespace: textIn(item.namespace) }
  switch (item.type ?? (item.role == null ? 'item_reference' : 'message')) {
    case 'message':
      return message(item, path, losses)
    case 'function_call':
      return {
        kind: 'call',
        callId,
        ...named,
        tool: 'function',
        input: inputText(writtenInput(item.arguments), losses, path),
      }
    case 'custom_tool_call':
      return { kind: 'call', callId, ...named, tool: 'custom', input: writtenInput(item.input) }
    case 'local_shell_call': {
      const action = objectIn(item.action)
      const input = present({
        command: action?.command,
        workdir: action?.working_directory,
        timeout_ms: action?.timeout_ms,
      })
      return {
        kind: 'call',
        callId,
        name: 'local_shell',
        namespace: null,
        tool: 'local_shell',
        input: JSON.stringify(input),
      }
    }
    case 'shell_call':
      return {
        kind: 'call',
        callId,
        name: 'shell',
        namespace: null,
        tool: 'shell',
        input: JSON.stringify(item.action ?? {}),
      }
    case 'apply_patch_call': {
      const input = JSON.stringify({ operation: item.operation ?? {} })
      return { kind: 'call', callId, name: 'apply_patch', namespace: null, tool: 'apply_patch', input }
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
    case 'shell_call_output':
    case 'apply_patch_call_output':
      return result(item, callId, path, losses)
    case 'reasoning':
      return reasoning(item, path, issuer, losses)
    case 'compaction':
    case 'compaction_summary':
      return losses.refuse('context_not_portable', path, 'A compacted history can be read only where it was made')
    case 'compaction_trigger':
      return losses.refuse('compaction_not_served', path, 'Compaction is not served by this model')
    case 'configuration_update':
      losses.dropped('configuration_update_dropped', path)
      return null
    case 'item_reference':
      return losses.refuse('context_not_portable', path)
    case 'web_search_call':
    case 'file_search_call':
    case 'code_interpreter_call':
    case 'image_generation_call':
    case 'tool_search_call':
    case 'tool_search_output':
      losses.dropped('server_tool_history_dropped', path)
      return null
    default:
      return losses.refuse('content_unknown', path)
  }
}

const roles = ['user', 'assistant', 'system', 'developer'] as const

function message(item: JsonObject, path: string, losses: Losses): Item {
  const role = roles.find((name) => name === item.role) ?? 'user'
  const content = contentParts(item.content, 'input_text', `${path}.content`, losses)
  const parts = content.flatMap((part, at) => partOf(part, `${path}.content[${at}]`, losses))
  return { kind: 'message', role, parts: role === 'user' ? parts : textOnly(parts, path, losses) }
}

function reasoning(item: JsonObject, path: string, issuer: string, losses: Losses): Item | null {
  const texts = (list: unknown): string =>
    listIn(list)
      .map((part) => textIn(objectIn(part)?.text) ?? '')
      .join('\n\n')
  // The summary wins where both are there; several parts are one thought.
  const text = listIn(item.summary).length > 0 ? texts(item.summary) : texts(item.content)
  const held = unwrap(issuer, textIn(item.encrypted_content) ?? '')
  if (held.kind === 'foreign' && text === '') {
    losses.dropped('reasoning_dropped', path)
    return null
  }
  return { kind: 'reasoning', text, opaque: held.kind === 'own' ? held.opaque : null }
}

const errorMark = '[tool error] '

function result(item: JsonObject, callId: string, path: string, losses: Losses): Item {
  const isShell = item.type === 'shell_call_output'
  const content = contentParts(item.output, 'input_text', `${path}.output`, losses)
  const parts: readonly Part[] = isShell
    ? content.map((chunk) => ({ kind: 'text', text: shellText(chunk) }))
    : content.flatMap((part, at) => partOf(part, `${path}.output[${at}]`, losses))
  const failed = item.status === 'failed' || item.status === 'incomplete'
  return unmarked({ kind: 'result', callId, parts, isError: failed })
}

/** The mark that stands for `is_error` in the dialects that have no such field. */
export function unmarked(item: Extract<Item, { kind: 'result' }>): Item {
  const [first, ...rest] = item.parts
  if (first?.kind !== 'text' || !first.text.startsWith(errorMark)) return item
  const text = first.text.slice(errorMark.length)
  return { ...item, parts: text === '' ? rest : [{ kind: 'text', text }, ...rest], isError: true }
}

export const marked = (text: string, isError: boolean): string => (isError ? errorMark + text : text)

function shellText(chunk: JsonObject): string {
  const outcome = objectIn(chunk.outcome)
  const ending = outcome?.type === 'timeout' ? 'timed out' : `exit code ${numberIn(outcome?.exit_code) ?? 'unknown'}`
  return [textIn(chunk.stdout), textIn(chunk.stderr), ending].filter((text) => text !== null && text !== '').join('\n')
}

/** A `data:` URL as bytes, anything else as an address. */
export function bytesOfUrl(url: string): Bytes {
  const found = /^data:([^;,]*)(?:;[^,]*)?,(.*)$/is.exec(url)
  if (found === null) return { at: 'url', url }
  return { at: 'data', mediaType: found[1]?.toLowerCase() || 'text/plain', data: found[2] ?? '' }
}

/** A file's own bytes, which are a PDF's where only their base64 is given. */
export const bytesOfFile = (data: string): Bytes =>
  /^data:/i.test(data) ? bytesOfUrl(data) : { at: 'data', mediaType: 'application/pdf', data }

export function fileParts(bytes: Bytes, title: string | null): readonly Part[] {
  if (bytes.at === 'data' && bytes.mediaType.startsWith('text/')) return [textDocument(title, textOfBase64(bytes.data))]
  return [{ kind: 'document', document: bytes, title }]
}

function partOf(part: JsonObject, path: string, losses: Losses): readonly Part[] {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'refusal': {
      if (listIn(part.annotations).length > 0) losses.dropped('citations_dropped', path)
      const text = textIn(part.text) ?? textIn(part.refusal) ?? ''
      return text === '' ? [] : [{ kind: 'text', text }]
    }
    case 'input_image': {
      const url = textIn(part.image_url)
      if (url === null) return losses.refuse('file_id_not_portable', path)
      return [{ kind: 'image', image: bytesOfUrl(url), detail: textIn(part.detail) }]
    }
    case 'input_file': {
      const [data, url] = [textIn(part.file_data), textIn(part.file_url)]
      if (data !== null) return fileParts(bytesOfFile(data), textIn(part.filename))
      if (url === null) return losses.refuse('file_id_not_portable', path)
      return fileParts(bytesOfUrl(url), textIn(part.filename))
    }
    case 'input_audio':
      return losses.refuse('audio_not_portable', path)
    default:
      return losses.refuse('content_unknown', path)
  }
}
