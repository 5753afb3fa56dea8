// Each guard of the program, what takes it away, and the smallest tests that must fail then.

import { integration, unit, without } from './without.mjs'

const head = 'src/main/flow/head-guard.ts'
const ingress = 'src/main/flow/10-ingress.ts'
const listener = 'src/main/shell/headless/window/guard.ts'
const server = 'src/main/shell/headless/window/control-server.ts'
const sessions = 'src/main/shell/headless/window/sessions.ts'
const callback = 'src/main/adapters/oauth/callback-listener.ts'
const browser = 'src/main/accounts/sign-in-browser.ts'
const sender = 'src/main/shell/desktop/sender.ts'
const address = 'src/main/shell/desktop/address.ts'
const external = 'src/main/shell/desktop/external-address.ts'

const refusal = unit('test/flow/refusal.test.ts')
const strangers = integration('test/program/strangers.test.ts')
const windowHosts = integration('test/program/control-server-hosts.test.ts')
const windowSocket = integration('test/program/control-server.test.ts')
const callbacks = integration('test/adapters/oauth/callback-listener.test.ts')
const signIn = unit('test/accounts/sign-in.test.ts')
const senders = unit('test/desktop/sender.test.ts')
const payloads = integration('test/desktop/port-payloads.real.test.ts')
const externals = unit('test/desktop/external-address.test.ts')

/** Of `docs/threats.md`. */
export const guards = [
  // The data plane.
  ...without('Host', head, refusal, {
    'any Host': ['if (!isOurHost(headers, head.port)) return', 'if (!head) return'],
  }),
  ...without('Host', head, strangers, {
    'two Host lines': ["if (headers.repeats('host')) return false\n", ''],
    'any port': [`host === \`localhost:\${port}\``, "host?.startsWith('localhost') === true"],
    'an absolute target': ["if (!head.target.startsWith('/')) return new Refusal('origin_refused')\n", ''],
  }),
  ...without('Origin', head, refusal, { 'any Origin': ["headers.has('origin') || ", ''] }),
  ...without('Sec-Fetch', head, refusal, {
    'a cross-site fetch': [" || isCrossSite(headers.get('sec-fetch-site'))", ''],
  }),
  ...without('Sec-Fetch', head, strangers, {
    'a same-site fetch': ["site !== null && site !== 'same-origin' && site !== 'none'", "site === 'cross-site'"],
  }),
  ...without('key', ingress, strangers, {
    'a key in any state': ["key === undefined || keyState(key, view.nowMs) !== 'active'", 'key === undefined'],
    'a form or plain text': [
      "!isJson(headers)) return new Refusal('body_type_refused')",
      "!headers) return new Refusal('body_type_refused')",
    ],
  }),
  // Asked at two places, by one function.
  ...without('key', 'src/main/flow/key-budget.ts', integration('test/program/access.test.ts'), {
    'a key without a policy': ['if (key.policy === null) return', 'if (key === null) return'],
  }),
  ...without('framing', head, integration('test/program/smuggling.test.ts'), {
    'any transfer-encoding': ['if (encoding !== null && (headers', 'if (encoding === null && (headers'],
  }),
  ...without('framing', head, integration('test/program/hostile-client.test.ts'), {
    'any number of headers': ["if (headers.count > mostHeaders) return new Refusal('headers_too_many')\n", ''],
  }),
  ...without('Origin', 'src/main/flow/socket/serve-socket.ts', integration('test/program/socket-edges.test.ts'), {
    'any upgrade': [
      ['if (bare !== null) return bare\n', ''],
      [
        'found instanceof Refusal) return isUnserved',
        "found instanceof Refusal && found.problem.code !== 'origin_refused') return isUnserved",
      ],
    ],
  }),
  // The window's listener.
  ...without('Host (window)', listener, windowHosts, {
    'any Host': [
      "return hosts.length === 1 && authorities(port).includes(hosts[0]?.toLowerCase() ?? '')",
      'return true',
    ],
    'two Host lines': ['return hosts.length === 1 && ', 'return '],
  }),
  ...without('Origin (window)', listener, windowHosts, {
    'any Origin at a page': ['if (origins.length > 0 && !isOurOrigin(head, port)) return false\n', ''],
  }),
  ...without('Origin (window)', listener, windowSocket, {
    'a socket without an Origin': [
      ' && isFromHere(head, port) && isOurOrigin(head, port)',
      ' && isFromHere(head, port)',
    ],
  }),
  ...without('Sec-Fetch (window)', listener, windowHosts, {
    'any site': ["every((site) => site === 'same-origin' || site === 'none')", 'every(() => true)'],
    'any method': ["if (head.method !== 'GET' && head.method !== 'HEAD') return false\n", ''],
  }),
  ...without('cookie', server, windowSocket, {
    'no cookie at all': ["else if (session === null) refuse(response, 'stranger')\n", ''],
  }),
  ...without('cookie', sessions, windowSocket, {
    'any cookie': ['find(({ cookieDigest }) => equal(cookieDigest, given))', 'find(() => given)'],
    'a session without end': ['createdAtMs + sessionLifeMs > this.#nowMs()', 'createdAtMs > 0'],
  }),
  ...without(
    'cookie',
    'src/main/shell/headless/window/session-file.ts',
    unit('test/shell/headless/session-file.test.ts'),
    {
      'a record that lacks a field': ['isDigest(value.tokenDigest) &&', 'true &&'],
    },
  ),
  ...without('token', server, windowSocket, {
    'the cookie alone': [' || !hasToken(head, session, sessions)', ''],
  }),
  ...without('token', sessions, windowSocket, {
    'any token': ['return equal(session.tokenDigest, digest(token))', 'return session && token.length > 0'],
    'a link twice': ['this.#links = this.#links.filter((candidate) => candidate !== found)\n', ''],
    'a link without end': ['found === undefined || found.untilMs <= this.#nowMs()', 'found === undefined'],
  }),
  // Signing in.
  ...without('state', browser, signIn, {
    'any state': ["if (!isSameText(callback.state, state)) return 'refused'\n", ''],
    'a state twice': [" || isSpent || attempt.isOver) return 'refused'", ") return 'refused'"],
  }),
  ...without('state', callback, callbacks, {
    'any Host': ['if (!isOurHost) return 403\n', ''],
    'any method': ["if (asked.method !== 'GET') return 405\n", ''],
    'a page that ends a sign-in': ['return target === cancelPath && isPage ? 403 : null', 'return null'],
  }),
  // The desktop app.
  ...without('sender', sender, senders, {
    'the page of another window': ['sender.id === ours.id &&\n', ''],
    'another frame of the window': ['senderFrame.frameTreeNodeId === ours.mainFrame.frameTreeNodeId &&\n', ''],
    // Its number tells it too: only without both does it pass.
    'a frame in the page': [
      ['senderFrame.parent === null &&\n', ''],
      ['senderFrame.frameTreeNodeId === ours.mainFrame.frameTreeNodeId &&\n', ''],
    ],
    'a foreign page': [' &&\n    isOurs(senderFrame.url)', ''],
  }),
  ...without('sender', 'src/main/shell/desktop/ipc.ts', payloads, {
    'anybody with a port': [' || !isFromOurPage(event, ours())', ''],
  }),
  ...without('sender', 'src/main/shell/desktop/port-gate.ts', payloads, {
    'any message on a port': ['if (isCall(data)) listener({ data })', 'if (isCall) listener({ data })'],
  }),
  ...without('scheme', 'src/main/shell/desktop/scheme-answer.ts', unit('test/desktop/scheme-answer.test.ts'), {
    'a file for any address': ["isOurs(url) && method === 'GET'", "method === 'GET'"],
  }),
  ...without('scheme', address, senders, {
    'any host of our scheme': [' && found === host', ''],
    'any scheme with our host': [`protocol === \`\${scheme}:\` && `, ''],
  }),
  ...without('scheme', external, externals, {
    // Said twice, on the text and on what was read of it: only without both does anything else pass.
    'any scheme to the system': [
      ["const isPlain = protocol === 'https:' && ", 'const isPlain = '],
      [' || !/^https:\\/\\/[^/]/i.test(text)', ''],
    ],
    'misleading text to the system': ['misleading.test(text) || ', ''],
    'a login or a port to the system': [" && username === '' && password === '' && port === ''", ''],
  }),
  // What keeps a credential with its vendor.
  ...without(
    'certificate',
    'src/main/adapters/upstream/undici-upstream.ts',
    integration('test/program/certificates.test.ts'),
    {
      'a bad certificate': ['rejectUnauthorized: true', 'timeout: 10_000'],
    },
  ),
  ...without(
    'certificate',
    'src/main/adapters/websocket/dial.ts',
    integration('test/adapters/upstream/dialled.test.ts'),
    {
      'a bad certificate under a WebSocket': ['rejectUnauthorized: true', 'timeout: 10_000'],
    },
  ),
  ...without(
    'certificate',
    'src/main/adapters/websocket/tunnel.ts',
    integration('test/adapters/upstream/proxied.test.ts'),
    {
      'a bad certificate in a WebSocket’s tunnel': ['rejectUnauthorized: true', 'timeout: 10_000'],
    },
  ),
  ...without('official key', 'src/main/accounts/base-url.ts', unit('test/accounts/profile.test.ts'), {
    'an official key to any host': ["secure && host === 'api.anthropic.com' ? null : refused", 'null'],
    'a link-local address': ["if (kind === 'refused') return", 'if (kind !== kind) return'],
  }),
]
