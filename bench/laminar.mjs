/** `@lmnr-ai/claude-code-proxy`, a native proxy that observes Claude Code, on loopback only. */
import { createRequire } from 'node:module'

const { ProxyServer } = createRequire(import.meta.url)('@lmnr-ai/claude-code-proxy')
const server = new ProxyServer(Number(process.env.PORT))
server.runServer(`http://127.0.0.1:${process.env.UPSTREAM_PORT}`)
setInterval(() => {}, 2 ** 30)
