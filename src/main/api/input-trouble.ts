/** What is wrong with an input that a member's schema refuses, in words for a person; pure. */

/** As zod says it; other fields by its `code`. */
interface Issue {
  readonly code?: string
  readonly message: string
  readonly path?: readonly unknown[]
  /** Of `too_big` and `too_small`: what was measured, its bound, and whether the bound itself is allowed. */
  readonly origin?: string
  readonly maximum?: unknown
  readonly minimum?: unknown
  readonly inclusive?: boolean
  /** Of `unrecognized_keys`. */
  readonly keys?: readonly unknown[]
}

const mostIssues = 3
const longest = 500

/** `tiers.0.1: at most 50 characters`, the first three; never the value, which may be a secret. */
export function inputTrouble(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('issues' in data) || !Array.isArray(data.issues)) return null
  const issues = data.issues as readonly Issue[]
  const words = issues.slice(0, mostIssues).map((issue) => {
    const place = (issue.path ?? []).map((key) =>
      String(typeof key === 'object' && key !== null && 'key' in key ? key.key : key),
    )
    return [...(place.length === 0 ? [] : [place.join('.')]), wordsOf(issue)].join(': ')
  })
  return words.join('; ').slice(0, longest)
}

function wordsOf({ code, message, origin, maximum, minimum, inclusive, keys }: Issue): string {
  switch (code) {
    case 'too_big':
      return inclusive === false ? `less than ${maximum}` : `at most ${maximum}${unitOf(origin, maximum)}`
    case 'too_small':
      if (inclusive === false) return `more than ${minimum}`
      return origin === 'string' && minimum === 1
        ? 'must not be empty'
        : `at least ${minimum}${unitOf(origin, minimum)}`
    case 'unrecognized_keys':
      return `there is no ${keys?.join(', ')}`
    default:
      return message
  }
}

function unitOf(origin: string | undefined, count: unknown): string {
  const unit = origin === 'string' ? 'character' : origin === 'array' ? 'item' : null
  if (unit === null) return ''
  return count === 1 ? ` ${unit}` : ` ${unit}s`
}
