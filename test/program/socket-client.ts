/** A WebSocket client of the data plane for tests: every frame as it came, how it ended, and refused upgrades whole. */
import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { codexCli } from './asks.ts'
import type { Rig } from './start-core.ts'

// biome-ignore lint/suspicious/noExplicitAny: frames are foreign JSON, and a wrong field fails the test
export type Frame = any

export interface SocketClient {
  readonly socket: WebSocket
  /** All frames so far, the oldest first. */
  readonly frames: readonly Frame[]
  /** Code of the close, 1006 without a close frame. */
  readonly closed: Promise<number>
  send(frame: object | string): void
  /** A turn, and every frame up to the one that ends it. */
  turn(change?: object): Promise<readonly Frame[]>
  /** Frames not taken yet, up to and with the first that ends a turn. */
  answer(): Promise<readonly Frame[]>
}

const boundMs = 20_000

export const create = (change: object = {}): object => ({
  type: 'response.create',
  model: 'gpt-5.5',
  instructions: '',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
  store: false,
  stream: true,
  ...change,
})

const ends: ReadonlySet<string> = new Set(['response.completed', 'response.failed', 'response.incomplete', 'error'])

export interface DialOptions {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly thread?: string
  /** As the `ws` client takes them. */
  readonly more?: object
}

function opening(rig: Rig, { path = '/codex/v1/responses', headers = {}, thread, more = {} }: DialOptions): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${rig.core.port}${path}`, {
    perMessageDeflate: false,
    ...more,
    headers: {
      ...(path.startsWith('/k/') ? {} : { authorization: `Bearer ${rig.key}` }),
      'openai-beta': 'responses_websockets=2026-02-06',
      ...codexCli(thread).headers,
      ...headers,
    },
  })
}

export async function dial(rig: Rig, options: DialOptions = {}): Promise<SocketClient> {
  const socket = opening(rig, options)
  const frames: Frame[] = []
  let taken = 0
  let look = (): void => {}
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    look()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  const client: SocketClient = {
    socket,
    frames,
    closed,
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    turn(change) {
      client.send(create(change))
      return client.answer()
    },
    answer: () =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no end of a turn; got ${said(frames.slice(taken))}`)), boundMs)
        void closed.then((code) => reject(new Error(`closed with ${code}; got ${said(frames.slice(taken))}`)))
        look = () => {
          const end = frames.findIndex((frame, at) => at >= taken && ends.has(frame.type))
          if (end < 0) return
          clearTimeout(late)
          const answer = frames.slice(taken, end + 1)
          taken = end + 1
          look = () => {}
          resolve(answer)
        }
        look()
      }),
  }
  // Nobody has to wait for an answer to get one.
  closed.catch(() => {})
  return client
}

const said = (frames: readonly Frame[]): string => JSON.stringify(frames.map(({ type }) => type))

export interface Refused {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Frame
}

/** The answer to an upgrade that isn't accepted. */
export function refused(rig: Rig, options: DialOptions = {}): Promise<Refused> {
  const socket = opening(rig, options)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.once('open', () => {
      socket.terminate()
      reject(new Error('the upgrade was accepted'))
    })
    socket.once('unexpected-response', (_request, answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.once('end', () => {
        const text = Buffer.concat(pieces).toString('utf8')
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: text === '' ? null : JSON.parse(text),
        })
      })
    })
  })
}

export const types = (frames: readonly Frame[]): readonly string[] => frames.map(({ type }) => type)
export const text = (frames: readonly Frame[]): string =>
  frames.flatMap((frame) => (frame.type === 'response.output_text.delta' ? [frame.delta] : [])).join('')
export const idOf = (frames: readonly Frame[]): string => frames.at(-1)?.response?.id ?? ''
