/** The worker's side of translation: long histories are parsed and written here, so that no stream stalls meanwhile. */
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { type RequestTask, translateRequest } from './translate/translate-request.ts'

interface Work {
  readonly id: number
  readonly bytes: Uint8Array
  readonly task: RequestTask
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8')
const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

parentPort?.on('message', ({ id, bytes, task }: Work) => {
  try {
    const found = translateRequest(decoder.decode(bytes), task, hash)
    if (found.kind === 'refused') {
      parentPort?.postMessage({ id, found })
      return
    }
    // Its bytes are handed over, not copied: a copy would stall the streams on the other side.
    const body = encoder.encode(found.body)
    parentPort?.postMessage({ id, found: { ...found, body } }, [body.buffer])
  } catch {
    // Never the cause: it could quote the body.
    parentPort?.postMessage({ id, found: null })
  }
})
