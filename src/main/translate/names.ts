/** Names of tools and ids of calls as the upstream takes them, the same every time, and the way back (bridge §1.6). */
import type { Dialect } from '../domain/source.ts'
import type { ToolKind, ToolName } from './neutral-request.ts'
import { base64UrlOf, textOfBase64 } from './opaque.ts'

/** What a tool was called and what it was before it went upstream under another name or as a function. */
export interface Origin extends ToolName {
  readonly kind: ToolKind
}

export type Hash = (text: string) => string

const longestName = { messages: 128, responses: 64, chat: 64 } as const

/** Namespace and name as one; an underscore pair that is already there isn't doubled. */
export function flatName({ name, namespace }: ToolName): string {
  if (namespace === null || name.startsWith(`${namespace}__`)) return name
  return namespace.endsWith('__') || name.startsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`
}

export class Names {
  readonly #limit: number
  readonly #hash: Hash
  readonly #upstream = new Map<string, string>()
  readonly #origins = new Map<string, Origin>()
  /** What the upstream's own tools are called. */
  readonly #taken: ReadonlySet<string>

  constructor(target: Dialect, hash: Hash, taken: readonly string[] = []) {
    this.#taken = new Set(taken)
    this.#limit = longestName[target]
    this.#hash = hash
  }

  /** The name upstream. `kind` is what the client declared or called it as. */
  name(tool: ToolName, kind: ToolKind): string {
    const key = `${tool.namespace ?? ''}\n${tool.name}`
    const known = this.#upstream.get(key)
    if (known !== undefined) return known
    const flat = flatName(tool)
    let name = flat
    const illegal = flat.length > this.#limit || !/^[A-Za-z0-9_-]+$/.test(flat)
    if (illegal || this.#origins.has(flat) || this.#taken.has(flat)) {
      const readable = flat.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, this.#limit - 9)
      name = `${readable}_${this.#hash(key).slice(0, 8)}`
    }
    this.#upstream.set(key, name)
    this.#origins.set(name, { name: tool.name, namespace: tool.namespace, kind })
    return name
  }

  /** Upstream name → what the client knows, only where the two differ. */
  origins(): readonly (readonly [string, Origin])[] {
    return [...this.#origins].filter(
      ([name, origin]) => origin.name !== name || origin.namespace !== null || origin.kind !== 'function',
    )
  }
}

const isLegalId = (target: Dialect, callId: string): boolean =>
  target === 'messages' ? /^[A-Za-z0-9_-]+$/.test(callId) : callId.length >= 1 && callId.length <= 64

/** As it is where the target takes it, else a short form that is the same for the call and its result. */
export function callIdFor(target: Dialect, callId: string, hash: Hash): string {
  return isLegalId(target, callId) ? callId : `call_${hash(callId).slice(0, 24)}`
}

const idMark = 'toolu_rb1_'

/**
 * An upstream's id of a call as the client gets it: as it is where the client's own vendor would take it, for the
 * conversation may go there. Messages ids carry one with other characters, and some models want their own back.
 */
export function shownCallId(client: Dialect, callId: string, newId: () => string): string {
  if (isLegalId(client, callId)) return callId
  return client === 'messages' && callId !== '' ? `${idMark}${base64UrlOf(callId)}` : newId()
}

/** The upstream's own id again. */
export const ownCallId = (shown: string): string =>
  shown.startsWith(idMark) ? textOfBase64(shown.slice(idMark.length)) : shown
