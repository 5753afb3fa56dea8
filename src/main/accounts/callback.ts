/** What a callback's query says, from the browser or pasted by the person. Pure. */

export type Callback =
  | { readonly kind: 'code'; readonly code: string; readonly state: string }
  /** The vendor's page says no; its own words are not kept, since anybody may have written them. */
  | { readonly kind: 'error'; readonly state: string; readonly denied: boolean }
  | { readonly kind: 'unreadable' }

const longest = 4_096

/** A name given twice is unreadable: whoever reads the first and whoever reads the last would disagree. */
export function readCallback(query: string): Callback {
  const fields = query.length > longest ? null : fieldsOf(query.replace(/^\?/, ''))
  const state = fields?.get('state') ?? ''
  if (fields === null || state === '') return { kind: 'unreadable' }
  const error = fields.get('error')
  if (error !== undefined) return { kind: 'error', state, denied: error === 'access_denied' }
  const code = fields.get('code') ?? ''
  return /^[\x21-\x7e]+$/.test(code) ? { kind: 'code', code, state } : { kind: 'unreadable' }
}

/** The whole address from the browser's address bar, or its query alone. */
export function readPasted(text: string, path: string): Callback {
  const pasted = text.trim()
  if (!/^https?:\/\//i.test(pasted)) return readCallback(pasted)
  const url = parse(pasted)
  const isOurs = url !== null && url.pathname === path && /^(localhost|127\.0\.0\.1)$/.test(url.hostname)
  return isOurs ? readCallback(url.search) : { kind: 'unreadable' }
}

function parse(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

function fieldsOf(query: string): ReadonlyMap<string, string> | null {
  const fields = new Map<string, string>()
  for (const part of query.split('&')) {
    const at = part.indexOf('=')
    const name = decode(at < 0 ? part : part.slice(0, at))
    const value = decode(at < 0 ? '' : part.slice(at + 1))
    if (name === null || value === null || fields.has(name)) return null
    fields.set(name, value)
  }
  return fields
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
