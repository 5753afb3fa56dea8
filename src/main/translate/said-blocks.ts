/**
 * What a Messages upstream has said so far, as it must stand in the next request: a turn that it paused goes on from
 * there (bridge §2.2).
 */
import { type JsonObject, listIn, objectIn, parsed, textIn } from './value.ts'

export class SaidBlocks {
  readonly #blocks = new Map<number, Record<string, unknown>>()
  readonly #inputs = new Map<number, string>()

  open(index: number, block: JsonObject): void {
    this.#blocks.set(index, { ...block })
  }

  delta(index: number, delta: JsonObject): void {
    const block = this.#blocks.get(index)
    if (block === undefined) return
    const grow = (field: string): void => {
      block[field] = (textIn(block[field]) ?? '') + (textIn(delta[field]) ?? '')
    }
    switch (delta.type) {
      case 'text_delta':
        grow('text')
        return
      case 'thinking_delta':
        grow('thinking')
        return
      case 'signature_delta':
        grow('signature')
        return
      case 'citations_delta':
        block.citations = [...listIn(block.citations), delta.citation]
        return
      case 'input_json_delta':
        this.#inputs.set(index, (this.#inputs.get(index) ?? '') + (textIn(delta.partial_json) ?? ''))
    }
  }

  /** In order, without the empty texts that no request may hold. */
  content(): readonly JsonObject[] {
    return [...this.#blocks].flatMap(([index, block]) => {
      if (block.type === 'text' && block.text === '') return []
      const input = objectIn(parsed(this.#inputs.get(index) ?? ''))
      return [input === null ? block : { ...block, input }]
    })
  }
}

/** The request once more, with what was said behind it; null when it is none. */
export function goingOn(text: string, said: readonly JsonObject[]): string | null {
  const body = objectIn(parsed(text))
  if (body === null) return null
  const messages = listIn(body.messages)
  const last = objectIn(messages.at(-1))
  const isOwn = last?.role === 'assistant'
  const before = isOwn ? messages.slice(0, -1) : messages
  const content = isOwn ? [...blocksOf(last.content), ...said] : said
  return JSON.stringify({ ...body, messages: [...before, { role: 'assistant', content }] })
}

const blocksOf = (content: unknown): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listIn(content)
