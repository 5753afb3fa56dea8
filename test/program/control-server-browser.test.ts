/** The window's listener against pages in a real Chromium that holds its cookie: nothing is read, nothing opened (T1). */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launch, noChromium } from './chromium.ts'
import { enter, fileMark, type Listening, listening, openGuard, routes, socketMark } from './control-server-kit.ts'

if (noChromium !== null) console.log(`skipped: ${noChromium}`)

/** What one attacking page got. */
interface Loot {
  /** Bodies that its script could read. */
  readonly read: readonly string[]
  /** Globals set by scripts of ours that it included. */
  readonly leaked: string | null
  readonly images: number
  /** First messages of sockets and event streams. */
  readonly heard: readonly string[]
}

/** Runs in the page: every way that a page has to reach another address. */
const attack = `async (targets, token) => {
  const read = [], heard = []
  let images = 0
  const bounded = (wait) => Promise.race([wait, new Promise((done) => setTimeout(done, 1500))])
  const load = (name, url, attribute = 'src') => new Promise((done) => {
    const element = document.createElement(name)
    element.onload = () => done(true)
    element.onerror = () => done(false)
    element[attribute] = url
    if (name === 'link') element.rel = 'stylesheet'
    document.body.append(element)
  })
  const one = async (url) => {
    for (const mode of ['cors', 'no-cors', 'same-origin']) {
      for (const method of ['GET', 'POST']) {
        const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'text/plain' } } : {}
        await bounded(fetch(url, { mode, method, credentials: 'include', ...body })
          .then((answer) => answer.text()).then((text) => { if (text !== '') read.push(text) }, () => {}))
      }
    }
    navigator.sendBeacon(url, 'x')
    if (await bounded(load('img', url))) images += 1
    await bounded(load('script', url))
    await bounded(load('link', url, 'href'))
    await bounded(new Promise((done) => {
      const events = new EventSource(url, { withCredentials: true })
      events.onmessage = ({ data }) => { heard.push(data); done() }
      events.onerror = () => { events.close(); done() }
    }))
    for (const protocols of [[], ['pointsman'], ['pointsman', token]]) {
      await bounded(new Promise((done) => {
        const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols)
        socket.onmessage = ({ data }) => { heard.push(data); socket.close(); done() }
        socket.onerror = socket.onclose = () => done()
      }))
    }
    const frame = document.createElement('iframe')
    frame.name = 'target'
    document.body.append(frame)
    for (const method of ['get', 'post']) {
      const form = document.createElement('form')
      Object.assign(form, { action: url, method, enctype: 'text/plain', target: 'target' })
      document.body.append(form)
      form.submit()
      await new Promise((done) => setTimeout(done, 60))
      try { const text = frame.contentDocument?.body.innerText; if (text) read.push(text) } catch {}
    }
    frame.remove()
  }
  await Promise.all(targets.map(one))
  return { read, leaked: globalThis.leaked ?? null, images, heard }
}`

const nothing: Loot = { read: [], leaked: null, images: 0, heard: [] }

let browser: Browser
let evil: Server
let evilPort = 0
let open: Listening[] = []

beforeAll(async () => {
  if (noChromium !== null) return
  browser = await launch(['--host-resolver-rules=MAP evil.test 127.0.0.1'])
  evil = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<body>evil</body>')
  })
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
  evilPort = (evil.address() as AddressInfo).port
})

afterEach(async () => {
  await Promise.all(open.map((server) => server.close()))
  open = []
})

afterAll(async () => {
  await browser?.close()
  evil?.close()
})

async function server(guard?: typeof openGuard): Promise<Listening> {
  const made = await listening(guard)
  open.push(made)
  return made
}

/** A browser whose owner has opened the window, then a page of somebody else in it. */
async function raid(target: Listening, from: string, token: string, context: BrowserContext): Promise<Loot> {
  const page = await context.newPage()
  await page.goto(from)
  const targets = routes.filter((route) => !route.startsWith('/open?')).map((route) => target.origin + route)
  const loot = (await page.evaluate(`(${attack})(${JSON.stringify(targets)}, ${JSON.stringify(token)})`)) as Loot
  await page.close()
  return loot
}

/** The cookie in the browser, and the token as if it had leaked. */
async function atHome(target: Listening): Promise<{ context: BrowserContext; token: string }> {
  const { cookie, token } = await enter(target)
  const context = await browser.newContext()
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([
    { name, value, domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Strict' },
    { name, value, domain: 'localhost', path: '/', httpOnly: true, sameSite: 'Strict' },
  ])
  return { context, token }
}

describe.skipIf(noChromium !== null)('T1.5 T1.7 T1.8 pages of others', () => {
  for (const host of ['127.0.0.1', 'localhost', 'evil.test']) {
    test(`a page on ${host} reads nothing and opens no socket, with the cookie and even the token`, async () => {
      const target = await server()
      const { context, token } = await atHome(target)
      const loot = await raid(target, `http://${host}:${evilPort}/`, token, context)
      expect([loot, target.served.length]).toEqual([nothing, 0])
      await context.close()
    })
  }

  test('negative control: without the guard a page on another port opens the socket', async () => {
    const target = await server(openGuard)
    const { context, token } = await atHome(target)
    const loot = await raid(target, `http://127.0.0.1:${evilPort}/`, token, context)
    expect(loot.heard).toContain(socketMark)
    await context.close()
  })

  test('negative control: without the token being known even that page stays out', async () => {
    const target = await server(openGuard)
    const { context } = await atHome(target)
    const loot = await raid(target, `http://127.0.0.1:${evilPort}/`, 'guessed', context)
    expect([loot.heard, target.served.length]).toEqual([[], 0])
    await context.close()
  })

  test('in a frame of another page the window stays blank', async () => {
    const target = await server()
    const { context } = await atHome(target)
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${evilPort}/`)
    // Fires for a refused page too.
    await page.evaluate(`new Promise((done) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src: '${target.origin}/', onload: done }))
    })`)
    const texts = await Promise.all(page.frames().map((frame) => frame.evaluate('document.body?.innerText ?? ""')))
    expect(texts.join(' ')).not.toContain(fileMark)
    await context.close()
  })
})

describe.skipIf(noChromium !== null)('T1.3 T1.4 a name that leads to us', () => {
  const rebind = async (target: Listening, host: string) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const { pathname, search } = new URL(target.openLink())
    const read: string[] = []
    for (const path of [pathname + search, ...routes]) {
      const answer = await page.goto(`http://${host}:${target.port}${path}`).catch(() => null)
      const body = (await answer?.text().catch(() => '')) ?? ''
      if (body.includes(fileMark)) read.push(path)
    }
    await context.close()
    return read
  }

  for (const host of ['evil.test', '0.0.0.0', '127.0.0.2']) {
    test(`${host} gets no page, even with a valid link`, async () => {
      expect(await rebind(await server(), host)).toEqual([])
    })
  }

  test('negative control: without the guard evil.test gets in', async () => {
    expect(await rebind(await server(openGuard), 'evil.test')).not.toEqual([])
  })
})

describe.skipIf(noChromium !== null)('T1.6 T5.4 what a browser keeps', () => {
  test('a link in the browser’s history opens nothing; it is in no referrer, cookie, storage or cache', async () => {
    const target = await server()
    const folder = mkdtempSync(join(tmpdir(), 'pointsman-profile-'))
    try {
      const context = await chromium.launchPersistentContext(folder, {
        executablePath: chromiumPath,
        args: ['--no-sandbox', '--disable-gpu'],
      })
      const page = await context.newPage()
      const link = target.openLink()
      await page.goto(link)
      expect([page.url(), await page.evaluate('document.referrer')]).toEqual([`${target.origin}/`, ''])
      const again = await context.newPage()
      expect((await again.goto(link))?.status()).toBe(401)
      await context.close()
      const secret = new URL(link).searchParams.get('link') ?? ''
      // Chromium writes every step of a redirect down: what it keeps must be worth nothing.
      const keepers = filesUnder(folder).filter((path) => readFileSync(path).includes(secret))
      expect(keepers.some((path) => /Cookies|Local Storage|Cache/.test(path))).toBe(false)
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
