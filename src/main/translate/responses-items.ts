/** The output items of a Responses answer, as they are announced and as they end. */
import { responsesTokens, type Token } from './logprobs.ts'
import type { Key, NeutralEvent } from './neutral-events.ts'
import { listIn, numberIn, objectIn, parsed, present, textIn } from './value.ts'

type Open = Extract<NeutralEvent, { kind: 'open' }>

export interface Item {
  readonly open: Open & { readonly key: Key }
  readonly at: number
  readonly id: string
  text: string
  readonly tokens: Token[]
  blob: string | null
  /** Null while it is open. */
  closed: 'completed' | 'incomplete' | null
}

export function prefixOf(open: Open): string {
  switch (open.part) {
    case 'thinking':
    case 'redacted':
      return 'rs'
    case 'call':
      return { function: 'fc', custom: 'ctc', local_shell: 'lsh', shell: 'sh', apply_patch: 'apc' }[open.tool]
    default:
      return 'msg'
  }
}

export const openItem = (item: Item): object => shape(item, '', 'in_progress')
export const doneItem = (item: Item): object => shape(item, item.text, item.closed ?? 'completed')

/** A text as a part of its message. */
export const textPart = (text: string, tokens: readonly Token[] = []): object => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: responsesTokens(tokens),
})

function shape({ id, open, blob, tokens }: Item, text: string, status: string): object {
  switch (open.part) {
    case 'text': {
      const content = text === '' ? [] : [textPart(text, tokens)]
      return { id, type: 'message', status, role: 'assistant', content }
    }
    case 'refusal': {
      const content = text === '' ? [] : [{ type: 'refusal', refusal: text }]
      return { id, type: 'message', status, role: 'assistant', content }
    }
    case 'thinking':
    case 'redacted': {
      const summary = text === '' ? [] : [{ type: 'summary_text', text }]
      const sealed = status === 'in_progress' ? null : blob
      return { id, type: 'reasoning', summary, ...(sealed === null ? {} : { encrypted_content: sealed }) }
    }
    case 'call':
      return callShape(id, open, text, status)
  }
}

function callShape(id: string, open: Extract<Open, { part: 'call' }>, text: string, status: string): object {
  const { callId, name, namespace, tool } = open
  const input = objectIn(parsed(text)) ?? {}
  switch (tool) {
    case 'function':
      return present({ id, type: 'function_call', status, call_id: callId, name, namespace, arguments: text })
    case 'custom':
      return present({ id, type: 'custom_tool_call', status, call_id: callId, name, namespace, input: text })
    case 'local_shell': {
      const command = linesIn(input.command)
      const action = { type: 'exec', command, env: {}, working_directory: textIn(input.workdir) }
      return {
        id,
        type: 'local_shell_call',
        status,
        call_id: callId,
        action: { ...action, timeout_ms: numberIn(input.timeout_ms) },
      }
    }
    case 'shell': {
      const action = { commands: linesIn(input.commands), timeout_ms: numberIn(input.timeout_ms) }
      return {
        id,
        type: 'shell_call',
        status,
        call_id: callId,
        action: { ...action, max_output_length: numberIn(input.max_output_length) },
      }
    }
    case 'apply_patch':
      return { id, type: 'apply_patch_call', status, call_id: callId, operation: objectIn(input.operation) ?? {} }
  }
}

/** A model may write one line where a list is meant; clients take nothing but a list of texts. */
const linesIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : listIn(value).flatMap((line) => textIn(line) ?? [])

/** An item of a vendor's own type has no place for an input that can't be read. */
export const isUnreadable = ({ open, text }: Item): boolean =>
  open.part === 'call' && open.tool !== 'function' && open.tool !== 'custom' && objectIn(parsed(text)) === null
