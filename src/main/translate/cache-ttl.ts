/** How long a cache mark is kept: servers that only speak Anthropic's dialect may refuse a mark that says it (bridge §1.7). */
import { objectIn, parsed } from './value.ts'

const refusal =
  /cache_control[^}]{0,80}\bttl\b[^}]{0,200}(?:not (?:supported|permitted|allowed)|unsupported|unknown|unexpected|unrecogni[sz]ed)/i

export const rejectsTtl = (status: number, body: string): boolean =>
  (status === 400 || status === 422) && refusal.test(body)

/** Marks stay, where the dialect has them; a tool's input and schema are its own. Null: none says how long. */
export function withoutTtl(text: string): string | null {
  const body = objectIn(parsed(text))
  let found = false
  const plain = (value: unknown): unknown => {
    const mark = objectIn(objectIn(value)?.cache_control)
    if (mark?.ttl == null) return value
    found = true
    return { ...objectIn(value), cache_control: { type: mark.type } }
  }
  const each = (value: unknown, change: (one: unknown) => unknown): unknown =>
    Array.isArray(value) ? value.map(change) : value
  const within = (value: unknown, change: (one: unknown) => unknown): unknown => {
    const whole = objectIn(value)
    return whole === null || whole.content === undefined ? value : { ...whole, content: each(whole.content, change) }
  }
  const block = (value: unknown): unknown => {
    const bare = plain(value)
    return objectIn(bare)?.type === 'tool_result' ? within(bare, plain) : bare
  }
  const changed = {
    ...objectIn(plain(body)),
    system: each(body?.system, plain),
    tools: each(body?.tools, plain),
    messages: each(body?.messages, (message) => within(message, block)),
  }
  return found ? JSON.stringify(changed) : null
}
