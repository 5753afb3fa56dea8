/** Reads a Responses stream as neutral events (bridge §3.4, §3.6). */
import { failureIn } from './failure.ts'
import { tokensIn } from './logprobs.ts'
import { cutShort, cutsOff, type Emit, type EventDecoder, type Stop } from './neutral-events.ts'
import { type Entry, isCallType, isSaid, isWhole, newEntry, type Piece } from './responses-entries.ts'
import { searchIn } from './shown-search.ts'
import { usageOfOpenAi } from './usage.ts'
import { type JsonObject, listIn, numberIn, objectIn, textIn } from './value.ts'

/** What an upstream ran itself. */
const hidden = /^(?:web_search|file_search|code_interpreter|image_generation|mcp)/

export class ResponsesEvents implements EventDecoder {
  readonly lost = new Set<string>()
  readonly #emit: Emit
  readonly #newId: () => string
  readonly #entries = new Map<string, Entry>()
  readonly #idToIndex = new Map<string, string>()
  #calls = 0
  #refused = false
  #started = false
  #over = false

  constructor(emit: Emit, newId: () => string) {
    this.#emit = emit
    this.#newId = newId
  }

  event(data: JsonObject): void {
    if (this.#over) return
    // Some servers leave the type of a failure out.
    const type = textIn(data.type) ?? (objectIn(data.error) === null ? '' : 'error')
    switch (type) {
      case 'response.created':
        this.#start()
        return
      case 'response.output_text.annotation.added':
        this.lost.add('citations_dropped')
        return
      case 'response.output_item.added':
        this.#added(data)
        return
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#say(this.#text(data, type.includes('refusal')), textIn(data.delta) ?? '', data.logprobs)
        return
      case 'response.output_text.done':
      case 'response.refusal.done': {
        const piece = this.#text(data, type.includes('refusal'))
        this.#complete(piece, textIn(data.text) ?? textIn(data.refusal) ?? '', data.logprobs)
        this.#close(piece)
        return
      }
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#thought(data)
        return
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        this.#argument(this.#entry(data), textIn(data.delta) ?? '')
        return
      case 'response.function_call_arguments.done':
      case 'response.custom_tool_call_input.done': {
        const entry = this.#entry(data)
        const full = textIn(data.arguments) ?? textIn(data.input) ?? ''
        this.#announce(entry, data, false)
        const piece = entry.pieces.get('call')
        if (piece !== undefined) this.#complete(piece, full)
        else if (full.startsWith(entry.early)) entry.early = full
        return
      }
      case 'response.output_item.done':
        this.#done(this.#entry(data), objectIn(data.item) ?? {})
        return
      case 'response.completed':
      case 'response.incomplete':
      case 'response.done':
        this.#terminal(type, objectIn(data.response) ?? {})
        return
      case 'response.failed':
      case 'response.cancelled':
      case 'error':
        this.#over = true
        this.#emit({ kind: 'fail', failure: failureIn(0, data) })
    }
  }

  doneMark(): void {}

  end(): void {
    if (this.#over) return
    this.#over = true
    this.#emit({ kind: 'fail', failure: cutShort })
  }

  #start(): void {
    if (this.#started) return
    this.#started = true
    this.#emit({ kind: 'start' })
  }

  /** Items go by their place; by their id where a server leaves it out. */
  #entry(data: JsonObject): Entry {
    const id = textIn(data.item_id) ?? textIn(objectIn(data.item)?.id) ?? ''
    const at = numberIn(data.output_index)
    const index = at !== null ? String(at) : (this.#idToIndex.get(id) ?? `id:${id}`)
    if (id !== '') this.#idToIndex.set(id, index)
    const known = this.#entries.get(index)
    if (known !== undefined) return known
    const entry = newEntry(index)
    this.#entries.set(index, entry)
    return entry
  }

  #added(data: JsonObject): void {
    this.#start()
    const entry = this.#entry(data)
    const item = objectIn(data.item) ?? {}
    if (isCallType(item.type)) this.#announce(entry, item, false)
  }

  /** Once its name and its id are known; `isDone`: no id will come any more. */
  #announce(entry: Entry, item: JsonObject, isDone: boolean): void {
    const name = textIn(item.name) ?? ''
    if (entry.call !== null || name === '') return
    const known = textIn(item.call_id) ?? ''
    if (known === '' && !isDone) return
    const callId = known === '' ? (textIn(item.id) ?? this.#newId()) : known
    const isCustom = item.type === 'custom_tool_call'
    entry.call = { callId, name, namespace: textIn(item.namespace), isCustom }
    const piece: Piece = { key: `${entry.index}:call`, kind: 'call', sent: '', opened: true, closed: false }
    entry.pieces.set('call', piece)
    this.#start()
    this.#calls += 1
    const { namespace } = entry.call
    const tool = isCustom ? 'custom' : 'function'
    this.#emit({ kind: 'open', key: piece.key, part: 'call', callId, name, namespace, tool })
    this.#say(piece, entry.early)
    entry.early = ''
  }

  #argument(entry: Entry, text: string): void {
    const piece = entry.pieces.get('call')
    if (piece === undefined) entry.early += text
    else this.#say(piece, text)
  }

  #text(data: JsonObject, refusal: boolean): Piece {
    return this.#piece(this.#entry(data), `content:${numberIn(data.content_index) ?? 0}`, refusal ? 'refusal' : 'text')
  }

  #piece(entry: Entry, name: string, kind: Piece['kind']): Piece {
    const known = entry.pieces.get(name)
    if (known !== undefined) return known
    const piece: Piece = { key: `${entry.index}:${name}`, kind, sent: '', opened: false, closed: false }
    entry.pieces.set(name, piece)
    return piece
  }

  /** All parts of a summary are one thought with blank lines between. */
  #thought(data: JsonObject): void {
    const entry = this.#entry(data)
    const piece = this.#piece(entry, 'thought', 'thinking')
    const text = textIn(data.delta) ?? ''
    if (text === '') return
    // Where a server gives its thoughts and a summary of them, they are one or the other.
    const isSummary = data.type === 'response.reasoning_summary_text.delta'
    entry.isSummary ??= isSummary
    if (entry.isSummary !== isSummary) return
    const part = numberIn(data.summary_index) ?? numberIn(data.content_index) ?? 0
    if (entry.summaryPart !== null && entry.summaryPart !== part) this.#say(piece, '\n\n')
    entry.summaryPart = part
    this.#say(piece, text)
  }

  #say(piece: Piece, text: string, logprobs?: unknown): void {
    if (text === '' || piece.closed) return
    this.#start()
    if (!piece.opened && piece.kind !== 'call') {
      piece.opened = true
      if (piece.kind === 'refusal') this.#refused = true
      this.#emit({ kind: 'open', key: piece.key, part: piece.kind })
    }
    piece.sent += text
    const tokens = tokensIn(logprobs)
    if (tokens.length > 0) this.#emit({ kind: 'logprobs', key: piece.key, tokens })
    this.#emit({ kind: 'delta', key: piece.key, text })
  }

  /** Adds only what the deltas did not deliver; an empty or shorter final form takes nothing back. */
  #complete(piece: Piece, full: string, logprobs?: unknown): void {
    if (piece.sent === '') this.#say(piece, full, logprobs)
    else if (full.length > piece.sent.length && full.startsWith(piece.sent))
      this.#say(piece, full.slice(piece.sent.length))
  }

  #close(piece: Piece): void {
    if (piece.closed) return
    piece.closed = true
    if (piece.opened) this.#emit({ kind: 'close', key: piece.key })
  }

  #done(entry: Entry, item: JsonObject): void {
    if (entry.done) return
    entry.done = true
    const search = searchIn(item)
    if (search !== null) this.#emit({ kind: 'search', search })
    else if (hidden.test(textIn(item.type) ?? '')) this.lost.add('server_tool_hidden')
    else if (!isSaid(item.type)) this.lost.add('answer_part_unknown')
    if (isCallType(item.type)) {
      this.#announce(entry, item, true)
      const piece = entry.pieces.get('call')
      if (piece !== undefined) this.#complete(piece, textIn(item.arguments) ?? textIn(item.input) ?? '')
      else this.lost.add('call_without_name')
    } else if (item.type === 'message') {
      for (const [at, value] of listIn(item.content).entries()) {
        const part = objectIn(value)
        if (part?.type !== 'output_text' && part?.type !== 'refusal') {
          this.lost.add('answer_part_unknown')
          continue
        }
        if (listIn(part.annotations).length > 0) this.lost.add('citations_dropped')
        const piece = this.#piece(entry, `content:${at}`, part.type === 'refusal' ? 'refusal' : 'text')
        this.#complete(piece, textIn(part.text) ?? textIn(part.refusal) ?? '', part.logprobs)
      }
    } else if (item.type === 'reasoning') this.#seal(entry, item)
    entry.isCut = item.status === 'incomplete'
    for (const piece of entry.pieces.values()) if (piece.kind !== 'call' || isWhole(entry, piece)) this.#close(piece)
  }

  #seal(entry: Entry, item: JsonObject): void {
    const list = listIn(item.summary).length > 0 ? listIn(item.summary) : listIn(item.content)
    const texts = list.map((part) => textIn(objectIn(part)?.text) ?? '')
    const blob = textIn(item.encrypted_content) ?? ''
    const piece = this.#piece(entry, 'thought', 'thinking')
    this.#complete(piece, texts.join('\n\n'))
    if (blob === '') return
    if (!piece.opened) {
      piece.opened = true
      this.#start()
      this.#emit({ kind: 'open', key: piece.key, part: 'thinking' })
    }
    this.#emit({ kind: 'seal', key: piece.key, opaque: { kind: 'encrypted', data: blob } })
  }

  #terminal(type: string, response: JsonObject): void {
    const status = textIn(response.status)
    if (status === 'failed' || status === 'cancelled') {
      this.#over = true
      this.#emit({ kind: 'fail', failure: failureIn(0, { response }) })
      return
    }
    this.#start()
    for (const [at, value] of listIn(response.output).entries()) {
      const item = objectIn(value)
      if (item === null) continue
      const id = textIn(item.id) ?? ''
      const known = this.#entries.get(this.#idToIndex.get(id) ?? String(at))
      this.#done(known ?? this.#entry({ output_index: at, item }), item)
    }
    const stop = this.#stop(type, response)
    const isNameless = [...this.#entries.values()].some(
      ({ call, early, done }) => call === null && early !== '' && !done,
    )
    if (isNameless) this.lost.add(cutsOff(stop) ? 'call_cut_off' : 'call_without_name')
    for (const entry of this.#entries.values()) {
      for (const piece of entry.pieces.values())
        if (piece.kind !== 'call' || (!entry.isCut && !cutsOff(stop)) || isWhole(entry, piece)) this.#close(piece)
    }
    this.#over = true
    const usage = objectIn(response.usage)
    if (usage !== null) this.#emit({ kind: 'usage', usage: usageOfOpenAi(usage) })
    this.#emit({ kind: 'finish', stop, sequence: null })
  }

  #stop(type: string, response: JsonObject): Stop {
    if (type === 'response.incomplete' || response.status === 'incomplete') {
      const reason = textIn(objectIn(response.incomplete_details)?.reason)
      if (reason === 'max_output_tokens') return 'length'
      if (reason === 'content_filter') return 'refusal'
      this.lost.add('stop_reason_unknown')
    }
    if (this.#refused) return 'refusal'
    if ([...this.#entries.values()].some(({ call, isCut }) => call !== null && isCut)) return 'length'
    return this.#calls > 0 ? 'calls' : 'end'
  }
}
