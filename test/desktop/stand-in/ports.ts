/** The stand-in's message ports: the page's real ones, carried to main over Chromium's debugging protocol. */
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { CDPSession } from 'playwright'

export const ipcMain = new EventEmitter()

const bindingName = 'standInSend'
const worldName = 'preload'

/** What a preload can require, and the wire to main; runs in an isolated world, in main frames only. */
const bootstrap = (preload: string): string => `(() => {
  if (window !== window.top) return
  const ports = new Map()
  let last = 0
  const send = (message) => ${bindingName}(JSON.stringify(message))
  const electron = {
    contextBridge: {
      exposeInMainWorld(name, value) {
        window.dispatchEvent(new CustomEvent('stand-in-expose', { detail: JSON.stringify([name, value]) }))
      },
    },
    ipcRenderer: {
      postMessage(channel, message, transfer = []) {
        const ids = transfer.map((port) => {
          last += 1
          const id = last
          ports.set(id, port)
          port.onmessage = ({ data }) => send({ kind: 'data', id, data })
          return id
        })
        send({ kind: 'post', channel, message, ids })
      },
    },
  }
  globalThis.standInReceive = (id, data) => ports.get(id)?.postMessage(data)
  globalThis.standInClose = (id) => { ports.get(id)?.close(); ports.delete(id) }
  const require = (name) => {
    if (name !== 'electron') throw new Error('a sandboxed preload may not require ' + name)
    return electron
  }
  ;(function (require, module, exports) {\n${preload}\n})(require, { exports: {} }, {})
})()`

/** Data only, as the preload needs no more. */
const mainWorld = `window.addEventListener('stand-in-expose', ({ detail }) => {
  const [name, value] = JSON.parse(detail)
  Object.defineProperty(window, name, { value: Object.freeze(value), enumerable: true })
})`

class Port extends EventEmitter {
  readonly #wire: (expression: string) => void
  readonly #id: number
  readonly #waiting: unknown[] = []
  #isStarted = false
  #isClosed = false

  constructor(id: number, wire: (expression: string) => void) {
    super()
    this.#id = id
    this.#wire = wire
  }

  postMessage(data: unknown): void {
    if (!this.#isClosed) this.#wire(`standInReceive(${this.#id}, ${JSON.stringify(data)})`)
  }

  start(): void {
    this.#isStarted = true
    for (const data of this.#waiting.splice(0)) this.emit('message', { data, ports: [] })
  }

  close(): void {
    if (this.#isClosed) return
    this.#wire(`standInClose(${this.#id})`)
    this.end()
  }

  receive(data: unknown): void {
    if (this.#isStarted) this.emit('message', { data, ports: [] })
    else this.#waiting.push(data)
  }

  /** The page has gone, or somebody closed it. */
  end(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.emit('close')
  }
}

export interface SenderOf {
  readonly sender: unknown
  frame(frameId: string): unknown
}

type Sent =
  | { readonly kind: 'data'; readonly id: number; readonly data: unknown }
  | { readonly kind: 'post'; readonly channel: string; readonly message: unknown; readonly ids: readonly number[] }

export async function installPreload(devtools: CDPSession, path: string, from: SenderOf): Promise<void> {
  const frames = new Map<number, string>()
  const ports = new Map<string, Port>()
  devtools.on('Runtime.executionContextCreated', ({ context }) => {
    const { frameId } = (context.auxData ?? {}) as { frameId?: string }
    if (frameId !== undefined) frames.set(context.id, frameId)
  })
  devtools.on('Runtime.executionContextsCleared', () => {
    frames.clear()
    for (const port of ports.values()) port.end()
    ports.clear()
  })
  devtools.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name !== bindingName) return
    const sent = JSON.parse(payload) as Sent
    const keyOf = (id: number): string => `${executionContextId} ${id}`
    if (sent.kind === 'data') {
      ports.get(keyOf(sent.id))?.receive(sent.data)
      return
    }
    const wire = (expression: string): void =>
      void devtools.send('Runtime.evaluate', { expression, contextId: executionContextId }).catch(() => {})
    // Registered at once: the first messages come in the same turn.
    const opened = sent.ids.map((id) => {
      const port = new Port(id, wire)
      ports.set(keyOf(id), port)
      return port
    })
    const senderFrame = from.frame(frames.get(executionContextId) ?? '')
    ipcMain.emit(sent.channel, { sender: from.sender, senderFrame, ports: opened }, sent.message)
  })
  await devtools.send('Page.enable')
  await devtools.send('Runtime.enable')
  await devtools.send('Runtime.addBinding', { name: bindingName, executionContextName: worldName })
  await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorld })
  const source = bootstrap(readFileSync(path, 'utf8'))
  await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName })
}
