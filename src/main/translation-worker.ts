/** The worker's side of translation: long histories are parsed and written here, so that no stream stalls meanwhile. */
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { type RequestTask, translateRequest } from './translate/translate-request.ts'

interface Work {
  readonly id: number
  readonly pieces: readonly Uint8Array[]
  readonly task: RequestTask
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

parentPort?.on('message', ({ id, pieces, task }: Work) => {
  try {
    const found = translateRequest(Buffer.concat(pieces).toString('utf8'), task, hash)
    parentPort?.postMessage({ id, found })
  } catch {
    // Never the cause: it could quote the body.
    parentPort?.postMessage({ id, found: null })
  }
})
