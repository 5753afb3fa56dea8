/** What takes a request's whole body as text: for a long one it is done in a worker, so everything here is plain data. */
import type { Dialect } from '../domain/source.ts'
import { type Blamed, withoutBlamed } from './blamed.ts'
import { estimateTokens } from './estimate.ts'
import type { Hash } from './names.ts'
import { goingOn } from './said-blocks.ts'
import { type RequestTask, type TranslationOf, translateRequest } from './translate-request.ts'
import type { JsonObject } from './value.ts'

/** What each kind of work is told besides the body. */
export interface Tasks {
  readonly translate: RequestTask
  readonly estimate: null
  readonly strip: { readonly dialect: Dialect; readonly blamed: readonly Blamed[] }
  /** What was said before the turn was paused. */
  readonly goOn: readonly JsonObject[]
}

export type Work = keyof Tasks

/** `Body`: text, or its bytes. */
export interface ResultsOf<Body> {
  readonly translate: TranslationOf<Body>
  /** Null when the body is no object. */
  readonly estimate: { readonly tokens: number | null }
  /** Without what its vendor refused it for; null when it holds none. */
  readonly strip: { readonly body: Body | null }
  /** Null when the body is no request. */
  readonly goOn: { readonly body: Body | null }
}

const works: { readonly [W in Work]: (text: string, task: Tasks[W], hash: Hash) => ResultsOf<string>[W] } = {
  translate: translateRequest,
  estimate: (text) => ({ tokens: estimateTokens(text) }),
  strip: (text, { dialect, blamed }) => ({ body: withoutBlamed(dialect, text, blamed) }),
  goOn: (text, said) => ({ body: goingOn(text, said) }),
}

const encoder = new TextEncoder()

export function workOn<W extends Work>(work: W, text: string, task: Tasks[W], hash: Hash): ResultsOf<Uint8Array>[W] {
  const found: object = works[work](text, task, hash)
  const encoded = 'body' in found && typeof found.body === 'string' ? { body: encoder.encode(found.body) } : {}
  return { ...found, ...encoded } as ResultsOf<Uint8Array>[W]
}
