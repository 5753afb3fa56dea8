/**
 * Lets only well-formed calls through a message port. What the window's client never sends is dropped here, before a
 * decoder meets it: one that throws there would end the whole program (threats T4.4).
 */

/** Structurally Electron's MessagePortMain, as far as it is used. */
export interface PagePort {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  postMessage(data: unknown): void
  start(): void
  close(): void
}

/** The shape that oRPC's handler asks for. */
export interface GatedPort {
  on<Name extends string>(event: Name, listener: (event?: { data: unknown }) => void): void
  postMessage(data: unknown): void
}

export const largestMessage = 8 * 1024 * 1024

export function gated(port: PagePort, onRefused: () => void): GatedPort {
  return {
    on(event, listener) {
      if (event === 'close') port.on('close', () => listener())
      if (event !== 'message') return
      port.on('message', ({ data }) => {
        if (isCall(data)) listener({ data })
        else onRefused()
      })
    },
    postMessage: (data) => port.postMessage(data),
  }
}

/** A call of a member, or the end of one; oRPC's other kinds (uploads, streams to us) have no use here. */
export function isCall(data: unknown): boolean {
  if (typeof data !== 'string' || data.length > largestMessage) return false
  const message = parsed(data)
  if (!isRecord(message)) return false
  const { i: id, t: type, p: payload } = message
  if (typeof id !== 'string' || id.length > 64) return false
  if (type === abort) return true
  return type === undefined && isRecord(payload) && isRequest(payload)
}

const abort = 4
const member = /^\/[a-z]+\/[A-Za-z]+$/

function isRequest({ u: path, m: method, h: headers, b: body, ...rest }: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof path === 'string' &&
    member.test(path) &&
    method === undefined &&
    Object.keys(rest).length === 0 &&
    (body === undefined || isRecord(body)) &&
    (headers === undefined || (isRecord(headers) && Object.entries(headers).every(isKnownHeader)))
  )
}

/** Where a subscription goes on after a break. */
const isKnownHeader = ([name, value]: readonly [string, unknown]): boolean =>
  name === 'last-event-id' && typeof value === 'string'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
