/**
 * The yardstick: the least a relay in Node can be. `node:http` in, undici's `Pool.dispatch` out, the body buffered,
 * hop-by-hop headers taken out, back pressure and abort both ways; nothing is read, chosen or written down.
 */
import { createServer } from 'node:http'
import { Pool } from 'undici'

const pool = new Pool(`http://127.0.0.1:${process.env.UPSTREAM_PORT}`, {
  allowH2: false,
  connections: 1_024,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
})

const hopByHop = new Set(
  [
    'connection',
    'expect',
    'host',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'proxy-connection',
  ].concat(['te', 'trailer', 'transfer-encoding', 'upgrade']),
)

function endToEnd(headers) {
  const kept = {}
  for (const name in headers) if (!hopByHop.has(name)) kept[name] = headers[name]
  return kept
}

function relay(request, response) {
  const pieces = []
  let length = 0
  request.on('data', (piece) => {
    pieces.push(piece)
    length += piece.length
  })
  request.on('end', () => send(request, response, pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, length)))
}

function send(request, response, body) {
  let upstream
  let over = false
  response.on('close', () => {
    if (!over) upstream?.abort(new Error('the client left'))
  })
  pool.dispatch(
    {
      path: request.url,
      method: request.method,
      headers: { ...endToEnd(request.headers), 'content-length': body.length },
      body,
    },
    {
      onRequestStart(controller) {
        upstream = controller
      },
      onResponseStart(_controller, status, headers) {
        response.writeHead(status, endToEnd(headers))
      },
      onResponseData(controller, piece) {
        if (response.write(piece)) return
        controller.pause()
        response.once('drain', () => controller.resume())
      },
      onResponseEnd() {
        over = true
        response.end()
      },
      onResponseError(_controller, error) {
        over = true
        if (response.headersSent) response.destroy(error)
        else response.writeHead(502).end()
      },
    },
  )
}

createServer({ requestTimeout: 0, keepAliveTimeout: 65_000 }, relay).listen(
  Number(process.env.PORT),
  '127.0.0.1',
  1_024,
)
