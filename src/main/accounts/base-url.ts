/** Which addresses an API profile may point at, and which of them may get which key (threats T3.7, T7.6). */
import { type Problem, problem } from '../../shared/errors.ts'

const invalid = (why: string): Problem => problem('invalid_input', { why })

export interface BaseUrl {
  /** Scheme, authority and path prefix before `/v1`, no final slash. */
  readonly text: string
  readonly host: string
  readonly loopback: boolean
}

/** `URL` has already turned `127.1`, `0x7f.1` and `2130706433` into four plain numbers. */
function ipv4(host: string): readonly number[] | null {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host.split('.').map(Number) : null
}

/** The eight groups of a bracketed address as `URL` writes it; the last 32 bits of a mapped one are its IPv4. */
function ipv6(host: string): readonly number[] | null {
  if (!host.startsWith('[')) return null
  const [head = '', tail] = host.slice(1, -1).split('::', 2)
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const left = groups(head)
  const right = groups(tail ?? '')
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/** Mapped (`::ffff:0:0/96`), compatible (`::/96`) and NAT64 (`64:ff9b::/96`) addresses reach the IPv4 inside them. */
function embedded(groups: readonly number[]): readonly number[] | null {
  const [a, b, c, d, e, f, high = 0, low = 0] = groups
  const middle = [c, d, e].every((group) => group === 0)
  const isMapped = a === 0 && b === 0 && middle && (f === 0xffff || (f === 0 && high !== 0))
  const isNat64 = a === 0x64 && b === 0xff9b && middle && f === 0
  return isMapped || isNat64 ? [high >> 8, high & 255, low >> 8, low & 255] : null
}

type Kind = 'loopback' | 'refused' | 'other'

function kindOfIpv4([a, b, c, d]: readonly number[]): Kind {
  if (a === 127) return 'loopback'
  const isAzureHost = a === 168 && b === 63 && c === 129 && d === 16
  const isAlibabaMetadata = a === 100 && b === 100 && c === 100 && d === 200
  const isLinkLocal = a === 169 && b === 254
  return a === 0 || isLinkLocal || isAzureHost || isAlibabaMetadata || (a ?? 0) >= 224 ? 'refused' : 'other'
}

function kindOfIpv6(groups: readonly number[]): Kind {
  const inside = embedded(groups)
  if (inside !== null) return kindOfIpv4(inside)
  const first = groups[0] ?? 0
  if (groups.slice(0, 7).every((group) => group === 0)) return groups[7] === 1 ? 'loopback' : 'refused'
  const isLinkLocal = (first & 0xffc0) === 0xfe80
  const isMulticast = (first & 0xff00) === 0xff00
  const isAwsMetadata = first === 0xfd00 && groups[1] === 0x0ec2
  return isLinkLocal || isMulticast || isAwsMetadata ? 'refused' : 'other'
}

const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'instance-data',
  'metadata.goog',
])

function kindOfHost(host: string): Kind {
  const four = ipv4(host)
  if (four !== null) return kindOfIpv4(four)
  const six = ipv6(host)
  if (six !== null) return kindOfIpv6(six)
  if (host === 'localhost') return 'loopback'
  return metadataNames.has(host) ? 'refused' : 'other'
}

/** A name that resolves to a refused address is caught where the connection is made, not here. */
export function readBaseUrl(text: string): BaseUrl | Problem {
  const plain = text.trim()
  if (!/^https?:\/\//i.test(plain)) return invalid('the base URL must begin with https://')
  // URL drops tabs and newlines and turns backslashes, and hides an empty query: refused as written.
  if (/[\s\\]|\p{Cc}/u.test(plain)) return invalid('the base URL holds a character that no address has')
  if (/[?#]/.test(plain)) return invalid('the base URL must have no query and no fragment')
  const url = parse(plain)
  if (url === null) return invalid('the base URL is not an address')
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/]*@/i.test(plain)) {
    return invalid('the base URL must hold no user name and no password')
  }
  const host = url.hostname.replace(/\.+$/, '').toLowerCase()
  const kind = host === '' ? 'refused' : kindOfHost(host)
  if (kind === 'refused') return invalid('the base URL points at a link-local, metadata or unspecified address')
  if (url.protocol === 'http:' && kind !== 'loopback')
    return invalid('the base URL must begin with https:// unless it is this machine')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '')
  return { text: url.origin + path, host, loopback: kind === 'loopback' }
}

function parse(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** An official-looking key goes to its own vendor and nowhere else, loopback included. */
export function keyRefusal(key: string, { host, text }: BaseUrl): Problem | null {
  const refused = problem('host_not_allowed', { host })
  if (/^sk-ant-(oat|ort)/.test(key)) {
    return invalid('this is the token of a Claude subscription; add it as an account instead of an API profile')
  }
  const secure = text.startsWith('https://')
  if (key.startsWith('sk-ant-')) return secure && host === 'api.anthropic.com' ? null : refused
  // The middle of each of OpenAI's own keys; other vendors' keys begin with `sk-` too.
  const isOpenAi = /^sk-(proj|svcacct|admin)-/.test(key) || key.includes('T3BlbkFJ')
  if (isOpenAi) return secure && (host === 'api.openai.com' || host.endsWith('.api.openai.com')) ? null : refused
  return null
}

/** Null for none. Only HTTP proxies are spoken; the words of the URL are never repeated, it may hold a password. */
export function readProxy(text: string | null): string | null | Problem {
  if (text === null || text.trim() === '') return null
  const url = parse(text.trim())
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '' || url.pathname.length > 1) {
    return invalid('the proxy must be http://HOST:PORT or https://HOST:PORT')
  }
  return text.trim()
}
