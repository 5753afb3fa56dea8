/** `@musistudio/llms`, the library behind a well-known gateway, as its documentation shows it, on loopback only. */
import { createRequire } from 'node:module'
import { models } from './cases.mjs'
import { gatewayVendor } from './gateways.mjs'

// Its module form does not load ("dynamic require"); the other one does.
const library = createRequire(import.meta.url)('@musistudio/llms')
const Server = library.default ?? library
const upstream = `http://127.0.0.1:${process.env.UPSTREAM_PORT}/v1/messages`
const provider = { name: gatewayVendor, api_base_url: upstream, api_key: 'sk-bench', models }
const initialConfig = {
  HOST: '127.0.0.1',
  PORT: process.env.PORT,
  providers: [{ ...provider, transformer: { use: ['Anthropic'] } }],
}
await new Server({ logger: false, initialConfig }).start()
