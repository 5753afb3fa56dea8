/** Pointsman's own small requests (token, usage, models): whole bounded answers, own user agent, no redirects (routing §6). */
import type { Upstream, UpstreamFailure, Web, WebAnswer, WebRequest } from '../../ports.ts'

const largestBytes = 4 * 1024 * 1024

/** Rides on the same upstream as the data plane, so proxies, TLS and the own-port guard are the same. */
export function ownWeb(upstream: Upstream, version: string): Web {
  return {
    fetch: (request) => fetchWith(upstream, version, request),
  }
}

function fetchWith(upstream: Upstream, version: string, request: WebRequest): Promise<WebAnswer | UpstreamFailure> {
  const url = new URL(request.url)
  return new Promise((resolve) => {
    let status = 0
    let headers: readonly string[] = []
    const pieces: Uint8Array[] = []
    let length = 0
    const settle = (result: WebAnswer | UpstreamFailure): void => {
      clearTimeout(bound)
      resolve(result)
    }
    const body = request.body === null ? null : Buffer.from(request.body)
    const exchange = upstream.send(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: [...request.headers, 'user-agent', `pointsman/${version}`, 'accept-encoding', 'identity'],
        body: body === null ? null : { pieces: [body], length: body.length },
        proxy: request.proxy,
        headTimeoutMs: request.timeoutMs,
        idleTimeoutMs: request.timeoutMs,
      },
      {
        head(answered, list) {
          status = answered
          headers = list
        },
        data(bytes) {
          length += bytes.length
          if (length <= largestBytes) {
            pieces.push(bytes)
            return
          }
          exchange.abort()
          settle({ kind: 'malformed', why: 'the answer is too large' })
        },
        end: () => settle({ status, headers, text: Buffer.concat(pieces).toString('utf8') }),
        failed: settle,
      },
    )
    const bound = setTimeout(() => {
      exchange.abort()
      settle({ kind: 'silent' })
    }, request.timeoutMs)
  })
}
