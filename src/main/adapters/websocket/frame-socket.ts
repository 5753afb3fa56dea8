/** A `ws` connection as frames in and out: text only, back pressure both ways, a ping that finds dead peers. */
import type { WebSocket } from 'ws'
import type { FrameObserver, FrameSocket } from '../../socket-ports.ts'

/** Beyond this much unsent the other end counts as slow, down to the lower mark. */
const highBytes = 256 * 1024
const lowBytes = 64 * 1024
const pingEveryMs = 30_000
/** Pings in a row without a sign of life; a peer that reads nothing while bytes wait for it is slow, not dead. */
const mostUnheard = 4

/** How long the other end has to answer our close frame; the type definitions don't know the option. */
export const closing = { closeTimeout: 1_000 } as const

export function frameSocket(socket: WebSocket, observe: (made: FrameSocket) => FrameObserver): FrameSocket {
  let isSlow = false
  let unheard = 0
  const sent = (): void => {
    if (!isSlow || socket.bufferedAmount > lowBytes) return
    isSlow = false
    observer.drained()
  }
  const made: FrameSocket = {
    send(text) {
      if (socket.readyState !== socket.OPEN) return true
      socket.send(text, { binary: false }, sent)
      if (socket.bufferedAmount > highBytes) isSlow = true
      return !isSlow
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close(code, reason) {
      // Whoever is not read from can't say goodbye either.
      socket.resume()
      socket.close(code, reason)
    },
    cut: () => socket.terminate(),
  }
  const observer = observe(made)
  const heard = (): void => {
    unheard = 0
  }
  const timer = setInterval(() => {
    if (socket.isPaused || socket.bufferedAmount > 0) return
    if (unheard >= mostUnheard) socket.terminate()
    unheard += 1
    if (socket.readyState === socket.OPEN) socket.ping()
  }, pingEveryMs)
  timer.unref()
  socket.on('pong', heard)
  socket.on('ping', heard)
  socket.on('message', (data: Buffer, isBinary) => {
    heard()
    if (isBinary) socket.close(1003, 'Frames are text.')
    else if (socket.readyState === socket.OPEN) observer.text(data)
  })
  // A close follows, with the code that says why.
  socket.on('error', () => {})
  socket.once('close', (code) => {
    clearInterval(timer)
    observer.closed(code)
  })
  return made
}
