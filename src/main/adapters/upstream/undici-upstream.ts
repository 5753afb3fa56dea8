/**
 * The one way out: undici's `Pool.dispatch` with explicit pause and resume, HTTP/1.1, no redirects, no retries, bytes
 * untouched (stack-notes §5). One pool per origin and proxy.
 */
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici'
import type {
  Body,
  Upstream,
  UpstreamExchange,
  UpstreamFailure,
  UpstreamObserver,
  UpstreamRequest,
} from '../../ports.ts'
import { transportFailure } from './failures.ts'
import type { ProxyFor } from './proxy.ts'

export interface UpstreamOptions {
  readonly proxyFor: ProxyFor
  /** Our own data port: a connection that would come back to it is refused. */
  ownPort(): number
}

export interface ClosableUpstream extends Upstream {
  /** Drops pooled connections: after sleep or a change of network they are dead (F23, F24). */
  refresh(): void
  /** For connections that others keep to upstreams. */
  onRefresh(act: () => void): void
  close(): Promise<void>
}

export function openUpstream(options: UpstreamOptions): ClosableUpstream {
  let pools = new Map<string, Dispatcher>()
  const others: (() => void)[] = []

  const poolFor = (origin: string, proxy: string | null): Dispatcher => {
    const key = proxy === null ? origin : `${origin} ${proxy}`
    const known = pools.get(key)
    if (known !== undefined) return known
    const made =
      proxy === null
        ? directPool(origin, options)
        : new ProxyAgent({ uri: proxy, allowH2: false, ...poolTimes, requestTls: checked, proxyTls: checked })
    pools.set(key, made)
    return made
  }

  const closeAll = (old: Map<string, Dispatcher>): Promise<unknown> =>
    Promise.all([...old.values()].map((pool) => pool.close().catch(() => undefined)))

  return {
    send(request, observer) {
      const proxy = options.proxyFor(request.origin, request.proxy)
      if (proxy.kind === 'malformed') return failAtOnce(observer, { kind: 'proxy', why: proxy.why })
      if (proxy.kind === 'unknown-host') return failAtOnce(observer, { kind: 'unreachable', why: unknownHost })
      return dispatch(poolFor(request.origin, proxy.kind === 'proxy' ? proxy.url : null), request, observer)
    },
    refresh() {
      const old = pools
      pools = new Map()
      void closeAll(old)
      for (const act of others) act()
    },
    onRefresh: (act) => void others.push(act),
    async close() {
      const old = pools
      pools = new Map()
      await Promise.all([...old.values()].map((pool) => pool.destroy().catch(() => undefined)))
    },
  }
}

const unknownHost = 'it is no host of an account or a profile'

const poolTimes = { keepAliveTimeout: 20_000, keepAliveMaxTimeout: 60_000, headersTimeout: 0, bodyTimeout: 0 } as const

/** Said outright, since NODE_TLS_REJECT_UNAUTHORIZED would otherwise turn the checking of certificates off (T6.5). */
const checked = { rejectUnauthorized: true } as const

function directPool(origin: string, options: UpstreamOptions): Pool {
  const connector = buildConnector({ timeout: 10_000, allowH2: false, ...checked })
  return new Pool(origin, {
    allowH2: false,
    pipelining: 1,
    connections: 1_024,
    ...poolTimes,
    connect(parameters, callback) {
      connector(parameters, (error, socket) => {
        if (error === null && isOurs(socket.remoteAddress, socket.remotePort, options.ownPort())) {
          socket.destroy()
          callback(Object.assign(new Error('self-reference'), { code: 'POINTSMAN_SELF' }), null)
          return
        }
        socket?.setNoDelay(true)
        if (error === null) callback(null, socket)
        else callback(error, null)
      })
    },
  })
}

const isOurs = (address: string | undefined, port: number | undefined, own: number): boolean =>
  port === own && (address === '127.0.0.1' || address === '::1' || address === '::ffff:127.0.0.1')

function failAtOnce(observer: UpstreamObserver, failure: UpstreamFailure): UpstreamExchange {
  queueMicrotask(() => observer.failed(failure))
  return { pause() {}, resume() {}, abort() {} }
}

function dispatch(pool: Dispatcher, request: UpstreamRequest, observer: UpstreamObserver): UpstreamExchange {
  let control: Dispatcher.DispatchController | null = null
  let over = false
  let headSeen = false
  let paused = false
  const options = {
    // A proxy's agent asks for it; a pool knows its own.
    origin: request.origin,
    path: request.path,
    method: request.method as Dispatcher.HttpMethod,
    headers: withLength(request),
    body: bodyOf(request.body),
    headersTimeout: request.headTimeoutMs,
    bodyTimeout: request.idleTimeoutMs,
  }
  const fail = (cause: unknown): void => {
    if (over) return
    over = true
    observer.failed(transportFailure(cause, headSeen))
  }
  try {
    pool.dispatch(options as Dispatcher.DispatchOptions, {
      onRequestStart(controller) {
        control = controller
        if (over) controller.abort(aborted())
      },
      onResponseStart(controller, status) {
        if (over || status < 200) return
        headSeen = true
        observer.head(status, rawHeaders(controller))
      },
      onResponseData(controller, chunk) {
        if (over) return
        observer.data(chunk)
        if (paused) controller.pause()
      },
      onResponseEnd() {
        if (over) return
        over = true
        observer.end()
      },
      onResponseError(_controller, error) {
        fail(error)
      },
    })
  } catch (cause) {
    fail(cause)
  }
  return {
    pause() {
      paused = true
      control?.pause()
    },
    resume() {
      paused = false
      control?.resume()
    },
    abort() {
      if (over) return
      // Settled first: `abort` reports back at once (stack-notes §5).
      over = true
      control?.abort(aborted())
    },
  }
}

/** Made only when it is needed: its stack trace would cost every request 2 µs. */
const aborted = (): Error => new Error('aborted')

function rawHeaders(controller: Dispatcher.DispatchController): string[] {
  const raw = (controller as { rawHeaders?: readonly (Buffer | string)[] }).rawHeaders ?? []
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
}

/** Up to here one write of joined pieces is cheaper than an iterable; beyond, a copy would double the memory. */
const joinedBytes = 2 * 1024 * 1024

function bodyOf(body: Body | null): Uint8Array | Iterable<Uint8Array> | null {
  if (body === null) return null
  const [only] = body.pieces
  if (body.pieces.length === 1 && only !== undefined) return only
  return body.length <= joinedBytes ? Buffer.concat(body.pieces, body.length) : body.pieces
}

function withLength({ headers, body }: UpstreamRequest): string[] {
  const list = [...headers]
  if (body !== null) list.push('content-length', String(body.length))
  return list
}
