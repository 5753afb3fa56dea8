/** What a client must get of a generated answer, whichever upstream gave it. */
import type { Dialect } from '../../src/main/domain/source.ts'
import { unsigned, unwrap } from '../../src/main/translate/opaque.ts'
import { type Answer, isCut, type Part, thoughtOf } from './generated.ts'
import { type Any, issuer } from './kit.ts'

export interface Expected {
  readonly text: string
  readonly refusal: string
  readonly thought: string
  /** Ids, names and inputs, by id. */
  readonly calls: readonly unknown[]
  readonly stop: string
  readonly seals: readonly string[]
  readonly searches: readonly unknown[]
  readonly usage: { readonly input: number; readonly read: number; readonly out: number; readonly thought: number }
  readonly lost: readonly string[]
}

const declined = 'The model declined to answer.'
const separator = '\n\n'

export const sameInput = (text: string): unknown => JSON.parse(text === '' ? '{}' : text)
export const byId = (calls: readonly unknown[]): readonly unknown[] =>
  [...calls].sort((a, b) => String((a as Any)[0]).localeCompare(String((b as Any)[0])))

/** Messages clients declare no free-form tools. */
export const forClient = (answer: Answer, client: Dialect): Answer =>
  client !== 'messages'
    ? answer
    : {
        ...answer,
        parts: answer.parts.map((each) =>
          each.kind === 'call' && each.custom !== null
            ? { ...each, custom: null, pieces: [JSON.stringify({ input: each.custom.raw })] }
            : each,
        ),
      }

/** Free-form tools that the upstream knows as functions. */
export const toolsOf = ({ parts }: Answer, upstream: Dialect): Any =>
  parts.flatMap((each) =>
    each.kind === 'call' && each.custom !== null && !(each.custom.native && upstream !== 'messages')
      ? [[each.name, { name: each.name, namespace: null, kind: 'custom' }]]
      : [],
  )

const isLimit = ({ stop }: Answer): boolean => stop === 'length' || stop === 'cut'

/** The words of each kind, apart where the upstream keeps them apart. */
function wordsOf(
  { parts }: Answer,
  upstream: Dialect,
): { readonly texts: readonly string[]; readonly thoughts: readonly string[] } {
  const texts: string[] = []
  const thoughts: string[] = []
  let before: Part['kind'] | null = null
  for (const each of parts) {
    if (each.kind === 'text') {
      const text = each.pieces.join('')
      const isSame = upstream === 'messages' && before === 'text'
      if (isSame) texts.push((texts.pop() ?? '') + text)
      else texts.push(text)
    }
    if (each.kind === 'thinking' && each.summary.length > 0) thoughts.push(thoughtOf(each))
    before = each.kind
  }
  return { texts, thoughts }
}

function stopOf(answer: Answer, isRefused: boolean): 'length' | 'refusal' | 'calls' | 'end' {
  if (isLimit(answer)) return 'length'
  if (isRefused || answer.stop === 'filter') return 'refusal'
  return answer.parts.some(({ kind }) => kind === 'call') ? 'calls' : 'end'
}

const stops = {
  messages: { length: 'max_tokens', refusal: 'refusal', calls: 'tool_use', end: 'end_turn' },
  chat: { length: 'length', refusal: 'content_filter', calls: 'tool_calls', end: 'stop' },
} as const

function lostOf(answer: Answer, upstream: Dialect, client: Dialect): readonly string[] {
  const hasSearch = upstream !== 'chat' && answer.parts.some(({ kind }) => kind === 'search')
  const isHidden = hasSearch && !(upstream === 'responses' && client === 'messages')
  return [
    ...(answer.stop === 'cut' ? ['call_cut_off'] : []),
    ...(isHidden ? ['server_tool_hidden'] : []),
    ...(answer.stop === 'unknown' && !isRefusedFirst(answer, upstream) ? ['stop_reason_unknown'] : []),
  ]
}

/** Messages says a refusal as the reason to stop. */
const isRefusedFirst = ({ parts }: Answer, upstream: Dialect): boolean =>
  upstream === 'messages' && parts.some(({ kind }) => kind === 'refusal')

export function expected(answer: Answer, upstream: Dialect, client: Dialect): Expected {
  const { parts, usage, manner } = answer
  const { texts, thoughts } = wordsOf(answer, upstream)
  const told = parts.flatMap((each) => (each.kind === 'refusal' ? each.pieces : [])).join('')
  const isTold = told !== '' && !(upstream === 'messages' && isLimit(answer))
  const stop = stopOf(answer, isTold)
  const refusal = isTold ? told : stop === 'refusal' && texts.length === 0 ? declined : ''
  const join = client === 'chat' && upstream !== 'chat' ? separator : ''
  const text = texts.join(join) + (client === 'messages' ? refusal : '')
  const calls = parts.flatMap((each) => {
    if (each.kind !== 'call' || isCut(answer, each)) return []
    return [[each.id, each.name, each.custom === null ? sameInput(each.pieces.join('')) : each.custom.raw]]
  })
  const isWhole = stop === 'calls' || stop === 'end' || (stop === 'refusal' && refusal !== '')
  const seals = parts.flatMap((each) =>
    (each.kind === 'thinking' || each.kind === 'redacted') && each.blob !== '' ? [each.blob] : [],
  )
  const searches = parts.flatMap((each) => (each.kind === 'search' ? [[each.query, each.urls]] : []))
  const isCounted = manner.usage !== 'none'
  return {
    text,
    refusal: client === 'messages' ? '' : refusal,
    thought: thoughts.join(join),
    calls: byId(calls),
    stop: client === 'responses' ? (isWhole ? 'completed' : 'incomplete') : stops[client][stop],
    seals: upstream === 'chat' || client === 'chat' ? [] : seals,
    searches: upstream === 'responses' && client === 'messages' ? searches : [],
    usage: {
      input: !isCounted ? 0 : client === 'messages' ? usage.fresh : usage.fresh + usage.read + usage.written,
      read: isCounted ? usage.read : 0,
      out: isCounted ? usage.out : 0,
      thought: isCounted ? usage.thought : 0,
    },
    lost: lostOf(answer, upstream, client),
  }
}

/** The rest of what a whole answer holds, to compare. */
export function restOf(client: Dialect, body: Any): Pick<Expected, 'seals' | 'searches' | 'usage'> {
  const { usage } = body
  switch (client) {
    case 'messages': {
      const { content } = body
      const results = content.filter(({ type }: Any) => type === 'web_search_tool_result')
      return {
        seals: content.flatMap(({ signature, data }: Any) => opened(signature ?? data)),
        searches: content
          .filter(({ type }: Any) => type === 'server_tool_use')
          .map(({ input }: Any, at: number) => [input.query, results[at].content.map(({ url }: Any) => url)]),
        usage: {
          input: usage.input_tokens,
          read: usage.cache_read_input_tokens,
          out: usage.output_tokens,
          thought: usage.output_tokens_details?.thinking_tokens ?? 0,
        },
      }
    }
    case 'responses':
      return {
        seals: body.output.flatMap(({ encrypted_content: sealed }: Any) => opened(sealed)),
        searches: [],
        usage: {
          input: usage.input_tokens,
          read: usage.input_tokens_details.cached_tokens,
          out: usage.output_tokens,
          thought: usage.output_tokens_details.reasoning_tokens,
        },
      }
    case 'chat':
      return {
        seals: [],
        searches: [],
        usage: {
          input: usage.prompt_tokens,
          read: usage.prompt_tokens_details.cached_tokens,
          out: usage.completion_tokens,
          thought: usage.completion_tokens_details.reasoning_tokens,
        },
      }
  }
}

function opened(sealed: string | undefined): readonly string[] {
  if (sealed === undefined || sealed === unsigned) return []
  const found = unwrap(issuer, sealed)
  return found.kind === 'own' ? [found.opaque.data] : ['not its own']
}
