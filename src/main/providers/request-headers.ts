/** Which of a client's headers go upstream, and how the account's credential takes the place of the client's. */
import type { Credential } from '../domain/credential.ts'
import type { HeaderEdits } from './provider.ts'

/**
 * Never sent to any upstream (threats T7.3, routing §2): hop-by-hop, framing (rebuilt), credentials and what belongs to
 * one, what a browser or an intermediary adds, our own. `accept-encoding` is ours too: identity, so that a stream can be
 * observed without inflating it.
 */
const never: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings', 'expect'],
  ...['host', 'content-length', 'accept-encoding'],
  ...['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'chatgpt-account-id', 'x-openai-fedramp', 'cookie'],
  ...['origin', 'referer', 'forwarded', 'via', 'true-client-ip', 'x-real-ip'],
])

const neverPrefixes: readonly string[] = ['proxy-', 'x-forwarded-', 'cf-', 'x-pointsman-', 'sec-websocket-']

/** No longer true of a body that was rebuilt. */
const ofTheBody: ReadonlySet<string> = new Set(['content-encoding', 'content-md5', 'digest', 'content-digest'])

/**
 * The outgoing header list: the client's own headers in their order and spelling, less what must not travel, with this
 * upstream's edits, and last the credential, so that nothing the client sends can take it away. `bodyRebuilt` says
 * that the bytes are not the client's any more (mapped model of a compressed body, translation).
 */
export function outboundHeaders(
  rawHeaders: readonly string[],
  edits: HeaderEdits,
  credential: Credential | null,
  bodyRebuilt = false,
): string[] {
  const { dropPrefixes, list, defaults } = edits
  const named = namedByConnection(rawHeaders)
  const out: string[] = []
  let listAt = -1
  let hasMember = false
  let missing = defaults
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    let value = rawHeaders[at + 1] as string
    const lower = name.toLowerCase()
    if (never.has(lower) || beginsWithAny(lower, neverPrefixes) || beginsWithAny(lower, dropPrefixes)) continue
    if (named?.has(lower)) continue
    if (bodyRebuilt && ofTheBody.has(lower)) continue
    if (list !== null && lower === list.name) {
      value = withoutMember(value, list.remove)
      if (value === '') continue
      if (list.add !== null && hasListMember(value, list.add)) hasMember = true
      listAt = out.length + 1
    }
    if (missing.length > 0) missing = missing.filter((entry) => entry[0] !== lower)
    out.push(name, value)
  }
  if (list?.add != null && !hasMember) {
    if (listAt < 0) out.push(list.name, list.add)
    else out[listAt] = `${out[listAt]},${list.add}`
  }
  for (const [name, value] of missing) out.push(name, value)
  out.push('accept-encoding', 'identity')
  if (credential !== null) out.push(...edits.credential(credential))
  return out
}

/** What any `Connection` line names is for this hop only, also when the first line is empty (T7.3). */
function namedByConnection(rawHeaders: readonly string[]): ReadonlySet<string> | null {
  let named: Set<string> | null = null
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue
    const value = rawHeaders[at + 1] as string
    if (value === 'keep-alive' || value === 'close') continue
    named ??= new Set()
    for (const token of value.split(',')) named.add(token.trim().toLowerCase())
  }
  return named
}

function beginsWithAny(name: string, prefixes: readonly string[]): boolean {
  for (const prefix of prefixes) if (name.startsWith(prefix)) return true
  return false
}

const hasListMember = (value: string, member: string): boolean =>
  value.includes(member) && value.split(',').some((part) => part.trim() === member)

/** The list without `member`, everything else as written; empty when nothing is left. */
function withoutMember(value: string, member: string | null): string {
  if (member === null || !hasListMember(value, member)) return value
  const kept = value.split(',').filter((part) => part.trim() !== member)
  return kept.join(',').trim()
}
