/** The worker's side of translation: long histories are parsed and written here, so that no stream stalls meanwhile. */
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { type Tasks, type Work, workOn } from './translate/whole-body.ts'

/** A body comes piece by piece, then what to do with it. */
type Message = { readonly id: number } & (
  | { readonly piece: Uint8Array }
  | { readonly [W in Work]: { readonly work: W; readonly task: Tasks[W] } }[Work]
)

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const bodies = new Map<number, { readonly decoder: InstanceType<typeof TextDecoder>; text: string }>()

parentPort?.on('message', (message: Message) => {
  const { id } = message
  const body = bodies.get(id) ?? { decoder: new TextDecoder('utf-8'), text: '' }
  if ('piece' in message) {
    body.text += body.decoder.decode(message.piece, { stream: true })
    bodies.set(id, body)
    return
  }
  bodies.delete(id)
  try {
    const found = workOn(message.work, body.text + body.decoder.decode(), message.task, hash)
    // Its bytes are handed over, not copied: a copy would stall the streams on the other side.
    const bytes = 'body' in found ? found.body : null
    parentPort?.postMessage({ id, found }, bytes === null ? [] : [bytes.buffer as ArrayBuffer])
  } catch {
    // Never the cause: it could quote the body.
    parentPort?.postMessage({ id, found: null })
  }
})
