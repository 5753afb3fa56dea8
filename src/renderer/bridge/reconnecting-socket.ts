/** A WebSocket that comes back by itself, in the shape that oRPC's link asks for (stack-notes §2). */

export type SocketState = 'connecting' | 'open' | 'lost'

const delaysMs = [200, 400, 800, 1_500, 3_000]

export class ReconnectingSocket extends EventTarget {
  readonly #open: () => WebSocket
  readonly #onState: (state: SocketState) => void
  #socket: WebSocket
  #failures = 0

  constructor(open: () => WebSocket, onState: (state: SocketState) => void) {
    super()
    this.#open = open
    this.#onState = onState
    this.#socket = this.#start()
  }

  /** 0 while it is down: calls made meanwhile wait for the next opening. */
  get readyState(): number {
    return this.#socket.readyState === WebSocket.OPEN ? WebSocket.OPEN : WebSocket.CONNECTING
  }

  send(message: Parameters<WebSocket['send']>[0]): void {
    this.#socket.send(message)
  }

  #start(): WebSocket {
    const socket = this.#open()
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => {
      this.#failures = 0
      this.#onState('open')
      this.dispatchEvent(new Event('open'))
    })
    socket.addEventListener('message', ({ data }) => this.dispatchEvent(new MessageEvent('message', { data })))
    socket.addEventListener('close', () => {
      this.dispatchEvent(new Event('close'))
      this.#onState('lost')
      const delayMs = delaysMs[Math.min(this.#failures, delaysMs.length - 1)]
      this.#failures += 1
      setTimeout(() => {
        this.#socket = this.#start()
      }, delayMs)
    })
    return socket
  }
}
