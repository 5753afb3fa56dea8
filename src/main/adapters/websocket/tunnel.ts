/** A connection to a host through a proxy: CONNECT, then TLS to the host itself, its certificate checked (T6.5). */
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Client } from 'undici'

/** Said outright: NODE_TLS_REJECT_UNAUTHORIZED would turn it off. */
const checked = { rejectUnauthorized: true } as const

/** Rejects with a cause that has a code, as undici's own way through a proxy does. */
export async function tunnel(proxy: string, origin: string, signal: AbortSignal): Promise<Socket> {
  const by = new URL(proxy)
  const { protocol, hostname, port } = new URL(origin)
  const isSecure = protocol === 'https:'
  const client = new Client(by.origin, { connect: checked, allowH2: false })
  try {
    const { statusCode, socket } = await client.connect({
      path: `${hostname}:${port === '' ? (isSecure ? 443 : 80) : port}`,
      headers: loginOf(by),
      signal,
    })
    // The connection to the proxy, whatever the type definitions call it.
    if (statusCode === 200) return isSecure ? secured(socket as Socket, hostname) : (socket as Socket)
    socket.on('error', () => {}).destroy()
    throw Object.assign(new Error(`the proxy answered ${statusCode}`), { code: 'POINTSMAN_NO_TUNNEL' })
  } finally {
    // The tunnel is no longer the client's: what ends here is the client alone.
    client.close().catch(() => {})
  }
}

/** Whoever gets it hears of a bad certificate as of any error of the connection. */
function secured(socket: Socket, hostname: string): Socket {
  const host = hostname.replace(/^\[|\]$/g, '')
  return connectTls({ socket, host, servername: isIP(host) === 0 ? host : '', ...checked })
}

function loginOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }
}
