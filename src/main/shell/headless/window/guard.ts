/** Who may talk to the window's listener: exact Host, our own pages only. Pure; runs before routing (threats T1.2 to T1.5). */

/** Header names and values as they came: name, value, name, value, … */
export interface Head {
  readonly method: string
  readonly target: string
  readonly rawHeaders: readonly string[]
}

export interface Guard {
  isFromHere(head: Head, port: number): boolean
  isFromOurPage(head: Head, port: number): boolean
}

/** True when nothing about the head says that it comes from somewhere else; it says nothing yet about who sent it. */
function isFromHere(head: Head, port: number): boolean {
  if (head.method !== 'GET' && head.method !== 'HEAD') return false
  if (!head.target.startsWith('/')) return false
  if (!isOurHost(head, port)) return false
  const origins = values(head, 'origin')
  if (origins.length > 0 && !isOurOrigin(head, port)) return false
  return values(head, 'sec-fetch-site').every((site) => site === 'same-origin' || site === 'none')
}

/** A socket is more than a page: here an absent Origin is no pass (T1.3, T1.8). */
function isFromOurPage(head: Head, port: number): boolean {
  return head.method === 'GET' && isFromHere(head, port) && isOurOrigin(head, port)
}

/** Exactly one Host, and exactly ours; a missing, empty or doubled one is refused. */
function isOurHost(head: Head, port: number): boolean {
  const hosts = values(head, 'host')
  return hosts.length === 1 && authorities(port).includes(hosts[0]?.toLowerCase() ?? '')
}

/** The origin must be the very one that the request went to, not just one of ours. */
function isOurOrigin(head: Head, port: number): boolean {
  const origins = values(head, 'origin')
  const host = values(head, 'host')[0]?.toLowerCase()
  return isOurHost(head, port) && origins.length === 1 && origins[0] === `http://${host}`
}

/** Browsers leave port 80 out. */
const authorities = (port: number): readonly string[] =>
  ['127.0.0.1', 'localhost'].flatMap((name) => (port === 80 ? [`${name}:80`, name] : [`${name}:${port}`]))

export function values(head: Head, name: string): readonly string[] {
  const found: string[] = []
  for (let index = 0; index + 1 < head.rawHeaders.length; index += 2) {
    if (head.rawHeaders[index]?.toLowerCase() === name) found.push(head.rawHeaders[index + 1] ?? '')
  }
  return found
}

export const strictGuard: Guard = { isFromHere, isFromOurPage }
