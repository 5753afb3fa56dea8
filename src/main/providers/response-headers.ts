/** Which of an upstream's response headers reach the client: an allow-list (threats T4.7). */

/**
 * What clients read (claude §2.3, codex §2.2). Cookies, redirects and everything that speaks to a browser stay out;
 * `content-encoding` passes because the bytes do.
 */
const passed: ReadonlySet<string> = new Set([
  ...['content-type', 'content-encoding', 'content-language', 'etag'],
  ...['retry-after', 'retry-after-ms', 'x-should-retry'],
  ...['request-id', 'x-request-id', 'x-oai-request-id', 'cf-ray'],
  ...['x-models-etag', 'x-reasoning-included'],
])

const passedPrefixes: readonly string[] = ['anthropic-', 'openai-', 'x-codex-', 'x-ratelimit-']

/** The headers that pass, in their order and spelling. `date` and framing are made anew by our own server. */
export function inboundHeaders(rawHeaders: readonly string[]): string[] {
  const out: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    const lower = name.toLowerCase()
    if (passed.has(lower) || passedPrefixes.some((prefix) => lower.startsWith(prefix))) {
      out.push(name, rawHeaders[at + 1] as string)
    }
  }
  return out
}
