/** A plain HTTP client for tests: every byte of the answer, and whether it came to a clean end. */
import { type Agent, type ClientRequest as NodeRequest, request } from 'node:http'

export interface ClientRequest {
  readonly port: number
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
  readonly agent?: Agent
  /** Called with each piece; may destroy the request. */
  readonly onData?: (piece: Buffer, sent: NodeRequest) => void
}

export interface ClientAnswer {
  /** 0 when no head came. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly text: string
  /** `whole`: a clean end; otherwise the error's code. */
  readonly end: string
}

/** Resolves whatever happens; a cut is part of the answer. */
export function send(ask: ClientRequest): Promise<ClientAnswer> {
  const body = ask.body === undefined ? null : Buffer.from(ask.body)
  const headers: Record<string, string | readonly string[]> = {
    ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) }),
    ...ask.headers,
  }
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let status = 0
    let rawHeaders: readonly string[] = []
    let parsed: Readonly<Record<string, string | undefined>> = {}
    const finish = (end: string): void => {
      const whole = Buffer.concat(pieces)
      resolve({ status, headers: parsed, rawHeaders, body: whole, text: whole.toString('utf8'), end })
    }
    const sent = request({
      host: '127.0.0.1',
      port: ask.port,
      path: ask.path,
      method: ask.method ?? (body === null ? 'GET' : 'POST'),
      headers: headers as Record<string, string | string[]>,
      agent: ask.agent ?? false,
    })
    sent.once('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message))
    sent.once('response', (answer) => {
      status = answer.statusCode ?? 0
      rawHeaders = answer.rawHeaders
      parsed = answer.headers as Record<string, string | undefined>
      answer.on('data', (piece: Buffer) => {
        pieces.push(piece)
        ask.onData?.(piece, sent)
      })
      answer.once('end', () => finish(answer.complete ? 'whole' : 'incomplete'))
      answer.once('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message))
    })
    sent.end(body ?? undefined)
  })
}
