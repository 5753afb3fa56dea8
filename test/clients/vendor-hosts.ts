/**
 * Stands where Claude Code looks for its vendor: a proxy on loopback that answers for the vendor's host names with a
 * certificate of the test's own authority, and hands each request to the simulated vendor. Only inside the namespace.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface VendorHosts {
  /** For `HTTPS_PROXY`. */
  readonly proxy: string
  /** For `NODE_EXTRA_CA_CERTS`. */
  readonly authority: string
  /** `POST platform.claude.com/v1/oauth/token 200`, in order. */
  readonly asked: readonly string[]
}

/** Where each host's requests go; a host that isn't named has no answer. */
export async function vendorHosts(folder: string, targets: Readonly<Record<string, string>>): Promise<VendorHosts> {
  const { key, certificate, authority } = certificates(folder, Object.keys(targets))
  const asked: string[] = []
  const inner = createTlsServer({ key, cert: certificate }, (request, answer) => {
    void relay(request, answer, targets, asked).catch(() => answer.destroy())
  })
  const outer = createServer((_, answer) => answer.writeHead(403).end())
  outer.on('connect', (request, socket) => {
    const host = (request.url ?? '').split(':')[0] ?? ''
    if (!Object.hasOwn(targets, host)) {
      asked.push(`CONNECT ${request.url} refused`)
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      return
    }
    const through = connect((inner.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(through).pipe(socket)
    })
    for (const end of [socket, through]) end.on('error', () => end.destroy())
  })
  for (const server of [inner, outer]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
  }
  return { proxy: `http://127.0.0.1:${(outer.address() as AddressInfo).port}`, authority, asked }
}

async function relay(
  request: IncomingMessage,
  answer: ServerResponse,
  targets: Readonly<Record<string, string>>,
  asked: string[],
): Promise<void> {
  const { method = 'GET', url = '', headers } = request
  const host = (headers.host ?? '').split(':')[0] ?? ''
  const body = Buffer.concat(await request.toArray())
  const named = Object.entries(headers).filter(
    (pair): pair is [string, string] =>
      typeof pair[1] === 'string' && !['host', 'connection', 'content-length'].includes(pair[0]),
  )
  const got = await fetch(`${targets[host]}${url}`, {
    method,
    headers: named,
    redirect: 'manual',
    ...(body.length === 0 ? {} : { body }),
  })
  asked.push(`${method} ${host}${url.replace(/\?.*$/, '')} ${got.status}`)
  answer.writeHead(got.status, { 'content-type': got.headers.get('content-type') ?? 'application/json' })
  answer.end(Buffer.from(await got.arrayBuffer()))
}

function certificates(folder: string, hosts: readonly string[]) {
  const at = (name: string): string => join(folder, 'authority', name)
  mkdirSync(join(folder, 'authority'), { recursive: true })
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { stdio: 'ignore' })
  }
  const names = hosts.map((host) => `DNS:${host}`).join(',')
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-days',
    '2',
    '-subj',
    '/CN=Test authority',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  )
  openssl('req', ...newKey, '-subj', '/CN=vendor', '-keyout', at('key.pem'), '-out', at('request.pem'))
  writeFileSync(at('names'), `subjectAltName=${names}`)
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2', '-extfile', at('names')]
  openssl('x509', '-req', '-in', at('request.pem'), ...signed, '-out', at('certificate.pem'))
  return { key: readFileSync(at('key.pem')), certificate: readFileSync(at('certificate.pem')), authority: at('ca.pem') }
}
