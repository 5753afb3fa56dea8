/**
 * A web search that another vendor ran, shown to Messages clients as the blocks they know (bridge §1.8). Nobody can verify them
 * later: they carry a mark, and go out of a history again before any upstream sees it.
 */
import { type JsonObject, listIn, objectIn, textIn } from './value.ts'

export interface Search {
  readonly query: string
  readonly urls: readonly string[]
}

const mark = 'srvtoolu_pointsman_'

/** Null unless the item says where it looked: an empty list of results would be a false one. */
export function searchIn(item: JsonObject): Search | null {
  const action = objectIn(item.action)
  if (item.type !== 'web_search_call' || action?.type !== 'search') return null
  const urls = listIn(action.sources).flatMap((source) => textIn(objectIn(source)?.url) ?? [])
  const query = textIn(action.query) ?? listIn(action.queries).find((one) => typeof one === 'string') ?? ''
  return urls.length === 0 ? null : { query: String(query), urls: [...new Set(urls)] }
}

export const searchId = (seed: string, at: number): string => `${mark}${seed}_${at}`

export const askBlock = (id: string, input: object): object => ({
  type: 'server_tool_use',
  id,
  name: 'web_search',
  input,
})

/** Sources come without a title; the encrypted text is the other vendor's and there is none. */
export const resultBlock = (id: string, { urls }: Search): object => ({
  type: 'web_search_tool_result',
  tool_use_id: id,
  content: urls.map((url) => ({ type: 'web_search_result', url, title: url, encrypted_content: '', page_age: null })),
})

/** One of the two blocks, come back in a history. */
export function isShownSearch(block: JsonObject): boolean {
  const id =
    block.type === 'server_tool_use' ? block.id : block.type === 'web_search_tool_result' ? block.tool_use_id : null
  return textIn(id)?.startsWith(mark) === true
}
