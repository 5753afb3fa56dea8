/** http-proxy-3 as its documentation shows it, with connections kept alive. Installed by `npm install --prefix bench`. */
import { Agent, createServer } from 'node:http'
import { createProxyServer } from 'http-proxy-3'

const proxy = createProxyServer({
  target: `http://127.0.0.1:${process.env.UPSTREAM_PORT}`,
  agent: new Agent({ keepAlive: true, maxSockets: 1_024, maxFreeSockets: 1_024 }),
})
proxy.on('error', (error, _request, response) => {
  if (response.headersSent) response.destroy(error)
  else response.writeHead(502).end()
})

createServer({ requestTimeout: 0, keepAliveTimeout: 65_000 }, (request, response) =>
  proxy.web(request, response),
).listen(Number(process.env.PORT), '127.0.0.1', 1_024)
