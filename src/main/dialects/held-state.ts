/** State of an earlier answer that a request builds on, and the names of such state in an answer (codex §3, routing §5). */
import { asObject, asText } from './json.ts'

export interface HeldState {
  /** A turn's token may be left out elsewhere; an earlier answer or a container exists on one account only. */
  readonly kind: 'previous-response' | 'container' | 'turn-state'
  readonly name: string
}

export const turnStateHeader = 'x-codex-turn-state'

const nameOf = (value: unknown): string | null => {
  const text = asText(value)?.trim() ?? ''
  return text === '' || text.length > 2_048 ? null : text
}

/** What a request names, the strongest first. */
export function heldState(
  header: (name: string) => string | null,
  fields: { readonly previousResponseId: unknown; readonly container: unknown },
): readonly HeldState[] {
  const container = nameOf(fields.container) ?? nameOf(asObject(fields.container)?.id)
  return named(nameOf(fields.previousResponseId), container, nameOf(header(turnStateHeader)))
}

const responseId = /"id"\s*:\s*"(resp_[\w-]{1,200})"/
const containerId = /"container"\s*:\s*\{[^{}]{0,200}?"id"\s*:\s*"([\w-]{1,200})"/

/** What an answer's headers and the beginning of its body name. */
export function madeState(header: (name: string) => string | null, beginning: string): readonly HeldState[] {
  const response = responseId.exec(beginning)?.[1] ?? null
  const container = containerId.exec(beginning)?.[1] ?? null
  return named(response, container, nameOf(header(turnStateHeader)))
}

function named(response: string | null, container: string | null, turn: string | null): readonly HeldState[] {
  const found: HeldState[] = []
  if (response !== null) found.push({ kind: 'previous-response', name: response })
  if (container !== null) found.push({ kind: 'container', name: container })
  if (turn !== null) found.push({ kind: 'turn-state', name: turn })
  return found
}
