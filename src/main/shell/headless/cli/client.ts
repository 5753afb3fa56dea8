/** The command line's door to the running program: the contract over its control socket. */
import { createORPCClient, ORPCError } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { Agent, fetch } from 'undici'
import type { Contract } from '../../../../shared/contract/index.ts'
import { PointsmanError, type Problem, problem } from '../../../../shared/errors.ts'
import { readInstance } from '../instance-file.ts'

export type Client = ContractRouterClient<Contract>

/** Throws `not_running` when nothing was started on this folder. */
export function clientOf(dataDir: string): Client {
  const instance = readInstance(dataDir)
  if (instance === null) throw new PointsmanError('not_running')
  // Nothing waits for longer than the program needs; subscriptions have no end at all.
  const dispatcher = new Agent({ connect: { socketPath: instance.control }, bodyTimeout: 0, headersTimeout: 0 })
  const link = new RPCLink({
    url: 'http://pointsman',
    fetch: async ({ url, method, headers, body, signal }) => {
      const init = { method, headers: [...headers] as [string, string][], body, signal, duplex: 'half', dispatcher }
      return (await fetch(url, init as Parameters<typeof fetch>[1])) as unknown as Response
    },
  })
  return createORPCClient(link)
}

/** What a failed member call means to the person. */
export function problemOf(cause: unknown): Pick<Problem, 'code' | 'sentence' | 'next'> | null {
  if (cause instanceof PointsmanError) return cause.problem
  if (cause instanceof ORPCError) {
    const data: unknown = cause.data
    if (isProblemData(data)) return data
    // What the transport refused before any member was asked.
    if (cause.code === 'NOT_FOUND') return problem('not_found', { what: 'such member' })
    if (cause.code === 'PAYLOAD_TOO_LARGE') return problem('body_too_large', { limit: '8 MiB' })
    if (cause.code === 'BAD_REQUEST') return problem('invalid_input', { why: 'it can not be read' })
  }
  return isGone(cause) ? problem('not_running') : null
}

function isProblemData(data: unknown): data is Pick<Problem, 'code' | 'sentence' | 'next'> {
  return typeof data === 'object' && data !== null && 'code' in data && 'sentence' in data && 'next' in data
}

const goneCodes: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'UND_ERR_SOCKET', 'EACCES'])

/** The socket's file is there and nobody behind it, or not even the file; or the program has just ended. */
function isGone(cause: unknown): boolean {
  for (let error = cause, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    if (goneCodes.has((error as { code?: unknown }).code)) return true
  }
  return false
}
