/** Whether a host may be asked at all, and which proxy a request takes: the account's own, then the environment's, then none; loopback is always direct (routing §7). */
export type ProxyChoice =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly url: string }
  | { readonly kind: 'malformed'; readonly why: string }
  /** Neither a vendor's host nor one that a person has entered (threats T3.6). */
  | { readonly kind: 'unknown-host' }

export type ProxyFor = (origin: string, own: string | null) => ProxyChoice

export interface ProxyEnvironment {
  readonly http: string | null
  readonly https: string | null
  readonly none: string | null
}

/** Reads the usual variables; lower case wins. */
export function proxyEnvironment(env: Readonly<Record<string, string | undefined>>): ProxyEnvironment {
  const read = (name: string): string | null => env[name.toLowerCase()] || env[name.toUpperCase()] || null
  const all = read('all_proxy')
  return { http: read('http_proxy') ?? all, https: read('https_proxy') ?? all, none: read('no_proxy') }
}

export function proxyChooser(environment: () => ProxyEnvironment, isKnown: (origin: string) => boolean): ProxyFor {
  // Asked for every attempt: an origin is read once.
  const known = new Map<string, URL>()
  return (origin, own) => {
    const url = known.get(origin) ?? new URL(origin)
    known.set(origin, url)
    if (!isKnown(url.origin)) return { kind: 'unknown-host' }
    if (isLoopback(url.hostname)) return { kind: 'direct' }
    if (own !== null) return checked(own)
    const { http, https, none } = environment()
    if (none !== null && bypasses(none, url)) return { kind: 'direct' }
    const found = url.protocol === 'https:' ? https : http
    return found === null ? { kind: 'direct' } : checked(found)
  }
}

function checked(text: string): ProxyChoice {
  try {
    const { protocol } = new URL(text)
    if (protocol === 'http:' || protocol === 'https:') return { kind: 'proxy', url: text }
    return { kind: 'malformed', why: `${protocol.slice(0, -1)} proxies are not supported` }
  } catch {
    return { kind: 'malformed', why: 'its address is not a URL' }
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)

/** `NO_PROXY`: a comma list of hosts, `.suffix`es, `host:port` or `*`. */
function bypasses(list: string, { hostname, port }: URL): boolean {
  return list
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '')
    .some((item) => {
      if (item === '*') return true
      const [name, itemPort] = item.split(':')
      if (name === undefined || (itemPort !== undefined && itemPort !== port)) return false
      const bare = name.replace(/^\*?\./, '')
      return hostname === bare || hostname.endsWith(`.${bare}`)
    })
}
